import { operation } from '../../engine/operation';
import { createdAfter } from '../fields';
import { pagesIdentifiedBy } from '../paging';
import { transactionShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List the payments and refunds of all events',
	request: 'GET /api/v1/transactions',
	fields: {
		filters: createdAfter('Only transactions created after this time'),
	},
	repeatable: true,
	pages: pagesIdentifiedBy('TransactionId'),
	...transactionShape,
});
