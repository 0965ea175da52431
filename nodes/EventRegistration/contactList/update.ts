import type { Operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { writtenTo } from '../records';
import { name } from './fields';

/** Renames a contact list. */
export const update: Operation = {
	name: 'Update',
	action: 'Update a contact list',
	description: 'Give a contact list another name',
	request: { method: 'PATCH', path: '/api/v1/contactlists/{contactListId}' },
	fields: [contactListId, { ...name, description: 'What the list is called from now on' }],
	effect: 'the list was renamed',
	output: writtenTo({ ContactListId: 'contactListId', Name: 'name' }),
	yields: { success: 'boolean', ContactListId: 'string', Name: 'string' },
};
