import type { Operation } from '../../engine/operation';
import { changedAfter } from '../fields';
import { pagesBy } from '../paging';

/** Lists transactions of all events. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List the payments and refunds of all events',
	request: { method: 'GET', path: '/api/v1/transactions' },
	fields: [changedAfter('addedAfter', 'Only transactions that were added after this time')],
	repeatable: true,
	pages: pagesBy('TransactionId'),
};
