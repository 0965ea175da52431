import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { recordWithId } from '../paging';

export const get = operation({
	name: 'Get',
	action: 'Get an event',
	description: 'Get an event by ID',
	request: 'GET /events/{eventId}',
	fields: { eventId },
	idempotent: true,
	...recordWithId,
});
