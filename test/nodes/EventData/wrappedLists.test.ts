// Protects complete lists: Get Many and the panel read a wrapped list to its end, or a hint says that it may be incomplete.
import type { IDataObject } from 'n8n-workflow';

import { openPanel } from '../../support/panel';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const TOTAL = 130;
const PAGE_SIZE = 50;
const records: IDataObject[] = Array.from({ length: TOTAL }, (_, id) => ({ id: `id_${id}` }));

let rig: Rig;
let server: ToyServer;
beforeAll(async () => {
	rig = await openRig();
	server = await startToyServer();
	rig.kit.credentialData.eventDataApi!.baseUrl = server.url;
});
afterAll(async () => {
	await server.close();
	await rig.close();
});

/** Makes the provider return wrapped pages of every list, although only the list of events is documented to have pages. */
const servePages = (getRecords: (page: number) => IDataObject[]) =>
	server.respondWith(({ url }, response) => {
		const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
		sendJson(response, 200, {
			data: getRecords(page),
			pagination: { page, limit: PAGE_SIZE, total: TOTAL },
		});
	});
const getPage = (page: number) => records.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
const getMany = async (resource: string, parameters: object = { returnAll: true }) =>
	await runNode(rig.kit, 'eventData', { resource, operation: 'getMany', ...parameters });

it('a list under an unknown name is output record by record, and a hint names it', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { rows: records }));
	const { outputItems, error, hints } = await getMany('session');
	expect({ error, outputItems }).toEqual({ error: undefined, outputItems: records });
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringContaining('under the unknown name "rows"'),
	]);
});

it('two lists under unknown names are an error', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { rows: records, more: records }));
	const { outputItems, error } = await getMany('session');
	expect({ outputItems, message: error?.message }).toEqual({
		outputItems: [],
		message:
			'The event data service answered with a record without an ID (status 200), not with the list that was requested',
	});
});

describe.each(['attendee', 'session', 'registration', 'event'])(
	'Get Many of a wrapped list: %s',
	(resource) => {
		it('a list of several pages is read to its end', async () => {
			servePages(getPage);
			const { outputItems, error, hints } = await getMany(resource);
			expect(error).toBeUndefined();
			expect(outputItems).toEqual(records);
			expect(hints).toEqual([]);
			expect(server.requests).toHaveLength(3);
		});

		it('a list is read only up to the limit', async () => {
			servePages(getPage);
			const { outputItems } = await getMany(resource, { limit: 60 });
			expect(outputItems).toEqual(records.slice(0, 60));
			expect(server.requests).toHaveLength(2);
		});

		it('a list whose first page is complete is requested once', async () => {
			servePages(() => records);
			const { outputItems, hints } = await getMany(resource);
			expect([outputItems.length, hints.length, server.requests.length]).toEqual([TOTAL, 0, 1]);
		});

		it.each([
			['returns the first page for every page', () => getPage(1), 2],
			// The third request tries whether the provider counts its pages from another number.
			['returns empty pages after the first', (page: number) => (page === 1 ? getPage(1) : []), 3],
		])('a hint says that the list may be incomplete if the provider %s', async (...scenario) => {
			const [, getRecords, requestCount] = scenario;
			servePages(getRecords);
			const { outputItems, hints } = await getMany(resource);
			expect(outputItems).toEqual(getPage(1));
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringContaining('may be incomplete'),
			]);
			expect(server.requests).toHaveLength(requestCount);
		});
	},
);

it.each(['searchAttendees', 'searchSessions', 'searchRegistrations', 'searchEvents'])(
	'%s lists the records of all pages',
	async (method) => {
		servePages(getPage);
		const { results } = await openPanel(rig.kit, 'eventData', {}).list(method);
		expect(results.map(({ value }) => value)).toEqual(records.map(({ id }) => id));
	},
);
