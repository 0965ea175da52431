import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { lists } from '../lists';
import { optionGroupShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many option groups',
	description: "List an event's option groups, such as workshops or meals",
	request: 'GET /api/v1/events/{eventId}/registrationoptiongroups',
	fields: { eventId },
	idempotent: true,
	paging: lists.optionGroups.paging,
	...optionGroupShape,
});
