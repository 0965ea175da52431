import { operation } from '../../engine/operation';
import { changedAfter, eventId, sessionId } from '../fields';
import { lists } from '../lists';
import { sessionAttendanceShape } from '../records';

export const getManyForSession = operation({
	name: 'Get Many for Session',
	action: 'Get many attendances of a session',
	description: 'List who checked in to a session. Match to registrations by ConfirmationCode.',
	request: 'GET /api/v1/events/{eventId}/attendance/{sessionId}',
	fields: {
		eventId,
		sessionId,
		filters: changedAfter('lastUpdatedAfter', 'Only check-ins changed after this time'),
	},
	idempotent: true,
	paging: lists.sessionAttendance.paging,
	...sessionAttendanceShape,
});
