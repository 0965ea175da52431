import { operation } from '../../engine/operation';
import { normalizeId } from '../../engine/values/convert';
import { contactListId } from '../fields';

export const remove = operation({
	name: 'Delete',
	action: 'Delete a contact list',
	description: "Delete a contact list and all its contacts. This can't be undone.",
	request: 'DELETE /api/v1/contactlists/{contactListId}',
	fields: { contactListId },
	idempotent: true,
	output: (_, { contactListId: id }) => ({ deleted: true, ContactListId: normalizeId(id) }),
	outputSchema: { deleted: 'boolean', ContactListId: 'integer' },
});
