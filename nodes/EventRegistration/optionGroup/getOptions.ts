import { operation } from '../../engine/operation';
import { eventId, optionGroupId } from '../fields';
import { lists } from '../lists';
import { optionShape } from '../records';

export const getOptions = operation({
	name: 'Get Options',
	action: 'Get the options of a group',
	description: 'List the options of a group, with prices and availability',
	request: 'GET /api/v1/events/{eventId}/registrationoptiongroups/{groupId}',
	fields: { eventId, optionGroupId },
	idempotent: true,
	paging: lists.options.paging,
	...optionShape,
});
