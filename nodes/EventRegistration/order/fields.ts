import type { Field } from '../../engine/operation';
import { idNumber } from '../../engine/values/convert';

/** One order. There is no list to pick it from that a person could tell orders apart in. */
export const orderId: Field = {
	displayName: 'Order ID',
	name: 'orderId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 600017',
	description: 'The number of the order',
	target: { in: 'path', value: idNumber('Order ID') },
};
