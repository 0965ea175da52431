import type { Operation } from '../../engine/operation';
import { total } from '../total';

/** Lists events, page by page. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many events',
	description: 'List events, all of them or those in one state',
	request: { method: 'GET', path: '/events' },
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			description: 'Which events to list',
			options: [
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
			],
		},
	],
	repeatable: true,
	pages: { page: 'page', identify: ({ id }) => id, total },
};
