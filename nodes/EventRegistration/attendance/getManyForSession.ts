import { operation } from '../../engine/operation';
import { changedAfter, eventId, sessionId } from '../fields';
import { pagesBy } from '../paging';
import { sessionAttendanceShape } from '../records';

/** Lists who came to a session. */
export const getManyForSession = operation({
	name: 'Get Many for Session',
	action: 'Get the attendance of a session',
	description: 'List who checked in to one session of an event, and when they came and left',
	request: 'GET /api/v1/events/{eventId}/attendance/{sessionId}',
	fields: {
		eventId,
		sessionId,
		filters: changedAfter('lastUpdatedAfter', 'Only check-ins that were changed after this time'),
	},
	repeatable: true,
	pages: pagesBy('CheckInLogId'),
	...sessionAttendanceShape,
});
