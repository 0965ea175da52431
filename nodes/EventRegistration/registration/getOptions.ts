import { operation } from '../../engine/operation';
import { eventId, registrationId } from '../fields';
import { pagingByRecordId } from '../paging';
import { orderItemShape } from '../records';

export const getOptions = operation({
	name: 'Get Options',
	action: 'Get the options of a registration',
	description: 'List what a registration includes, such as tickets, workshops or meals',
	request: 'GET /api/v1/events/{eventId}/registrations/{registrationId}/options',
	fields: { eventId, registrationId },
	idempotent: true,
	paging: pagingByRecordId('OrderItemId'),
	...orderItemShape,
});
