import { operation } from '../../engine/operation';
import { createdAfter } from '../fields';
import { lists } from '../lists';
import { transactionShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List the payments and refunds of all events',
	request: 'GET /api/v1/transactions',
	fields: {
		filters: createdAfter('Only transactions created after this time'),
	},
	idempotent: true,
	paging: lists.transactions.paging,
	...transactionShape,
});
