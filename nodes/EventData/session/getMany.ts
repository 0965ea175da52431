import { operation } from '../../engine/operation';
import { asFilter, eventId, filters } from '../fields';
import { paging } from '../paging';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'List sessions of all events or one event',
	request: 'GET /sessions',
	fields: { filters: filters([asFilter(eventId)]) },
	idempotent: true,
	paging,
});
