import { field } from '../../engine/field';
import { idNumber } from '../../engine/values/convert';

/** One order. There is no list to pick it from that a person could tell orders apart in. */
export const orderId = field({
	displayName: 'Order ID',
	name: 'orderId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 600017',
	description: 'The number of the order',
	read: idNumber('Order ID'),
	target: { in: 'path' },
});
