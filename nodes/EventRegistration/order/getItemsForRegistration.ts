import type { Operation } from '../../engine/operation';
import { idNumber } from '../../engine/values/convert';
import { eventIdInQuery, registrationId } from '../fields';
import { pagesBy } from '../paging';
import { orderItemShape } from '../records';

/** Lists everything that a registration has ordered. */
export const getItemsForRegistration: Operation = {
	name: 'Get Items for Registration',
	action: 'Get the ordered items of a registration',
	description: 'List everything that one registration has ever ordered',
	request: { method: 'POST', path: '/api/v1/orders/items/search' },
	fields: [
		eventIdInQuery,
		{ ...registrationId, target: { in: 'wholeBody', value: idNumber('Registration') } },
	],
	repeatable: true,
	pages: pagesBy('OrderItemId'),
	...orderItemShape,
};
