import type { Operation } from '../../engine/operation';
import { eventIdInQuery } from '../fields';
import { orderId } from './fields';

/** Reads one order. */
export const get: Operation = {
	name: 'Get',
	action: 'Get an order',
	description: 'Look up one order: its sum, fee and tax',
	request: { method: 'GET', path: '/api/v1/orders/{orderId}' },
	fields: [eventIdInQuery, orderId],
	repeatable: true,
};
