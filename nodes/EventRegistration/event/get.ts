import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { eventShape } from '../records';

export const get = operation({
	name: 'Get',
	action: 'Get an event',
	description: 'Get an event with its dates and number of registrations',
	request: 'GET /api/v1/events/{eventId}',
	fields: { eventId },
	idempotent: true,
	...eventShape,
});
