import type { DemoEvent } from '../demoData';
import type { Act } from '../deskBus';
import { conflict, invalid } from './answers';
import { cents, fullName, iso } from './records';
import type { Sale, Transaction } from './records';
import type { Store } from './store';

/** A payment (above zero) or a refund (below). */
interface NewTransaction {
	orderId: number;
	amount: number;
	method?: string;
	memo?: string;
}

/** Books a payment or a refund. */
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

/** What a registration owes and what it has paid: a new order takes over what was paid for the one before. */
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

/** What the desk says of a payment or a refund; without an amount it is all there is. */
export interface PaymentInput {
	amount?: number;
	method?: string;
	memo?: string;
}

/** Takes money for an order: the amount, or what is due. */
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
	store.tell(act, `${who} paid ${transaction.TransactionAmount} ${event.currency}`, { event });
	return transaction;
}

/** Gives money back for an order, the way it came: the amount, or all that was paid. Never more than that. */
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
	store.tell(act, `${amount} ${event.currency} were given back to ${who}`, { event });
	return transaction;
}
