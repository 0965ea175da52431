import { operation } from '../../engine/operation';
import { eventIdInQuery } from '../fields';
import { orderId } from './fields';

/** Reads one order. */
export const get = operation({
	name: 'Get',
	action: 'Get an order',
	description: 'Look up one order: its sum, fee and tax',
	request: 'GET /api/v1/orders/{orderId}',
	fields: { eventId: eventIdInQuery, orderId },
	repeatable: true,
});
