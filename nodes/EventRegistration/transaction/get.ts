import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { idNumber } from '../../engine/values/convert';

const transactionId = field({
	displayName: 'Transaction ID',
	name: 'transactionId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 700017',
	description: 'The number of the payment or refund',
	read: idNumber('Transaction ID'),
	target: { in: 'path' },
});

/** Reads one transaction. */
export const get = operation({
	name: 'Get',
	action: 'Get a transaction',
	description: 'Look up one payment or refund',
	request: 'GET /api/v1/transactions/{transactionId}',
	fields: { transactionId },
	repeatable: true,
});
