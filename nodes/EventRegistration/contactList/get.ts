import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { contactListShape } from '../records';

export const get = operation({
	name: 'Get',
	action: 'Get a contact list',
	description: 'Get a contact list with its name and number of contacts',
	request: 'GET /api/v1/contactlists/{contactListId}',
	fields: { contactListId },
	idempotent: true,
	...contactListShape,
});
