import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../form/readForm';
import { fromUnits, toUnits } from './decimals';

/**
 * Adds up payments and refunds by currency, exactly. Refunds are positive in the result: services send them with either sign.
 * `unreadable` is the number of transactions whose amount is not a number; no sum contains them.
 */
export function totalsByCurrency(transactions: IDataObject[]): {
	byCurrency: IDataObject[];
	unreadable: number;
} {
	const currencies = new Map<string, { paid: bigint[]; refunded: bigint[] }>();
	let unreadable = 0;
	for (const { TransactionAmount, TransactionType, Currency } of transactions) {
		const amount = toUnits(TransactionAmount);
		if (amount === undefined) {
			unreadable++;
			continue;
		}
		const code = textOf(Currency).trim().toUpperCase();
		const amounts = currencies.get(code) ?? { paid: [], refunded: [] };
		currencies.set(code, amounts);
		if (isRefund(textOf(TransactionType), amount)) {
			amounts.refunded.push(amount < 0n ? -amount : amount);
		} else amounts.paid.push(amount);
	}
	const byCode = [...currencies].sort(([a], [b]) => (a < b ? -1 : 1));
	const byCurrency = byCode.map(([Currency, { paid, refunded }]) => ({
		Currency,
		payments: paid.length,
		paid: fromUnits(sumOf(paid)),
		refunds: refunded.length,
		refunded: fromUnits(sumOf(refunded)),
		net: fromUnits(sumOf(paid) - sumOf(refunded)),
	}));
	return { byCurrency, unreadable };
}

const sumOf = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * The type decides if it names a payment or a refund. A transaction of any other type is a refund if its amount is negative.
 */
const isRefund = (type: string, amount: bigint) =>
	/refund/i.test(type) || (amount < 0n && !/payment/i.test(type));
