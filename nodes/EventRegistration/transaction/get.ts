import type { Operation } from '../../engine/operation';
import { idNumber } from '../../engine/values/convert';

/** Reads one transaction. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a transaction',
	description: 'Look up one payment or refund',
	request: { method: 'GET', path: '/api/v1/transactions/{transactionId}' },
	fields: [
		{
			displayName: 'Transaction ID',
			name: 'transactionId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 700017',
			description: 'The number of the payment or refund',
			target: { in: 'path', value: idNumber('Transaction ID') },
		},
	],
	repeatable: true,
};
