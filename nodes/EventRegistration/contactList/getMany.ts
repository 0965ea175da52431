import { operation } from '../../engine/operation';
import { changedAfter } from '../fields';
import { pagesBy } from '../paging';

/** Lists contact lists. */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many contact lists',
	description: 'List the contact lists of your organization',
	request: 'GET /api/v1/contactlists',
	fields: { filters: changedAfter('updatedAfter', 'Only lists that were changed after this time') },
	repeatable: true,
	pages: pagesBy('ContactListId'),
});
