import { operation } from '../../engine/operation';
import { normalizeId } from '../../engine/values/convert';
import { contactId, contactListId } from '../fields';

export const remove = operation({
	name: 'Remove',
	action: 'Remove a contact from a list',
	description: 'Remove a contact from a list',
	request: 'DELETE /api/v1/contactlists/{contactListId}/contacts/{contactId}',
	fields: { contactListId, contactId },
	idempotent: true,
	output: (_, { contactId: id, contactListId: listId }) => ({
		deleted: true,
		ContactId: normalizeId(id),
		ContactListId: normalizeId(listId),
	}),
	outputSchema: { deleted: 'boolean', ContactId: 'integer', ContactListId: 'integer' },
});
