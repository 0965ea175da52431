import { operation } from '../../engine/operation';
import { changedAfter, contactListId } from '../fields';
import { lists } from '../lists';
import { contactShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'List the contacts of a list',
	request: 'GET /api/v1/contactlists/{contactListId}/contacts',
	fields: {
		contactListId,
		filters: changedAfter('updatedAfter', 'Only contacts changed after this time'),
	},
	idempotent: true,
	paging: lists.contacts.paging,
	...contactShape,
});
