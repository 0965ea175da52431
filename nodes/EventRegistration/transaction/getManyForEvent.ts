import type { Operation } from '../../engine/operation';
import { changedAfter, eventIdAsBody } from '../fields';
import { pagesBy } from '../paging';

/** Lists the transactions of an event. */
export const getManyForEvent: Operation = {
	name: 'Get Many for Event',
	action: 'Get many transactions of an event',
	description: 'List the payments and refunds of one event',
	request: { method: 'POST', path: '/api/v1/transactions/search' },
	fields: [
		eventIdAsBody,
		changedAfter('addedAfter', 'Only transactions that were added after this time'),
	],
	repeatable: true,
	pages: pagesBy('TransactionId'),
};
