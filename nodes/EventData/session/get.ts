import { operation } from '../../engine/operation';
import { sessionId } from '../fields';
import { recordWithId } from '../paging';

export const get = operation({
	name: 'Get',
	action: 'Get a session',
	description: 'Get a session by ID',
	request: 'GET /sessions/{sessionId}',
	fields: { sessionId },
	idempotent: true,
	...recordWithId,
});
