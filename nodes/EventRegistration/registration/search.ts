import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { lists } from '../lists';
import { registrationShape } from '../records';
import { registrationCriteria } from '../search';

export const search = operation({
	name: 'Search',
	action: 'Search registrations',
	description: 'Find registrations by email, type, form field or time of change',
	request: 'POST /api/v1/events/{eventId}/registrations/search',
	body: 'json',
	fields: { eventId, ...registrationCriteria },
	idempotent: true,
	readOnly: true,
	paging: lists.registrations.paging,
	...registrationShape,
});
