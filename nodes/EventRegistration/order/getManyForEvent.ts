import { operation } from '../../engine/operation';
import { createdAfter, eventIdAsBody } from '../fields';
import { lists } from '../lists';
import { orderShape } from '../records';

export const getManyForEvent = operation({
	name: 'Get Many for Event',
	action: 'Get many orders of an event',
	description: "List an event's orders",
	request: 'POST /api/v1/orders/search',
	fields: {
		eventId: eventIdAsBody,
		filters: createdAfter('Only orders created after this time'),
	},
	idempotent: true,
	readOnly: true,
	paging: lists.orders.paging,
	...orderShape,
});
