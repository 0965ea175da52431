import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { written } from '../records';

/** Deletes a contact list and everybody in it. */
export const remove = operation({
	name: 'Delete',
	action: 'Delete a contact list',
	description: 'Delete a contact list with all contacts in it. This cannot be undone.',
	request: 'DELETE /api/v1/contactlists/{contactListId}',
	fields: { contactListId },
	repeatable: true,
	output: (answer, { contactListId: ContactListId }) =>
		written(answer, 'ContactListId', { ContactListId }),
	yields: { success: 'boolean', ContactListId: 'string', Message: 'string' },
});
