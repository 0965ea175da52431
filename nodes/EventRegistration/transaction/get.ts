import type { Field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { locator } from '../../engine/panel/locator';
import { idNumberReader } from '../../engine/values/convert';
import { transactionShape } from '../records';

const transactionId: Field<'transactionId', number | bigint> = {
	...locator({
		displayName: 'Transaction',
		name: 'transactionId',
		list: 'searchTransactions',
		example: '700017',
		target: { in: 'path' },
	}),
	read: idNumberReader('Transaction'),
};

export const get = operation({
	name: 'Get',
	action: 'Get a transaction',
	description: 'Get a payment or refund',
	request: 'GET /api/v1/transactions/{transactionId}',
	fields: { transactionId },
	idempotent: true,
	...transactionShape,
});
