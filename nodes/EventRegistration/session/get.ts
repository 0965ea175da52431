import { operation } from '../../engine/operation';
import { eventId, sessionId } from '../fields';

/** Reads one session. */
export const get = operation({
	name: 'Get',
	action: 'Get a session',
	description: 'Look up one session of an event: its title, start and end',
	request: 'GET /api/v1/events/{eventId}/sessions/{sessionId}',
	fields: { eventId, sessionId },
	repeatable: true,
});
