import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { pagingByRecordId } from '../paging';
import { optionGroupShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many option groups',
	description: "List an event's option groups, such as workshops or meals",
	request: 'GET /api/v1/events/{eventId}/registrationoptiongroups',
	fields: { eventId },
	idempotent: true,
	paging: pagingByRecordId('RegistrationOptionGroupId'),
	...optionGroupShape,
});
