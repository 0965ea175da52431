import { operation } from '../../engine/operation';
import { changedAfter, eventIdAsBody } from '../fields';
import { pagesBy } from '../paging';

/** Lists the transactions of an event. */
export const getManyForEvent = operation({
	name: 'Get Many for Event',
	action: 'Get many transactions of an event',
	description: 'List the payments and refunds of one event',
	request: 'POST /api/v1/transactions/search',
	fields: {
		eventId: eventIdAsBody,
		filters: changedAfter('addedAfter', 'Only transactions that were added after this time'),
	},
	repeatable: true,
	pages: pagesBy('TransactionId'),
});
