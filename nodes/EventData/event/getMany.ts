import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { filters } from '../fields';
import { eventPaging } from '../paging';

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
	target: { in: 'query' },
});

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many events',
	description: 'List all events, or only upcoming, ongoing or past ones',
	request: 'GET /events',
	fields: { filters: filters([status]) },
	idempotent: true,
	paging: eventPaging,
});
