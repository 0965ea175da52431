import type { Operation } from '../../engine/operation';
import { filters } from '../fields';
import { paging } from '../paging';

/** Lists events, page by page. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many events',
	description: 'List events, all of them or those in one state',
	request: { method: 'GET', path: '/events' },
	fields: [
		filters('Which events to list', [
			{
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
			},
		]),
	],
	repeatable: true,
	pages: { ...paging, page: 'page' },
};
