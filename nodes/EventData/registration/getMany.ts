import type { Operation } from '../../engine/operation';
import { eventId, filters, optional } from '../fields';
import { paging } from '../paging';
import { status } from './status';

/** Lists registrations. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many registrations',
	description: 'List registrations, of all events or of one',
	request: { method: 'GET', path: '/registrations' },
	fields: [
		filters('Which registrations to list', [
			optional(eventId, 'query'),
			status('query', 'Only registrations with this status'),
		]),
	],
	repeatable: true,
	pages: paging,
};
