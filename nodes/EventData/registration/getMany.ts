import { operation } from '../../engine/operation';
import { asFilter, eventId, filters } from '../fields';
import { paging } from '../paging';
import { status } from './status';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many registrations',
	description: 'List registrations of all events or one event',
	request: 'GET /registrations',
	fields: {
		filters: filters([asFilter(eventId), status('query')]),
	},
	idempotent: true,
	paging,
});
