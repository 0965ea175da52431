import { operation } from '../../engine/operation';
import { changedAfter, eventId } from '../fields';
import { lists } from '../lists';
import { eventAttendanceShape } from '../records';

export const getManyForEvent = operation({
	name: 'Get Many for Event',
	action: 'Get many attendances of an event',
	description: 'List who checked in to an event. Match to registrations by ConfirmationCode.',
	request: 'GET /api/v1/events/{eventId}/attendance',
	fields: {
		eventId,
		filters: changedAfter('lastUpdatedAfter', 'Only check-ins changed after this time'),
	},
	idempotent: true,
	paging: lists.attendance.paging,
	...eventAttendanceShape,
});
