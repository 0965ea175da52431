import type { Operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { writtenTo } from '../records';

/** Deletes a contact list and everybody in it. */
export const remove: Operation = {
	name: 'Delete',
	action: 'Delete a contact list',
	description: 'Delete a contact list with all contacts in it. This cannot be undone.',
	request: { method: 'DELETE', path: '/api/v1/contactlists/{contactListId}' },
	fields: [contactListId],
	repeatable: true,
	output: writtenTo({ ContactListId: 'contactListId' }),
	yields: { success: 'boolean', ContactListId: 'string', Message: 'string' },
};
