import { operation } from '../../engine/operation';
import { changedAfter } from '../fields';
import { lists } from '../lists';
import { contactListShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many contact lists',
	description: 'List your contact lists',
	request: 'GET /api/v1/contactlists',
	fields: { filters: changedAfter('updatedAfter', 'Only lists changed after this time') },
	idempotent: true,
	paging: lists.contactLists.paging,
	...contactListShape,
});
