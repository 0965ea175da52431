import { operation } from '../../engine/operation';
import { contactListShape, writeOutput } from '../records';
import { name } from './fields';

export const create = operation({
	name: 'Create',
	action: 'Create a contact list',
	description: 'Create a contact list',
	request: 'POST /api/v1/contactlists',
	fields: { name },
	effect: 'the list was created',
	requiredContent: 'record',
	output: (response, { name: Name }) => writeOutput(response, 'ContactListId', { Name }),
	...contactListShape,
});
