import { operation } from '../../engine/operation';
import { changedAfter, eventIdAsBody } from '../fields';
import { pagesBy } from '../paging';

/** Lists the orders of an event. */
export const getManyForEvent = operation({
	name: 'Get Many for Event',
	action: 'Get many orders of an event',
	description: 'List the orders of an event, all of them or those that are new',
	request: 'POST /api/v1/orders/search',
	fields: {
		eventId: eventIdAsBody,
		filters: changedAfter('addedAfter', 'Only orders that were added after this time'),
	},
	repeatable: true,
	pages: pagesBy('OrderId'),
});
