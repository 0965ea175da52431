import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { lists } from '../lists';
import { sessionShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'List the sessions of an event',
	request: 'GET /api/v1/events/{eventId}/sessions',
	fields: { eventId },
	idempotent: true,
	paging: lists.sessions.paging,
	...sessionShape,
});
