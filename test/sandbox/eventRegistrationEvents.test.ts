// Protects tests of reads of events: attendance, sessions, orders and transactions of the sandbox agree with each other.
import type { AxiosInstance } from 'axios';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { readAll, registrationClient } from './eventClients';
import type { Json } from './eventClients';

let sandbox: Sandbox;
let http: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox();
	http = registrationClient(sandbox);
});
afterEach(() => expect(sandbox.internalErrors).toEqual([]));
afterAll(() => sandbox.close());

const pastEvent = '/events/1004';
const upcomingEvent = '/events/1014';

describe('events', () => {
	it('have counts that add up to the registrations of the sandbox, and end after they start', async () => {
		const events = await readAll(http, '/events');
		const counts = events.map(({ RegistrationCount }) => RegistrationCount as number);
		expect(counts.reduce((a, b) => a + b)).toBe(5000);
		expect((await http.get('/events/1004')).data).toEqual(events[3]);
		for (const { StartDate, EndDate } of events) {
			expect((StartDate as string) < (EndDate as string)).toBe(true);
		}
	});
});

describe('the attendance list', () => {
	it('of a past event contains people who are registered and confirmed', async () => {
		const attendance = await readAll(http, `${pastEvent}/attendance`);
		const registrations = await readAll(http, `${pastEvent}/registrations`);
		const registrationByCode = new Map(
			registrations.map((registration) => [registration.ConfirmationCode, registration]),
		);
		expect(attendance.length).toBeGreaterThan(registrations.length / 2);
		const types = (await http.get<Json[]>(`${pastEvent}/registrationtypes`)).data;
		const typeNames = new Map(types.map((type) => [type.RegistrationTypeId, type.Name]));
		for (const visit of attendance) {
			const { Email, RegistrationStatus, RegistrationTypeId } = registrationByCode.get(
				visit.ConfirmationCode,
			)!;
			expect([visit.Email, 'Confirmed']).toEqual([Email, RegistrationStatus]);
			expect(visit.RegistrationType).toBe(typeNames.get(RegistrationTypeId));
		}
		expect(new Set(attendance.map(({ CheckInLogId }) => CheckInLogId)).size).toBe(
			attendance.length,
		);
		expect(attendance.some(({ CheckOutDateTime }) => CheckOutDateTime === null)).toBe(true);
		expect(attendance.some(({ CheckOutDateTime }) => CheckOutDateTime !== null)).toBe(true);
	});

	it('of a session contains only people who attended the event', async () => {
		const attendeeCodes = (await readAll(http, `${pastEvent}/attendance`)).map(
			(visit) => visit.ConfirmationCode,
		);
		const [session] = (await http.get<Json[]>(`${pastEvent}/sessions`)).data;
		const visits = await readAll(http, `${pastEvent}/attendance/${session!.SessionId as number}`);
		expect(visits.length).toBeGreaterThan(10);
		for (const visit of visits) {
			expect(visit.SessionTitle).toBe(session!.Title);
			expect(attendeeCodes).toContain(visit.ConfirmationCode);
		}
	});

	it('of an upcoming event is empty', async () => {
		expect((await http.get(`${upcomingEvent}/attendance`)).data).toEqual([]);
		const [session] = (await http.get<Json[]>(`${upcomingEvent}/sessions`)).data;
		const path = `${upcomingEvent}/attendance/${session!.SessionId as number}`;
		expect((await http.get(path)).data).toEqual([]);
	});

	it('of an ongoing event is not empty', async () => {
		expect((await http.get<Json[]>('/events/1010/attendance')).data.length).toBeGreaterThan(0);
	});
});

describe('option groups', () => {
	it('contain only their own options', async () => {
		const groups = (await http.get<Json[]>(`${pastEvent}/registrationoptiongroups`)).data;
		expect(groups.filter(({ IsOptional }) => IsOptional === false)).toHaveLength(1);
		for (const { RegistrationOptionGroupId, EventId } of groups) {
			expect(EventId).toBe(1004);
			const path = `${pastEvent}/registrationoptiongroups/${RegistrationOptionGroupId as number}`;
			const options = (await http.get<Json[]>(path)).data;
			expect(options.length).toBeGreaterThan(1);
			for (const option of options) {
				expect(option.RegistrationOptionGroupId).toBe(RegistrationOptionGroupId);
				expect(option.Price).toBeGreaterThanOrEqual(0);
			}
		}
	});

	it('of another event are not found', async () => {
		const [group] = (await http.get<Json[]>('/events/1005/registrationoptiongroups')).data;
		const path = `${pastEvent}/registrationoptiongroups/${group!.RegistrationOptionGroupId as number}`;
		expect((await http.get(path)).status).toBe(404);
	});
});

describe('sessions', () => {
	const search = async (body: Json) =>
		(await http.post<Json[]>(`${pastEvent}/sessions/search`, body)).data;

	it('are found by a part of the title in upper or lower case', async () => {
		const allSessions = (await http.get<Json[]>(`${pastEvent}/sessions`)).data;
		const titlePart = (allSessions[0]!.Title as string).slice(3, 12);
		const expectedSessions = allSessions.filter(({ Title }) =>
			(Title as string).includes(titlePart),
		);
		expect(await search({ Title: titlePart.toUpperCase() })).toEqual(expectedSessions);
		expect(
			(await http.get(`${pastEvent}/sessions/${allSessions[0]!.SessionId as number}`)).data,
		).toEqual(allSessions[0]);
	});

	it.each([
		['StartingAfter', 'StartDateTime', 1],
		['StartingBefore', 'StartDateTime', -1],
		['EndingAfter', 'EndDateTime', 1],
		['EndingBefore', 'EndDateTime', -1],
	])('are found by %s', async (name, field, sign) => {
		const allSessions = (await http.get<Json[]>(`${pastEvent}/sessions`)).data;
		const bound = allSessions[6]![field] as string;
		const expectedSessions = allSessions.filter(
			(session) => sign * (Date.parse(session[field] as string) - Date.parse(bound)) > 0,
		);
		expect(await search({ [name]: bound })).toEqual(expectedSessions);
		expect(expectedSessions.length).toBeGreaterThan(0);
	});
});

describe('orders and transactions', () => {
	it('have the same items by order and by registration, which add up to the order total', async () => {
		const { data: orders } = await http.post<Json[]>('/orders/search', 1004);
		expect(orders).toHaveLength(200);
		for (const order of orders.slice(0, 20)) {
			const { OrderId, RegistrationId } = order as { OrderId: number; RegistrationId: number };
			const params = { eventId: 1004 };
			expect((await http.get(`/orders/${OrderId}`, { params })).data).toEqual(order);
			const { data: items } = await http.get<Json[]>(`/orders/${OrderId}/items`, { params });
			const sum = items.reduce((total, { Total }) => total + (Total as number), 0);
			expect(sum).toBe(order.OrderTotal);
			const byRegistration = await http.post('/orders/items/search', RegistrationId, { params });
			expect(byRegistration.data).toEqual(items);
			const options = await http.get(`${pastEvent}/registrations/${RegistrationId}/options`);
			expect(options.data).toEqual(items);
		}
	});

	it('are the same in the list of all transactions and in the list of an event', async () => {
		const allTransactions = await readAll(http, '/transactions');
		const { data: eventTransactions } = await http.post<Json[]>('/transactions/search', 1016);
		expect(eventTransactions.length).toBeGreaterThan(10);
		expect(allTransactions.filter(({ EventId }) => EventId === 1016)).toEqual(eventTransactions);
		expect(new Set(allTransactions.map(({ TransactionId }) => TransactionId)).size).toBe(
			allTransactions.length,
		);
	});
});

describe('the demo data of the sandbox', () => {
	it('has 100,000 registrations if the option says so', async () => {
		const largeSandbox = await startSandbox({ registrations: 100_000 });
		try {
			const { data } = await registrationClient(largeSandbox).get<Json[]>('/events');
			const counts = data.map(({ RegistrationCount }) => RegistrationCount as number);
			expect(counts.reduce((a, b) => a + b)).toBe(100_000);
			const path = '/events/1010/registrations';
			const { data: page } = await registrationClient(largeSandbox).get<Json[]>(path, {
				params: { page: 50 },
			});
			expect(page).toHaveLength(200);
		} finally {
			await largeSandbox.close();
		}
	});

	it('is the same at each start', async () => {
		const otherSandbox = await startSandbox();
		try {
			const path = '/events/1007/registrations';
			const otherResponse = await registrationClient(otherSandbox).get(path);
			expect((await http.get(path)).data).toEqual(otherResponse.data);
		} finally {
			await otherSandbox.close();
		}
	});
});
