// Protects tests of contacts and orders: the API returns what was done at the desk, and no refund exceeds a payment.
import type { Json } from './eventClients';
import { simpleEventId, person, useRegistrationDesk } from './registrationDesk';

const { http, performAction, advanceClock, tryAction, readPath, register } = useRegistrationDesk();

describe('contacts at the desk', () => {
	it('are added, changed and removed, and the API returns them by the time of the change', async () => {
		const path = '/contactlists/7003/contacts';
		const list = { contactListId: 7003 };
		let since = advanceClock();
		const newContact = await performAction('addContact', { ...list, ...person });
		expect(await readPath(path, { updatedAfter: since })).toEqual([newContact]);
		expect(await readPath('/contactlists', { updatedAfter: since })).toHaveLength(1);
		since = advanceClock();
		const ids = { ...list, contactId: newContact.ContactId };
		const changedContact = await performAction('changeContact', {
			...ids,
			Organization: 'Gate & Sons',
		});
		expect(await readPath(path, { updatedAfter: since })).toEqual([changedContact]);
		expect(changedContact).toMatchObject({ ...person, DateAdded: newContact.DateAdded });
		await performAction('removeContact', ids);
		expect((await http.get(`${path}/${String(newContact.ContactId)}`)).status).toBe(404);
		expect((await tryAction('addContact', { ...list, FirstName: 'Kim' })).body.fields).toEqual({
			Email: ['The Email address field is required.'],
		});
	});
});

describe('orders at the desk', () => {
	const searchOrders = (addedAfter: string) =>
		http.post<Json[]>('/orders/search', simpleEventId, { params: { addedAfter } });
	const readTransactions = async (addedAfter: string) => [
		(await http.post<Json[]>('/transactions/search', simpleEventId, { params: { addedAfter } }))
			.data,
		await readPath<Json[]>('/transactions', { addedAfter }),
	];

	it('are placed, paid later and refunded in parts, up to the amount that was paid', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = advanceClock();
		const order = await performAction('order', {
			eventId: simpleEventId,
			registrationId,
			PaymentAmount: 0,
			RegistrationOptions: [{ RegistrationOptionId: 41301 }],
		});
		const { TransactionId, ...shownOrder } = order;
		expect(TransactionId).toBeNull();
		expect((await searchOrders(since)).data).toEqual([shownOrder]);
		expect(await readTransactions(since)).toEqual([[], []]);

		const ids = { eventId: simpleEventId, orderId: order.OrderId };
		const payment = await performAction('pay', { ...ids, method: 'Invoice' });
		expect(payment).toMatchObject({
			TransactionType: 'Payment',
			TransactionAmount: order.OrderTotal,
			Currency: 'DKK',
		});
		expect(await readTransactions(since)).toEqual([[payment], [payment]]);
		expect((await tryAction('pay', ids)).body.error).toBe('Everything is paid already.');

		const sinceRefunds = advanceClock();
		expect(payment).toMatchObject({ PaymentMethod: 'Invoice' });
		const partialRefund = await performAction('refund', { ...ids, amount: 0.1, memo: 'Sorry' });
		expect(partialRefund).toMatchObject({
			PaymentMethod: 'Invoice',
			TransactionType: 'Refund',
			TransactionAmount: -0.1,
			Memo: 'Sorry',
		});
		const refundableAmount = Math.round(((order.OrderTotal as number) - 0.1) * 100) / 100;
		const excessiveRefund = await tryAction('refund', { ...ids, amount: refundableAmount + 0.01 });
		expect(excessiveRefund.body.error).toBe(`At most ${refundableAmount} DKK can be given back.`);
		const fullRefund = await performAction('refund', ids);
		expect(fullRefund.TransactionAmount).toBe(-refundableAmount);
		expect(await readTransactions(sinceRefunds)).toEqual([
			[partialRefund, fullRefund],
			[partialRefund, fullRefund],
		]);
		expect((await tryAction('refund', ids)).status).toBe(409);
	});
});
