import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { contactListShape, writeOutput } from '../records';
import { name } from './fields';

export const update = operation({
	name: 'Update',
	action: 'Update a contact list',
	description: 'Rename a contact list',
	request: 'PATCH /api/v1/contactlists/{contactListId}',
	fields: {
		contactListId,
		name,
	},
	effect: 'the list was renamed',
	output: (response, { contactListId: ContactListId, name: Name }) =>
		writeOutput(response, 'ContactListId', { ContactListId, Name }),
	...contactListShape,
});
