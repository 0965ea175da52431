import { operation } from '../../engine/operation';
import { eventId, registrationId } from '../fields';
import { pagesIdentifiedBy } from '../paging';
import { orderItemShape } from '../records';

export const getOptions = operation({
	name: 'Get Options',
	action: 'Get the options of a registration',
	description: 'List what a registration includes, such as tickets, workshops or meals',
	request: 'GET /api/v1/events/{eventId}/registrations/{registrationId}/options',
	fields: { eventId, registrationId },
	repeatable: true,
	pages: pagesIdentifiedBy('OrderItemId'),
	...orderItemShape,
});
