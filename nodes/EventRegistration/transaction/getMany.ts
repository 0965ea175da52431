import { operation } from '../../engine/operation';
import { changedAfter } from '../fields';
import { pagesBy } from '../paging';

/** Lists transactions of all events. */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List the payments and refunds of all events',
	request: 'GET /api/v1/transactions',
	fields: {
		filters: changedAfter('addedAfter', 'Only transactions that were added after this time'),
	},
	repeatable: true,
	pages: pagesBy('TransactionId'),
});
