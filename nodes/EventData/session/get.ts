import type { Operation } from '../../engine/operation';
import { sessionId } from '../fields';

/** Reads one session. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a session',
	description: 'Look up one session',
	request: { method: 'GET', path: '/sessions/{sessionId}' },
	fields: [sessionId],
	repeatable: true,
};
