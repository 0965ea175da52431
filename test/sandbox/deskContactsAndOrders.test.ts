import type { Json } from './eventClients';
import { easy, person, useRegistrationDesk } from './registrationDesk';

const { http, act, later, rejection, get, register } = useRegistrationDesk();

describe('contacts', () => {
	it('are added, changed and removed, and found by the change', async () => {
		const path = '/contactlists/7003/contacts';
		const list = { contactListId: 7003 };
		let since = later();
		const newContact = await act('addContact', { ...list, ...person });
		expect(await get(path, { updatedAfter: since })).toEqual([newContact]);
		expect(await get('/contactlists', { updatedAfter: since })).toHaveLength(1);
		since = later();
		const ids = { ...list, contactId: newContact.ContactId };
		const changedContact = await act('changeContact', { ...ids, Organization: 'Gate & Sons' });
		expect(await get(path, { updatedAfter: since })).toEqual([changedContact]);
		expect(changedContact).toMatchObject({ ...person, DateAdded: newContact.DateAdded });
		await act('removeContact', ids);
		expect((await http.get(`${path}/${String(newContact.ContactId)}`)).status).toBe(404);
		expect((await rejection('addContact', { ...list, FirstName: 'Kim' })).body.fields).toEqual({
			Email: ['The Email address field is required.'],
		});
	});
});

describe('orders and payments', () => {
	const orders = (addedAfter: string) =>
		http.post<Json[]>('/orders/search', easy, { params: { addedAfter } });
	const transactions = async (addedAfter: string) => [
		(await http.post<Json[]>('/transactions/search', easy, { params: { addedAfter } })).data,
		await get<Json[]>('/transactions', { addedAfter }),
	];

	it('are placed, paid later, and refunded in parts, never more than was paid', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = later();
		const order = await act('order', {
			eventId: easy,
			registrationId,
			PaymentAmount: 0,
			RegistrationOptions: [{ RegistrationOptionId: 41301 }],
		});
		const { TransactionId, ...shown } = order;
		expect(TransactionId).toBeNull();
		expect((await orders(since)).data).toEqual([shown]);
		expect(await transactions(since)).toEqual([[], []]);

		const ids = { eventId: easy, orderId: order.OrderId };
		const paid = await act('pay', { ...ids, method: 'Invoice' });
		expect(paid).toMatchObject({
			TransactionType: 'Payment',
			TransactionAmount: order.OrderTotal,
			Currency: 'DKK',
		});
		expect(await transactions(since)).toEqual([[paid], [paid]]);
		expect((await rejection('pay', ids)).body.error).toBe('Everything is paid already.');

		const sinceThen = later();
		expect(paid).toMatchObject({ PaymentMethod: 'Invoice' });
		const part = await act('refund', { ...ids, amount: 0.1, memo: 'Sorry' });
		expect(part).toMatchObject({
			PaymentMethod: 'Invoice',
			TransactionType: 'Refund',
			TransactionAmount: -0.1,
			Memo: 'Sorry',
		});
		const amountDue = Math.round(((order.OrderTotal as number) - 0.1) * 100) / 100;
		const much = await rejection('refund', { ...ids, amount: amountDue + 0.01 });
		expect(much.body.error).toBe(`At most ${amountDue} DKK can be given back.`);
		const fullRefund = await act('refund', ids);
		expect(fullRefund.TransactionAmount).toBe(-amountDue);
		expect(await transactions(sinceThen)).toEqual([
			[part, fullRefund],
			[part, fullRefund],
		]);
		expect((await rejection('refund', ids)).status).toBe(409);
	});
});
