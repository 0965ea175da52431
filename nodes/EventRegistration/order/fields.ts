import type { Field } from '../../engine/field';
import { locator } from '../../engine/panel/locator';
import { idNumberReader } from '../../engine/values/convert';

export const orderId: Field<'orderId', number | bigint> = {
	...locator({
		displayName: 'Order',
		name: 'orderId',
		list: 'searchOrders',
		example: '600017',
		target: { in: 'path' },
		within: 'eventId',
	}),
	read: idNumberReader('Order'),
};
