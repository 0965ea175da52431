import { operation } from '../../engine/operation';
import { changedAfter, eventId } from '../fields';
import { lists } from '../lists';
import { registrationShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many registrations',
	description: 'List the registrations of an event',
	request: 'GET /api/v1/events/{eventId}/registrations',
	fields: {
		eventId,
		filters: changedAfter('lastUpdatedAfter', 'Only registrations changed after this time'),
	},
	idempotent: true,
	paging: lists.registrations.paging,
	...registrationShape,
});
