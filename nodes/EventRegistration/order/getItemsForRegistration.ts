import type { Field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { idNumberReader } from '../../engine/values/convert';
import { eventIdInQuery, registrationId } from '../fields';
import { pagingByRecordId } from '../paging';
import { orderItemShape } from '../records';

/** The registration, if its numeric ID is the whole body of the request. */
const registrationIdAsBody: Field<'registrationId', number | bigint> = {
	...registrationId,
	read: idNumberReader('Registration'),
	target: { in: 'wholeBody' },
};

export const getItemsForRegistration = operation({
	name: 'Get Items for Registration',
	action: 'Get the ordered items of a registration',
	description: 'List everything a registration has ordered',
	request: 'POST /api/v1/orders/items/search',
	fields: { eventId: eventIdInQuery, registrationId: registrationIdAsBody },
	idempotent: true,
	readOnly: true,
	paging: pagingByRecordId('OrderItemId'),
	...orderItemShape,
});
