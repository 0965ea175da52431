import { operation } from '../../engine/operation';
import { createdAfter, eventIdAsBody } from '../fields';
import { lists } from '../lists';
import { transactionShape } from '../records';

export const getManyForEvent = operation({
	name: 'Get Many for Event',
	action: 'Get many transactions of an event',
	description: 'List the payments and refunds of an event',
	request: 'POST /api/v1/transactions/search',
	fields: {
		eventId: eventIdAsBody,
		filters: createdAfter('Only transactions created after this time'),
	},
	idempotent: true,
	readOnly: true,
	paging: lists.eventTransactions.paging,
	...transactionShape,
});
