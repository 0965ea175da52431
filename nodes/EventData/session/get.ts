import { operation } from '../../engine/operation';
import { sessionId } from '../fields';

/** Reads one session. */
export const get = operation({
	name: 'Get',
	action: 'Get a session',
	description: 'Look up one session',
	request: 'GET /sessions/{sessionId}',
	fields: { sessionId },
	repeatable: true,
});
