import type { Operation } from '../../engine/operation';
import { eventId, filters, optional } from '../fields';
import { paging } from '../paging';
import { status } from './status';

/** Lists attendees. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many attendees',
	description: 'List attendees, of all events or of one',
	request: { method: 'GET', path: '/attendees' },
	fields: [
		filters('Which attendees to list', [
			optional(eventId, 'query'),
			status('query', 'Only attendees with this status'),
		]),
	],
	repeatable: true,
	pages: paging,
};
