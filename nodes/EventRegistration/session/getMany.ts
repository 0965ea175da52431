import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { pagesIdentifiedBy } from '../paging';
import { sessionShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'List the sessions of an event',
	request: 'GET /api/v1/events/{eventId}/sessions',
	fields: { eventId },
	repeatable: true,
	pages: pagesIdentifiedBy('SessionId'),
	...sessionShape,
});
