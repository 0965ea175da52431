import { atDesk, doAtDesk } from './deskClient';
import { readAll, useEventRegistration } from './eventClients';
import type { Json } from './eventClients';

const { sandbox, http } = useEventRegistration();

// The third form demands company and country, the fourth does not; the last but four is yet to come.
const [demanding, easy, past] = [1003, 1004, 1001];
const person = { FirstName: 'Đức', LastName: "N'Dour", Email: 'duc@ndour.example' };
const service = 'eventRegistration';

/** Moves the clock: what follows is later than everything before, and the time is known to the millisecond. */
function later(): string {
	sandbox.clock.advance(5000);
	return new Date(sandbox.clock.now() - 1).toISOString();
}
const act = <T = Json>(action: string, input: unknown) =>
	doAtDesk<T>(sandbox, service, action, input);
const refusal = (action: string, input: unknown) => atDesk(sandbox, service, action, input);
const get = async <T = Json>(path: string, params: Json = {}) =>
	(await http.get<T>(path, { params })).data;
const register = (more: Json = {}) => act('register', { eventId: easy, ...person, ...more });

describe('registering a person', () => {
	it('is visible in reads, searches and counts of the API', async () => {
		const { RegistrationCount } = await get(`/events/${easy}`);
		const since = later();
		const made = await register({ CustomFields: [{ Name: 'Diet', Value: 'Vegan' }] });
		expect(made).toMatchObject({ ...person, RegistrationStatus: 'Confirmed' });
		expect(await get(`/events/${easy}/registrations/${String(made.RegistrationId)}`)).toEqual(made);
		const found = await get(`/events/${easy}/registrations`, { lastUpdatedAfter: since });
		expect(found).toEqual([made]);
		expect(made.RegistrationDate).toBe(made.LastUpdated);
		expect(await get(`/events/${easy}`)).toMatchObject({
			RegistrationCount: (RegistrationCount as number) + 1,
		});
	});

	it('accepts and rejects the same as the API', async () => {
		const bodies: Json[] = [
			{},
			{ ...person, Email: 'duc' },
			{ ...person, RegistrationTypeId: 2001 },
			{ ...person, CustomFields: [{ Name: 'Shoe', Value: '44' }] },
		];
		for (const body of bodies) {
			const { data } = await http.post<Json>(`/events/${demanding}/registrations`, body);
			const { status, body: said } = await refusal('register', { eventId: demanding, ...body });
			expect(status).toBe(400);
			expect(said.fields).toEqual(data.ModelState);
		}
	});

	it('names every missing field in a readable message', async () => {
		const { body } = await refusal('register', { eventId: demanding, ...person });
		expect(body).toEqual({
			error:
				'The Company or organization field is required. The Country of residence field is required.',
			fields: {
				'CustomFields.Company': ['The Company or organization field is required.'],
				'CustomFields.Country': ['The Country of residence field is required.'],
			},
		});
	});
});

describe('changing a registration', () => {
	it('keeps unnamed fields, and is found by its time', async () => {
		const made = await register({ MobilePhone: '+15550100' });
		const since = later();
		const ids = { eventId: easy, registrationId: made.RegistrationId };
		const changed = await act('changeRegistration', { ...ids, FirstName: 'Duc' });
		expect(changed).toEqual({ ...made, FirstName: 'Duc', LastUpdated: expect.any(String) });
		expect((changed.LastUpdated as string) > since).toBe(true);
		expect(await get(`/events/${easy}/registrations`, { lastUpdatedAfter: since })).toEqual([
			changed,
		]);
	});

	it('cancels', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = later();
		const ids = { eventId: easy, registrationId };
		await act('setRegistrationStatus', { ...ids, status: 'Cancelled' });
		const [found, ...others] = await get<Json[]>(`/events/${easy}/registrations`, {
			lastUpdatedAfter: since,
		});
		expect(found).toMatchObject({
			RegistrationId: registrationId,
			RegistrationStatus: 'Cancelled',
		});
		expect(others).toEqual([]);
		expect(await refusal('checkIn', ids)).toMatchObject({
			status: 409,
			body: { error: "The registration of Đức N'Dour is canceled." },
		});
	});
});

describe('the door', () => {
	it.each([
		['the event', () => ({}), `/events/${easy}/attendance`],
		['a session', () => ({ sessionId: 3049 }), `/events/${easy}/attendance/3049`],
	])('of %s checks people in and out, and in again', async (_place, more, path) => {
		const { RegistrationId: registrationId } = await register();
		const ids = { eventId: easy, registrationId, ...more() };
		const before = await readAll(http, path);
		const since = later();
		const came = await act('checkIn', ids);
		expect(came).toMatchObject({ ...person, CheckOutDateTime: null });
		expect((came.CheckInDateTime as string) > since).toBe(true);
		expect(await get(path, { lastUpdatedAfter: since })).toEqual([came]);
		expect((await refusal('checkIn', ids)).body.error).toBe("Đức N'Dour is checked in already.");

		const sinceThen = later();
		expect(await get(path, { lastUpdatedAfter: sinceThen })).toEqual([]);
		const left = await act('checkOut', ids);
		expect(left).toEqual({ ...came, CheckOutDateTime: expect.any(String) });
		expect((left.CheckOutDateTime as string) > sinceThen).toBe(true);
		expect(await get(path, { lastUpdatedAfter: sinceThen })).toEqual([left]);
		expect((await refusal('checkOut', ids)).status).toBe(409);

		const again = await act('checkIn', ids);
		expect(again.CheckInLogId).not.toBe(came.CheckInLogId);
		const after = await readAll(http, path);
		expect(after).toEqual([...before, left, again]);
	});

	it('of a session is separate from that of the event', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = later();
		await act('checkIn', { eventId: easy, registrationId, sessionId: 3050 });
		const all = { lastUpdatedAfter: since };
		expect(await get(`/events/${easy}/attendance`, all)).toEqual([]);
		expect(await get(`/events/${easy}/attendance/3049`, all)).toEqual([]);
		expect(await get(`/events/${easy}/attendance/3050`, all)).toHaveLength(1);
	});
});

describe('the program', () => {
	it('keeps the visitors of a session when another one is removed or added', async () => {
		const sessions = await get<Json[]>(`/events/${past}/sessions`);
		const path = (at: number) => `/events/${past}/attendance/${String(sessions[at]!.SessionId)}`;
		const before = await Promise.all([1, 2, 5].map((at) => readAll(http, path(at))));
		expect(before.every((list) => list.length > 0)).toBe(true);
		sandbox.reset();
		await act('removeSession', { eventId: past, sessionId: sessions[0]!.SessionId });
		expect((await http.get(path(0))).status).toBe(404);
		const after = await Promise.all([1, 2, 5].map((at) => readAll(http, path(at))));
		expect(after).toEqual(before);
	});

	it('accepts a new session without visitors, and changes it', async () => {
		const times = { StartDateTime: '2030-05-17T09:00:00Z', EndDateTime: '2030-05-17T10:00:00Z' };
		const made = await act('addSession', { eventId: easy, Title: 'Late addition', ...times });
		const path = `/events/${easy}/sessions/${String(made.SessionId)}`;
		expect(await get(path)).toEqual(made);
		expect(await get(`/events/${easy}/attendance/${String(made.SessionId)}`)).toEqual([]);
		const ids = { eventId: easy, sessionId: made.SessionId };
		await act('changeSession', { ...ids, Title: 'Moved' });
		expect(await get(path)).toEqual({ ...made, Title: 'Moved' });
		const bad = { ...ids, EndDateTime: '2030-05-17T08:00:00Z' };
		expect((await refusal('changeSession', bad)).body.error).toMatch(/later than the start/);
		expect(await get(path)).toEqual({ ...made, Title: 'Moved' });
	});
});

describe('events', () => {
	it('are changed, and found by that', async () => {
		const since = later();
		await act('changeEvent', { eventId: easy, Name: 'Renamed Days' });
		const [found, ...others] = await get<Json[]>('/events', { updatedAfter: since });
		expect(found).toMatchObject({ EventId: easy, Name: 'Renamed Days' });
		expect(others).toEqual([]);
	});

	it('that are moved keep what has happened: people, visits, sessions and orders', async () => {
		const paths = ['registrations', 'attendance', 'sessions', 'attendance/3001'].map(
			(path) => `/events/${past}/${path}`,
		);
		const read = async () => [
			...(await Promise.all(paths.map((path) => readAll(http, path)))),
			(await http.post<Json[]>('/orders/search', past)).data,
		];
		const before = await read();
		sandbox.reset();
		const dates = { StartDate: '2030-05-17T09:00:00Z', EndDate: '2030-05-18T17:00:00Z' };
		await act('changeEvent', { eventId: past, ...dates });
		expect(await read()).toEqual(before);
	});

	it('are created with a form of their own, and accept people', async () => {
		const since = later();
		const dates = { StartDate: '2030-05-17T09:00:00.000Z', EndDate: '2030-05-18T17:00:00.000Z' };
		const made = await act('addEvent', { Name: 'New Days', ...dates, TimeZoneOffset: '+02:00' });
		const eventId = made.EventId as number;
		expect(await get('/events', { updatedAfter: since })).toEqual([made]);
		expect(made).toMatchObject({ ...dates, RegistrationCount: 0, TimeZoneOffset: '+02:00' });
		for (const list of ['registrations', 'sessions', 'attendance'])
			expect(await get(`/events/${eventId}/${list}`)).toEqual([]);
		const form = await get(`/events/${eventId}/registrations/registrationform`);
		expect(Object.values(form)).toContain('Email');
		const CustomFields = ['Company', 'Country'].map((Name) => ({ Name, Value: 'x' }));
		const { RegistrationId } = await act('register', { eventId, ...person, CustomFields });
		expect(await get(`/events/${eventId}`)).toMatchObject({ RegistrationCount: 1 });
		await act('checkIn', { eventId, registrationId: RegistrationId });
		expect(await get(`/events/${eventId}/attendance`)).toHaveLength(1);
		expect(
			await get(`/events/${eventId - 1}/registrations/${String(RegistrationId)}`),
		).toMatchObject({ Message: 'The resource was not found.' });
	});
});

describe('contacts', () => {
	it('are added, changed and removed, and found by that', async () => {
		const path = '/contactlists/7003/contacts';
		const list = { contactListId: 7003 };
		let since = later();
		const made = await act('addContact', { ...list, ...person });
		expect(await get(path, { updatedAfter: since })).toEqual([made]);
		expect(await get('/contactlists', { updatedAfter: since })).toHaveLength(1);
		since = later();
		const ids = { ...list, contactId: made.ContactId };
		const changed = await act('changeContact', { ...ids, Organization: 'Gate & Sons' });
		expect(await get(path, { updatedAfter: since })).toEqual([changed]);
		expect(changed).toMatchObject({ ...person, DateAdded: made.DateAdded });
		await act('removeContact', ids);
		expect((await http.get(`${path}/${String(made.ContactId)}`)).status).toBe(404);
		expect((await refusal('addContact', { ...list, FirstName: 'Kim' })).body.fields).toEqual({
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
		expect((await refusal('pay', ids)).body.error).toBe('Everything is paid already.');

		const sinceThen = later();
		expect(paid).toMatchObject({ PaymentMethod: 'Invoice' });
		const part = await act('refund', { ...ids, amount: 0.1, memo: 'Sorry' });
		expect(part).toMatchObject({
			PaymentMethod: 'Invoice',
			TransactionType: 'Refund',
			TransactionAmount: -0.1,
			Memo: 'Sorry',
		});
		const rest = Math.round(((order.OrderTotal as number) - 0.1) * 100) / 100;
		const much = await refusal('refund', { ...ids, amount: rest + 0.01 });
		expect(much.body.error).toBe(`At most ${rest} DKK can be given back.`);
		const all = await act('refund', ids);
		expect(all.TransactionAmount).toBe(-rest);
		expect(await transactions(sinceThen)).toEqual([
			[part, all],
			[part, all],
		]);
		expect((await refusal('refund', ids)).status).toBe(409);
	});
});

it('the Date header and the time stamps use the same clock', async () => {
	sandbox.clock.advance(400 * 24 * 60 * 60 * 1000);
	const { LastUpdated } = await register();
	const { headers } = await http.get(`/events/${easy}/registrations?pageSize=1`);
	const date = Date.parse(String(headers.date));
	// The header has whole seconds.
	expect(date).toBeGreaterThanOrEqual(Math.floor(Date.parse(String(LastUpdated)) / 1000) * 1000);
	expect(date).toBeLessThanOrEqual(sandbox.clock.now());
});

it('actions in the same process have the same effect as over HTTP', () => {
	const made = sandbox.control(service, 'register', { eventId: easy, ...person }) as Json;
	const ids = { eventId: easy, registrationId: made.RegistrationId };
	expect(sandbox.control(service, 'checkIn', ids)).toMatchObject(person);
	expect(() => sandbox.control(service, 'checkIn', ids)).toThrow(/checked in already/);
});
