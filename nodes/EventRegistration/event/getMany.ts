import { operation } from '../../engine/operation';
import { changedAfter } from '../fields';
import { pagesBy } from '../paging';

/** Lists events. */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many events',
	description: 'List the events that your API key may see',
	request: 'GET /api/v1/events',
	fields: {
		filters: changedAfter('updatedAfter', 'Only events that were changed after this time'),
	},
	repeatable: true,
	pages: pagesBy('EventId'),
});
