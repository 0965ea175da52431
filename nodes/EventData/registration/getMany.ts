import { operation } from '../../engine/operation';
import { asFilter, eventId, filters } from '../fields';
import { paging } from '../paging';
import { status } from './status';

/** Lists registrations. */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many registrations',
	description: 'List registrations, of all events or of one',
	request: 'GET /registrations',
	fields: {
		filters: filters('Which registrations to list', [
			asFilter(eventId),
			status('query', 'Only registrations with this status'),
		]),
	},
	repeatable: true,
	pages: paging,
});
