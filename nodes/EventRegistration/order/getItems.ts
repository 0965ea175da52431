import { operation } from '../../engine/operation';
import { eventIdInQuery } from '../fields';
import { pagingByRecordId } from '../paging';
import { orderItemShape } from '../records';
import { orderId } from './fields';

export const getItems = operation({
	name: 'Get Items',
	action: 'Get the items of an order',
	description: 'Get the line items of an order',
	request: 'GET /api/v1/orders/{orderId}/items',
	fields: { eventId: eventIdInQuery, orderId },
	idempotent: true,
	paging: pagingByRecordId('OrderItemId'),
	...orderItemShape,
});
