import { operation } from '../../engine/operation';
import { asFilter, eventId, filters } from '../fields';
import { paging } from '../paging';
import { status } from './status';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many attendees',
	description: 'List attendees of all events or one event',
	request: 'GET /attendees',
	fields: {
		filters: filters([asFilter(eventId), status('query')]),
	},
	idempotent: true,
	paging,
});
