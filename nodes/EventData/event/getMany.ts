import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { filters } from '../fields';
import { paging } from '../paging';

const status = field({
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Ongoing', value: 'ongoing' },
		{ name: 'Past', value: 'past' },
		{ name: 'Upcoming', value: 'upcoming' },
	],
	default: 'upcoming',
	description: 'Only events in this state',
	target: { in: 'query' },
});

/** Lists events, page by page. */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many events',
	description: 'List events, all of them or those in one state',
	request: 'GET /events',
	fields: { filters: filters('Which events to list', [status]) },
	repeatable: true,
	pages: { ...paging, page: 'page' },
});
