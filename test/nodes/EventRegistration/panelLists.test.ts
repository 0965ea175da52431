// Protects choosing a record in the panel: each list shows each record once, by a readable name, in a stable order.
import type { INodeProperties } from 'n8n-workflow';

import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { locateById } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { demoIds } from './demoIds';
import { openFakeService } from './fakeService';
import { event, list, usePanel } from './panelRig';

const DAY_MS = 86_400_000;
const { rig, openNodePanel, settings } = usePanel();

describe('the lists of the panel', () => {
	it('show readable names, with the ID as the value', async () => {
		const getFirstEntry = async (method: string, parameters = {}) =>
			(await openNodePanel(parameters).list(method)).results[0]!;
		expect((await openNodePanel().list('searchEvents', 'open data')).results[0]).toMatchObject({
			name: expect.stringMatching(/^Open Data Forum \(\d{4}-\d\d-\d\d\)$/),
			value: '1001',
		});
		expect(await getFirstEntry('searchSessions', event)).toMatchObject({
			name: expect.stringMatching(/ \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/),
			value: '3001',
		});
		expect(await getFirstEntry('searchRegistrationTypes', event)).toEqual({
			name: 'Attendee',
			value: '2001',
			description: 'Regular participants',
		});
		expect(await getFirstEntry('searchOptionGroups', event)).toMatchObject({
			name: 'Admission',
			value: '4001',
		});
		expect(await getFirstEntry('searchContactLists')).toMatchObject({
			name: 'Newsletter',
			value: '7001',
		});
		expect(await getFirstEntry('searchRegistrations', event)).toMatchObject({
			name: expect.stringMatching(/^.+ .+ \(.+@.+\)$/),
			value: '5000001',
		});
		expect(await getFirstEntry('searchContacts', list)).toMatchObject({
			name: expect.stringMatching(/@/),
		});
	});

	it('name an order by person, amount and date, and a transaction by its type', async () => {
		const { outputItems: registrations } = await rig.run('eventRegistration', {
			resource: 'registration',
			operation: 'get',
			...event,
			registrationId: locateById(demoIds.registrationId),
		});
		const { FirstName, LastName } = registrations[0]!;
		const { results } = await openNodePanel(event).list('searchOrders');
		expect(results).toHaveLength(200);
		expect(results[0]).toMatchObject({
			name: expect.stringMatching(/^.+, [\d.]+, \d{4}-\d\d-\d\d \(no\. 6000001\)$/),
			value: '6000001',
		});
		expect(results[0]!.name).toContain(`${FirstName as string} ${LastName as string}, `);
		expect(
			(await openNodePanel(event).list('searchOrders', `${LastName as string}`)).results,
		).toContainEqual(results[0]);
		const { results: transactions } = await openNodePanel().list('searchTransactions');
		expect(transactions[0]!.name).toMatch(
			/^(Payment|Refund), -?[\d.]+ [A-Z]{3}, \d{4}-\d\d-\d\d \(no\. \d+/,
		);
	});

	it('contain only the orders of the chosen event, and ask for an event if none is chosen', async () => {
		const eventId = locateById(1002);
		const { results } = await openNodePanel({ eventId }).list('searchOrders');
		expect(results.length).toBeGreaterThan(0);
		const { outputItems: orders } = await rig.run('eventRegistration', {
			resource: 'order',
			operation: 'getManyForEvent',
			eventId,
			limit: results.length,
		});
		expect(orders.map(({ EventId }) => EventId)).toEqual(results.map(() => 1002));
		expect(results.map(({ value }) => value)).toEqual(
			orders.map(({ OrderId }) => `${OrderId as number}`),
		);
		await expect(openNodePanel().list('searchOrders')).rejects.toThrow('Choose the Event first');
	});

	it('show an order without a known registration by its amount, date and number', async () => {
		const fake = await openFakeService();
		fake.respondWith(({ url }) =>
			url.startsWith('/api/v1/orders/search')
				? {
						body: [
							{ OrderId: 7, OrderTotal: 12.5, OrderDate: '2026-05-01T10:00:00Z', IsReplaced: true },
						],
					}
				: { status: 403, body: { Message: 'No.' } },
		);
		const { results } = await openPanel(fake.kit, 'eventRegistration', event).list('searchOrders');
		await fake.server.close();
		expect(results).toMatchObject([{ name: '12.5, 2026-05-01, replaced (no. 7)', value: '7' }]);
	});

	it('show upcoming events first', async () => {
		const { results } = await openNodePanel().list('searchEvents');
		const days = results.map(({ name }) => /\((.{10})\)$/.exec(name)![1]!);
		const today = new Date().toISOString().slice(0, 10);
		const upcomingDays = days.slice(
			0,
			days.findIndex((day, index) => index > 0 && day < days[index - 1]!),
		);
		const pastDays = days.slice(upcomingDays.length);
		expect(results).toHaveLength(16);
		expect(upcomingDays).toEqual([...upcomingDays].sort());
		expect(pastDays).toEqual([...pastDays].sort().reverse());
		expect(upcomingDays.at(-1)! >= today && pastDays[0]! <= today).toBe(true);
	});

	it('keep the order of events while the user scrolls, and have each event once', async () => {
		const fake = await openFakeService();
		// Event 201 starts now, so the events after it are upcoming.
		const allEvents = Array.from({ length: 450 }, (_, index) => ({
			EventId: index + 1,
			Name: `Event ${index + 1}`,
			StartDate: new Date(Date.now() + (index - 200) * DAY_MS).toISOString(),
		}));
		fake.respondWith(({ url }) => {
			const query = new URL(url, 'http://x').searchParams;
			const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('pageSize'))];
			return { body: allEvents.slice((page - 1) * size, page * size) };
		});
		const listedIds: unknown[] = [];
		let token: string | undefined;
		do {
			const page = await openPanel(fake.kit, 'eventRegistration', {}).list(
				'searchEvents',
				'',
				token,
			);
			listedIds.push(...page.results.map(({ value }) => Number(value)));
			token = page.paginationToken;
		} while (token !== undefined);
		await fake.server.close();
		const makeNumbersFrom = (from: number, count: number) =>
			Array.from({ length: count }, (_, index) => from + index);
		expect(listedIds).toEqual([...makeNumbersFrom(202, 249), ...makeNumbersFrom(1, 201).reverse()]);
	});

	it.each([
		['2026-11-30T09:30:00Z', ' (2026-11-30 09:30 UTC)'],
		['2026-11-30T09:30:00+02:00', ' (2026-11-30 07:30 UTC)'],
		['2026-11-30T00:30:00.000+0200', ' (2026-11-29 22:30 UTC)'],
		['2026-11-30T09:30:00', ' (2026-11-30 09:30)'],
		['2026-11-30', ' (2026-11-30)'],
		[undefined, ''],
	])(
		'show the correct time of a session that begins at %s',
		async (StartDateTime, expectedSuffix) => {
			const fake = await openFakeService();
			fake.respondWith(() => ({ body: [{ SessionId: 1, Title: 'Opening', StartDateTime }] }));
			const { results } = await openPanel(fake.kit, 'eventRegistration', event).list(
				'searchSessions',
			);
			await fake.server.close();
			expect(results[0]!.name).toBe(`Opening${expectedSuffix}`);
		},
	);

	it('depend on the chosen event or list, whether picked, typed or from an expression', async () => {
		const listTypes = async (eventId: unknown) =>
			(await openNodePanel({ eventId }).list('searchRegistrationTypes')).results.map(
				({ value }) => value,
			);
		expect((await listTypes(locateById(1001)))[0]).toBe('2001');
		expect((await listTypes(locateById(1002)))[0]).toBe('2011');
		expect((await listTypes('1003'))[0]).toBe('2021');
		expect((await listTypes({ __rl: true, mode: 'list', value: 1004 }))[0]).toBe('2031');
	});

	it('ask for the event or the contact list if none is chosen', async () => {
		const withoutEvent = { eventId: { __rl: true, mode: 'list', value: '' } };
		await expect(openNodePanel(withoutEvent).list('searchSessions')).rejects.toThrow(
			'Choose the Event first',
		);
		await expect(openNodePanel().list('searchContacts')).rejects.toThrow(
			'Choose the Contact List first',
		);
	});

	it('load further pages while the user scrolls, each record once, with any first page number', async () => {
		for (const firstPage of [0, 1]) {
			settings().firstPage = firstPage;
			const listedIds: unknown[] = [];
			let token: string | undefined;
			for (let page = 0; page < 10; page++) {
				const { results, paginationToken } = await openNodePanel(event).list(
					'searchRegistrations',
					'',
					token,
				);
				listedIds.push(...results.map(({ value }) => value));
				token = paginationToken;
				if (token === undefined) break;
			}
			const { registrations } = (await rig
				.run('eventRegistration', {
					resource: 'event',
					operation: 'get',
					...event,
				})
				.then(({ outputItems }) => ({ registrations: outputItems[0]!.RegistrationCount }))) as {
				registrations: number;
			};
			expect(token).toBeUndefined();
			expect(new Set(listedIds).size).toBe(listedIds.length);
			expect(listedIds).toHaveLength(registrations);
		}
	});

	it('are searched by name, in any case', async () => {
		const { results } = await openNodePanel().list('searchContactLists', 'SPEAKER');
		expect(results.map(({ name }) => name)).toEqual(['Speakers', 'Speaker leads']);
	});

	it('are searched without accents', async () => {
		const { results } = await openNodePanel(event).list('searchRegistrations', 'soren');
		expect(results.length).toBeGreaterThan(0);
		expect(results.some(({ name }) => /S[øö]ren/.test(name))).toBe(true);
	});

	it('explain a rejected key', async () => {
		settings().headerName = 'X-Other';
		await expect(openNodePanel().list('searchEvents')).rejects.toThrow(
			'Authorization has been denied for this request.',
		);
	});

	it('have a method for every locator, form and drop-down list of the node, and every method is used', () => {
		const { description, methods } = new EventRegistration();
		const flattenProperties = (property: INodeProperties): INodeProperties[] => [
			property,
			...(property.options ?? []).flatMap((option) =>
				'values' in option
					? option.values.flatMap(flattenProperties)
					: 'type' in option
						? flattenProperties(option)
						: [],
			),
		];
		const allProperties = description.properties.flatMap(flattenProperties);
		const listMethods = allProperties.flatMap(({ modes = [] }) =>
			modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
		);
		const mapperMethods = allProperties.flatMap(
			({ typeOptions }) => typeOptions?.resourceMapper?.resourceMapperMethod ?? [],
		);
		const optionMethods = allProperties.flatMap(
			({ typeOptions }) => typeOptions?.loadOptionsMethod ?? [],
		);
		expect([...new Set(listMethods)].sort()).toEqual(Object.keys(methods.listSearch).sort());
		expect([...new Set(mapperMethods)].sort()).toEqual(Object.keys(methods.resourceMapping).sort());
		expect([...new Set(optionMethods)].sort()).toEqual(Object.keys(methods.loadOptions).sort());
	});
});
