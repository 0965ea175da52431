import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { lists } from '../lists';
import { registrationTypeShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many registration types',
	description: "List an event's registration types, such as attendee or speaker",
	request: 'GET /api/v1/events/{eventId}/registrationtypes',
	fields: { eventId },
	idempotent: true,
	paging: lists.registrationTypes.paging,
	...registrationTypeShape,
});
