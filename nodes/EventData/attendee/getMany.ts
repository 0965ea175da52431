import { operation } from '../../engine/operation';
import { asFilter, eventId, filters } from '../fields';
import { paging } from '../paging';
import { status } from './status';

/** Lists attendees. */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many attendees',
	description: 'List attendees, of all events or of one',
	request: 'GET /attendees',
	fields: {
		filters: filters('Which attendees to list', [
			asFilter(eventId),
			status('query', 'Only attendees with this status'),
		]),
	},
	repeatable: true,
	pages: paging,
});
