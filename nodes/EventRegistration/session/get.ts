import { operation } from '../../engine/operation';
import { eventId, sessionId } from '../fields';
import { sessionShape } from '../records';

export const get = operation({
	name: 'Get',
	action: 'Get a session',
	description: 'Get a session with its title, start and end',
	request: 'GET /api/v1/events/{eventId}/sessions/{sessionId}',
	fields: { eventId, sessionId },
	idempotent: true,
	...sessionShape,
});
