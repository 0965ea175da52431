import { operation } from '../../engine/operation';
import { eventIdInQuery } from '../fields';
import { orderShape } from '../records';
import { orderId } from './fields';

export const get = operation({
	name: 'Get',
	action: 'Get an order',
	description: 'Get an order with its total, fee and tax',
	request: 'GET /api/v1/orders/{orderId}',
	fields: { eventId: eventIdInQuery, orderId },
	idempotent: true,
	...orderShape,
});
