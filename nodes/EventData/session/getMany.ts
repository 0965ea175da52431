import type { Operation } from '../../engine/operation';
import { eventId, filters, optional } from '../fields';
import { paging } from '../paging';

/** Lists sessions. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'List sessions, of all events or of one',
	request: { method: 'GET', path: '/sessions' },
	fields: [filters('Which sessions to list', [optional(eventId, 'query')])],
	repeatable: true,
	pages: paging,
};
