import type { Operation } from '../../engine/operation';
import { written } from '../records';
import { name } from './fields';

/** Makes an empty contact list. */
export const create: Operation = {
	name: 'Create',
	action: 'Create a contact list',
	description: 'Make a new, empty contact list',
	request: { method: 'POST', path: '/api/v1/contactlists' },
	fields: [name],
	effect: 'the list was created',
	output: (answer, call) =>
		written(answer, 'ContactListId', { Name: call.field('name') as string }),
	yields: {
		ContactListId: 'integer',
		Id: 'string',
		Name: 'string',
		ContactCount: 'integer',
		LastUpdated: 'string',
	},
};
