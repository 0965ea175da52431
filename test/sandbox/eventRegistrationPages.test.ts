import type { AxiosInstance } from 'axios';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import type { Settings } from '../../sandbox/service';
import { readAll, registrationClient } from './eventClients';
import type { Json, SampleRequest } from './eventClients';

let sandbox: Sandbox;
let http: AxiosInstance;
let settings: Settings;

beforeAll(async () => {
	sandbox = await startSandbox();
	http = registrationClient(sandbox);
	settings = sandbox.settings.eventRegistration;
});
beforeEach(() => sandbox.reset());
afterEach(() => expect(sandbox.internalErrors).toEqual([]));
afterAll(() => sandbox.close());

const path = '/events/1004/registrations';
const ids = (data: Json[]) => data.map(({ RegistrationId }) => RegistrationId);
const page = async (params: object) => ids((await http.get<Json[]>(path, { params })).data);

describe('pages', () => {
	it('have 200 records by default, and contain each record once', async () => {
		const { data: event } = await http.get<Json>('/events/1004');
		expect(await page({})).toHaveLength(200);
		const allRecords = await readAll(http, path, 70);
		expect(allRecords).toHaveLength(event.RegistrationCount as number);
		expect(new Set(ids(allRecords)).size).toBe(allRecords.length);
	});

	it('begin with 1 or 0 as the setting says', async () => {
		const firstPage = await page({ pageSize: 5 });
		expect(await page({ pageSize: 5, page: 1 })).toEqual(firstPage);
		expect(await page({ pageSize: 5, page: 0 })).toEqual(firstPage);
		const second = await page({ pageSize: 5, page: 2 });
		expect(second).not.toEqual(firstPage);
		settings.firstPage = 0;
		expect(await page({ pageSize: 5 })).toEqual(firstPage);
		expect(await page({ pageSize: 5, page: 0 })).toEqual(firstPage);
		expect(await page({ pageSize: 5, page: 1 })).toEqual(second);
	});

	it('end with an empty page, repeat forever, or never change', async () => {
		const total = (await readAll(http, path)).length;
		const last = Math.ceil(total / 150);
		const lastPage = await page({ pageSize: 150, page: last });
		expect(await page({ pageSize: 150, page: last + 1 })).toEqual([]);
		settings.paging = 'repeatsLast';
		expect(await page({ pageSize: 150, page: last + 1 })).toEqual(lastPage);
		expect(await page({ pageSize: 150, page: last + 50 })).toEqual(lastPage);
		settings.paging = 'ignored';
		expect(await page({ pageSize: 150, page: 2 })).toEqual(await page({ pageSize: 150 }));
	});

	it.each<SampleRequest>([
		['GET', '/contactlists'],
		['GET', '/contactlists/7001/contacts'],
		['POST', '/contactlists/7001/contacts/search', {}],
		['GET', '/events'],
		['GET', '/events/1004/attendance'],
		['GET', '/events/1004/registrationoptiongroups'],
		['GET', '/events/1004/registrationtypes'],
		['POST', '/events/1004/registrations/search', {}],
		['GET', '/events/1004/sessions'],
		['POST', '/events/1004/sessions/search', {}],
		['POST', '/orders/search', 1004],
		['GET', '/transactions'],
		['POST', '/transactions/search', 1004],
	])('start and end at the same records for %s %s', async (...[method, url, data]) => {
		const readPage = async (params: object) =>
			(await http.request<Json[]>({ method, url, data, params })).data;
		const whole = await readPage({ pageSize: 3 });
		expect(whole).toHaveLength(3);
		expect(await readPage({ pageSize: 2, page: 2 })).toContainEqual(whole[2]);
		expect(await readPage({ pageSize: 1, page: 2 })).toEqual([whole[1]]);
	});
});

describe('incremental reads', () => {
	it.each<[method: string, path: string, name: string, field: string, body?: number]>([
		['GET', '/contactlists', 'updatedAfter', 'LastUpdated'],
		['GET', '/contactlists/7019/contacts', 'updatedAfter', 'LastUpdated'],
		['GET', '/events', 'updatedAfter', 'LastUpdated'],
		['GET', '/events/1015/registrations', 'lastUpdatedAfter', 'LastUpdated'],
		['POST', '/orders/search', 'addedAfter', 'OrderDate', 1015],
		['POST', '/transactions/search', 'addedAfter', 'TransactionDate', 1015],
	])('return records of %s %s later than %s', async (...[method, url, name, field, data]) => {
		const readRecords = async (params: object) =>
			(await http.request<Json[]>({ method, url, data, params })).data;
		const allRecords = await readRecords({});
		const sorted = allRecords.map((record) => record[field] as string).sort();
		const middle = sorted[Math.floor(sorted.length / 2)]!;
		const later = await readRecords({ [name]: middle });
		expect(later).toEqual(allRecords.filter((record) => (record[field] as string) > middle));
		expect(later.length).toBeGreaterThan(0);
		expect(later.length).toBeLessThan(allRecords.length);
		const inZone = `${new Date(Date.parse(middle) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
		expect(await readRecords({ [name]: inZone })).toEqual(later);
		expect(await readRecords({ [name]: sorted.at(-1) })).toEqual([]);
	});

	it('return later attendance and transactions', async () => {
		const { data: visits } = await http.get<Json[]>('/events/1010/attendance');
		const times = visits
			.map((visit) => (visit.CheckOutDateTime ?? visit.CheckInDateTime) as string)
			.sort();
		const cut = times[times.length >> 1]!;
		const { data: some } = await http.get<Json[]>('/events/1010/attendance', {
			params: { lastUpdatedAfter: cut },
		});
		expect(some.length).toBeGreaterThan(0);
		expect(
			some.every((visit) => ((visit.CheckOutDateTime ?? visit.CheckInDateTime) as string) > cut),
		).toBe(true);

		const addedAfter = new Date(sandbox.clock.now() - 5 * 86_400_000).toISOString();
		const { data: recent } = await http.get<Json[]>('/transactions', { params: { addedAfter } });
		expect(recent.length).toBeGreaterThan(0);
		expect(
			recent.every((transaction) => (transaction.TransactionDate as string) > addedAfter),
		).toBe(true);
		expect(new Set(recent.map(({ EventId }) => EventId)).size).toBeGreaterThan(1);
	});

	it('return a write once', async () => {
		sandbox.clock.advance(60_000);
		const lastUpdatedAfter = new Date(sandbox.clock.now()).toISOString();
		sandbox.clock.advance(1000);
		const [id] = await page({ pageSize: 1 });
		await http.patch(`${path}/${id as number}`, { FirstName: 'Noor' });
		expect(await page({ lastUpdatedAfter })).toEqual([id]);
		const { data } = await http.get<Json>(`${path}/${id as number}`);
		expect(await page({ lastUpdatedAfter: data.LastUpdated })).toEqual([]);
	});
});

describe('the format of responses', () => {
	it('may have ids as strings', async () => {
		const { data: before } = await http.get<Json[]>(path, { params: { pageSize: 2 } });
		settings.idsAs = 'string';
		const { data: after } = await http.get<Json[]>(path, { params: { pageSize: 2 } });
		expect(after).toEqual(
			before.map((record) => ({
				...record,
				RegistrationId: String(record.RegistrationId),
				RegistrationTypeId: String(record.RegistrationTypeId),
				HostRegistrationId: record.HostRegistrationId && String(record.HostRegistrationId),
			})),
		);
		const { data: event } = await http.get<Json>('/events/1004');
		expect(event).toMatchObject({ EventId: '1004', RegistrationCount: expect.any(Number) });
	});

	it('may be an array of one where an object was expected', async () => {
		const { data: types } = await http.get<Json[]>('/events/1004/registrationtypes');
		const { data: transactions } = await http.get<Json[]>('/transactions');
		const typePath = `/events/1004/registrationtypes/${types[1]!.RegistrationTypeId as number}`;
		const transactionPath = `/transactions/${transactions[4]!.TransactionId as number}`;
		expect((await http.get(typePath)).data).toEqual(types[1]);
		expect((await http.get(transactionPath)).data).toEqual(transactions[4]);
		settings.singleAs = 'array';
		expect((await http.get(typePath)).data).toEqual([types[1]]);
		expect((await http.get(transactionPath)).data).toEqual([transactions[4]]);
	});

	it.each([
		'/events/1003/registrations/registrationform',
		'/contactlists/7001/contacts/contactform',
	])('is one of four shapes of the form %s', async (form) => {
		const readForm = async (shape: string) => {
			settings.formShape = shape;
			return (await http.get<never>(form)).data;
		};
		const byCaption = Object.entries<string>(await readForm('captionToName'));
		expect(byCaption.map(([, name]) => name)).toEqual(
			expect.arrayContaining(['FirstName', 'LastName', 'Email', 'Country']),
		);
		expect(await readForm('nameToCaption')).toEqual(
			Object.fromEntries(byCaption.map(([caption, name]) => [name, caption])),
		);
		const fields: Json[] = await readForm('array');
		expect(fields.map(({ name, caption }) => [caption, name])).toEqual(byCaption);
		expect(fields.find(({ name }) => name === 'Email')).toMatchObject({
			required: true,
			type: 'email',
		});
		expect(fields.some(({ options }) => Array.isArray(options))).toBe(true);
		expect(await readForm('object')).toEqual(
			Object.fromEntries(fields.map((field) => [field.name, field])),
		);
	});
});
