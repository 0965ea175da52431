// Protects tests of paging and incremental reads: the sandbox returns each record once, in each form that its settings name.
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
const registrationIds = (data: Json[]) => data.map(({ RegistrationId }) => RegistrationId);
const readPageIds = async (params: object) =>
	registrationIds((await http.get<Json[]>(path, { params })).data);

describe('pages', () => {
	it('have 200 records by default, and contain each record once', async () => {
		const { data: event } = await http.get<Json>('/events/1004');
		expect(await readPageIds({})).toHaveLength(200);
		const allRecords = await readAll(http, path, 70);
		expect(allRecords).toHaveLength(event.RegistrationCount as number);
		expect(new Set(registrationIds(allRecords)).size).toBe(allRecords.length);
	});

	it('are numbered from 1 or from 0, as the setting says', async () => {
		const firstPage = await readPageIds({ pageSize: 5 });
		expect(await readPageIds({ pageSize: 5, page: 1 })).toEqual(firstPage);
		expect(await readPageIds({ pageSize: 5, page: 0 })).toEqual(firstPage);
		const secondPage = await readPageIds({ pageSize: 5, page: 2 });
		expect(secondPage).not.toEqual(firstPage);
		settings.firstPage = 0;
		expect(await readPageIds({ pageSize: 5 })).toEqual(firstPage);
		expect(await readPageIds({ pageSize: 5, page: 0 })).toEqual(firstPage);
		expect(await readPageIds({ pageSize: 5, page: 1 })).toEqual(secondPage);
	});

	it('end with an empty page, repeat the last page, or ignore the page number, as the setting says', async () => {
		const total = (await readAll(http, path)).length;
		const lastPageNumber = Math.ceil(total / 150);
		const lastPage = await readPageIds({ pageSize: 150, page: lastPageNumber });
		expect(await readPageIds({ pageSize: 150, page: lastPageNumber + 1 })).toEqual([]);
		settings.paging = 'repeatsLast';
		expect(await readPageIds({ pageSize: 150, page: lastPageNumber + 1 })).toEqual(lastPage);
		expect(await readPageIds({ pageSize: 150, page: lastPageNumber + 50 })).toEqual(lastPage);
		settings.paging = 'ignored';
		expect(await readPageIds({ pageSize: 150, page: 2 })).toEqual(
			await readPageIds({ pageSize: 150 }),
		);
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
	])(
		'of every size contain the records in the same order for %s %s',
		async (...[method, url, data]) => {
			const readPage = async (params: object) =>
				(await http.request<Json[]>({ method, url, data, params })).data;
			const firstThree = await readPage({ pageSize: 3 });
			expect(firstThree).toHaveLength(3);
			expect(await readPage({ pageSize: 2, page: 2 })).toContainEqual(firstThree[2]);
			expect(await readPage({ pageSize: 1, page: 2 })).toEqual([firstThree[1]]);
		},
	);
});

describe('incremental reads', () => {
	it.each<[method: string, path: string, name: string, field: string, body?: number]>([
		['GET', '/contactlists', 'updatedAfter', 'LastUpdated'],
		['GET', '/contactlists/7019/contacts', 'updatedAfter', 'LastUpdated'],
		['GET', '/events', 'updatedAfter', 'LastUpdated'],
		['GET', '/events/1015/registrations', 'lastUpdatedAfter', 'LastUpdated'],
		['POST', '/orders/search', 'addedAfter', 'OrderDate', 1015],
		['POST', '/transactions/search', 'addedAfter', 'TransactionDate', 1015],
	])(
		'return the records of %s %s that are later than %s',
		async (...[method, url, name, field, data]) => {
			const readRecords = async (params: object) =>
				(await http.request<Json[]>({ method, url, data, params })).data;
			const allRecords = await readRecords({});
			const sorted = allRecords.map((record) => record[field] as string).sort();
			const medianTime = sorted[Math.floor(sorted.length / 2)]!;
			const laterRecords = await readRecords({ [name]: medianTime });
			expect(laterRecords).toEqual(
				allRecords.filter((record) => (record[field] as string) > medianTime),
			);
			expect(laterRecords.length).toBeGreaterThan(0);
			expect(laterRecords.length).toBeLessThan(allRecords.length);
			const medianTimeInZone = `${new Date(Date.parse(medianTime) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
			expect(await readRecords({ [name]: medianTimeInZone })).toEqual(laterRecords);
			expect(await readRecords({ [name]: sorted.at(-1) })).toEqual([]);
		},
	);

	it('return only attendance and transactions that are later than the given time', async () => {
		const { data: visits } = await http.get<Json[]>('/events/1010/attendance');
		const times = visits
			.map((visit) => (visit.CheckOutDateTime ?? visit.CheckInDateTime) as string)
			.sort();
		const medianTime = times[times.length >> 1]!;
		const { data: laterVisits } = await http.get<Json[]>('/events/1010/attendance', {
			params: { lastUpdatedAfter: medianTime },
		});
		expect(laterVisits.length).toBeGreaterThan(0);
		expect(
			laterVisits.every(
				(visit) => ((visit.CheckOutDateTime ?? visit.CheckInDateTime) as string) > medianTime,
			),
		).toBe(true);

		const addedAfter = new Date(sandbox.clock.now() - 5 * 86_400_000).toISOString();
		const { data: recentTransactions } = await http.get<Json[]>('/transactions', {
			params: { addedAfter },
		});
		expect(recentTransactions.length).toBeGreaterThan(0);
		expect(
			recentTransactions.every(
				(transaction) => (transaction.TransactionDate as string) > addedAfter,
			),
		).toBe(true);
		expect(new Set(recentTransactions.map(({ EventId }) => EventId)).size).toBeGreaterThan(1);
	});

	it('return a changed registration once', async () => {
		sandbox.clock.advance(60_000);
		const lastUpdatedAfter = new Date(sandbox.clock.now()).toISOString();
		sandbox.clock.advance(1000);
		const [id] = await readPageIds({ pageSize: 1 });
		await http.patch(`${path}/${id as number}`, { FirstName: 'Noor' });
		expect(await readPageIds({ lastUpdatedAfter })).toEqual([id]);
		const { data } = await http.get<Json>(`${path}/${id as number}`);
		expect(await readPageIds({ lastUpdatedAfter: data.LastUpdated })).toEqual([]);
	});
});

describe('the format of responses', () => {
	it('has IDs as strings if the setting says so', async () => {
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

	it('is an array with one record instead of the record if the setting says so', async () => {
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
	])('of the form %s has one of four shapes, as the setting says', async (formPath) => {
		const readForm = async (shape: string) => {
			settings.formShape = shape;
			return (await http.get<never>(formPath)).data;
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
