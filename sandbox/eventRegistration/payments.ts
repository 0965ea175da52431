import type { DemoEvent } from '../demoData';
import type { Act } from '../deskBus';
import { cents, fullName, iso } from './records';
import type { Sale, Transaction } from './records';
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
	act: Act,
): Transaction {
	const id = store.newId('transaction');
	const transaction = {
		TransactionId: id,
		OrderId: orderId,
		EventId: event.id,
		Id: String(id),
		TransactionType: amount > 0 ? 'Payment' : 'Refund',
		TransactionAmount: amount,
		TransactionDate: iso(act.now),
		Currency: event.currency,
		PaymentMethod: method,
		Memo: memo,
	};
	store.transactions.add(event.index, transaction);
	return transaction;
}

/** Returns the amounts due and paid of a registration: payments for a replaced order count for the new one. */
export function balanceOf(store: Store, event: DemoEvent, registrationId: number) {
	const sales = store.salesOf(event, registrationId);
	const orders = new Set(sales.map(({ order }) => order.OrderId));
	const transactions = store.transactions
		.list(event.index)
		.filter(({ OrderId }) => orders.has(OrderId));
	const paid = cents(transactions.reduce((sum, { TransactionAmount: of }) => sum + of, 0));
	const total = sales.at(-1)?.order.OrderTotal ?? 0;
	return { sales, transactions, total, paid, due: cents(total - paid) };
}

/** Input of a payment or a refund; the default amount is the whole balance. */
export interface PaymentInput {
	amount?: number;
	method?: string;
	memo?: string;
}

/** Records a payment for an order: the given amount, or the amount due. */
export function pay(
	store: Store,
	event: DemoEvent,
	{ order }: Sale,
	input: PaymentInput,
	act: Act,
): Transaction {
	const { due } = balanceOf(store, event, order.RegistrationId);
	const amount = cents(input.amount ?? due);
	if (amount <= 0) throw conflict('Everything is paid already.');
	const transaction = addTransaction(
		store,
		event,
		{ ...input, orderId: order.OrderId, amount },
		act,
	);
	const who = fullName(store.registration(event, order.RegistrationId));
	store.publish(act, `${who} paid ${transaction.TransactionAmount} ${event.currency}`, { event });
	return transaction;
}

/**
 * Records a refund for an order with the method of its payment: the given amount, or the total paid. Never more than that.
 */
export function refund(
	store: Store,
	event: DemoEvent,
	{ order }: Sale,
	input: PaymentInput,
	act: Act,
): Transaction {
	const { paid, transactions } = balanceOf(store, event, order.RegistrationId);
	const amount = cents(input.amount ?? paid);
	const method = transactions.findLast(({ TransactionAmount: of }) => of > 0)?.PaymentMethod;
	if (paid <= 0) throw conflict('Nothing is paid that could be given back.');
	if (amount > paid) {
		throw invalid({ amount: [`At most ${paid} ${event.currency} can be given back.`] });
	}
	const transaction = addTransaction(
		store,
		event,
		{ method, ...input, orderId: order.OrderId, amount: -amount },
		act,
	);
	const who = fullName(store.registration(event, order.RegistrationId));
	store.publish(act, `${amount} ${event.currency} were given back to ${who}`, { event });
	return transaction;
}
