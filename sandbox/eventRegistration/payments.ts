import type { DemoEvent } from '../demoData';
import type { WriteContext } from '../deskBus';
import { roundToCents, formatFullName, toIsoTime } from './records';
import type { OrderWithItems, Transaction } from './records';
import { conflict, invalid } from './responses';
import type { Store } from './store';

/** A payment (positive) or a refund (negative). */
interface NewTransaction {
	orderId: number;
	amount: number;
	method?: string;
	memo?: string;
}

/** Records a payment or a refund. */
export function addTransaction(
	store: Store,
	event: DemoEvent,
	{ orderId, amount, method = 'Credit Card', memo = '' }: NewTransaction,
	context: WriteContext,
): Transaction {
	const id = store.newId('transaction');
	const transaction = {
		TransactionId: id,
		OrderId: orderId,
		EventId: event.id,
		Id: String(id),
		TransactionType: amount > 0 ? 'Payment' : 'Refund',
		TransactionAmount: amount,
		TransactionDate: toIsoTime(context.now),
		Currency: event.currency,
		PaymentMethod: method,
		Memo: memo,
	};
	store.transactions.add(event.index, transaction);
	return transaction;
}

/** Returns the amounts due and paid of a registration: payments for a replaced order count for the new one. */
export function computeBalance(store: Store, event: DemoEvent, registrationId: number) {
	const sales = store.listOrders(event, registrationId);
	const orderIds = new Set(sales.map(({ order }) => order.OrderId));
	const transactions = store.transactions
		.list(event.index)
		.filter(({ OrderId }) => orderIds.has(OrderId));
	const paid = roundToCents(
		transactions.reduce((sum, { TransactionAmount: amount }) => sum + amount, 0),
	);
	const total = sales.at(-1)?.order.OrderTotal ?? 0;
	return { sales, transactions, total, paid, due: roundToCents(total - paid) };
}

/** Input of a payment or a refund; the default amount is the whole balance. */
export interface PaymentInput {
	amount?: number;
	method?: string;
	memo?: string;
}

/** Records a payment for an order: the given amount, or the amount due. */
export function recordPayment(
	store: Store,
	event: DemoEvent,
	{ order }: OrderWithItems,
	input: PaymentInput,
	context: WriteContext,
): Transaction {
	const { due } = computeBalance(store, event, order.RegistrationId);
	const amount = roundToCents(input.amount ?? due);
	if (amount <= 0) throw conflict('Everything is paid already.');
	const transaction = addTransaction(
		store,
		event,
		{ ...input, orderId: order.OrderId, amount },
		context,
	);
	const name = formatFullName(store.getRegistration(event, order.RegistrationId));
	store.publish(context, `${name} paid ${transaction.TransactionAmount} ${event.currency}`, {
		event,
	});
	return transaction;
}

/**
 * Records a refund for an order with the method of its payment: the given amount, or the total paid. Never refunds more than
 * the total paid.
 */
export function recordRefund(
	store: Store,
	event: DemoEvent,
	{ order }: OrderWithItems,
	input: PaymentInput,
	context: WriteContext,
): Transaction {
	const { paid, transactions } = computeBalance(store, event, order.RegistrationId);
	const amount = roundToCents(input.amount ?? paid);
	const method = transactions.findLast(({ TransactionAmount: value }) => value > 0)?.PaymentMethod;
	if (paid <= 0) throw conflict('Nothing is paid that could be given back.');
	if (amount > paid) {
		throw invalid({ amount: [`At most ${paid} ${event.currency} can be given back.`] });
	}
	const transaction = addTransaction(
		store,
		event,
		{ method, ...input, orderId: order.OrderId, amount: -amount },
		context,
	);
	const name = formatFullName(store.getRegistration(event, order.RegistrationId));
	store.publish(context, `${amount} ${event.currency} were given back to ${name}`, { event });
	return transaction;
}
