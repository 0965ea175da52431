import { operation } from '../../engine/operation';
import { contactId, contactListId } from '../fields';
import { written } from '../records';

/** Removes a contact from a list. */
export const remove = operation({
	name: 'Remove',
	action: 'Remove a contact from a list',
	description: 'Take a contact out of a list',
	request: 'DELETE /api/v1/contactlists/{contactListId}/contacts/{contactId}',
	fields: { contactListId, contactId },
	repeatable: true,
	output: (answer, { contactId: ContactId, contactListId: ContactListId }) =>
		written(answer, 'ContactId', { ContactId, ContactListId }),
	yields: { success: 'boolean', ContactId: 'string', ContactListId: 'string', Message: 'string' },
});
