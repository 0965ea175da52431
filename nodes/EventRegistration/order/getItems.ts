import type { Operation } from '../../engine/operation';
import { eventIdInQuery } from '../fields';
import { pagesBy } from '../paging';
import { orderItemShape } from '../records';
import { orderId } from './fields';

/** Lists the items of an order. */
export const getItems: Operation = {
	name: 'Get Items',
	action: 'Get the items of an order',
	description: 'List what one order is made of',
	request: { method: 'GET', path: '/api/v1/orders/{orderId}/items' },
	fields: [eventIdInQuery, orderId],
	repeatable: true,
	pages: pagesBy('OrderItemId'),
	...orderItemShape,
};
