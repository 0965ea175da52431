import { operation } from '../../engine/operation';
import { attendeeId } from '../fields';
import { recordWithId } from '../paging';

export const get = operation({
	name: 'Get',
	action: 'Get an attendee',
	description: 'Get an attendee by ID',
	request: 'GET /attendees/{attendeeId}',
	fields: { attendeeId },
	idempotent: true,
	...recordWithId,
});
