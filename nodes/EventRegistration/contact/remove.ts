import type { Operation } from '../../engine/operation';
import { contactId, contactListId } from '../fields';
import { writtenTo } from '../records';

/** Removes a contact from a list. */
export const remove: Operation = {
	name: 'Remove',
	action: 'Remove a contact from a list',
	description: 'Take a contact out of a list',
	request: { method: 'DELETE', path: '/api/v1/contactlists/{contactListId}/contacts/{contactId}' },
	fields: [contactListId, contactId],
	repeatable: true,
	output: writtenTo({ ContactId: 'contactId', ContactListId: 'contactListId' }),
	yields: { success: 'boolean', ContactId: 'string', ContactListId: 'string', Message: 'string' },
};
