import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { written } from '../records';
import { name } from './fields';

/** Renames a contact list. */
export const update = operation({
	name: 'Update',
	action: 'Update a contact list',
	description: 'Give a contact list another name',
	request: 'PATCH /api/v1/contactlists/{contactListId}',
	fields: {
		contactListId,
		name: { ...name, description: 'What the list is called from now on' },
	},
	once: 'the list was renamed',
	output: (answer, { contactListId: ContactListId, name: Name }) =>
		written(answer, 'ContactListId', { ContactListId, Name }),
	yields: { success: 'boolean', ContactListId: 'string', Name: 'string' },
});
