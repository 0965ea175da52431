import { operation } from '../../engine/operation';
import { changedAfter, eventId } from '../fields';
import { pagesBy } from '../paging';
import { eventAttendanceShape } from '../records';

/** Lists who came to an event. */
export const getManyForEvent = operation({
	name: 'Get Many for Event',
	action: 'Get the attendance of an event',
	description: 'List who checked in to an event, and when they came and left',
	request: 'GET /api/v1/events/{eventId}/attendance',
	fields: {
		eventId,
		filters: changedAfter('lastUpdatedAfter', 'Only check-ins that were changed after this time'),
	},
	repeatable: true,
	pages: pagesBy('CheckInLogId'),
	...eventAttendanceShape,
});
