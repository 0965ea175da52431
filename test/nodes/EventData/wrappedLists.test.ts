import type { IDataObject } from 'n8n-workflow';

import { openPanel } from '../../support/panel';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const TOTAL = 130;
const SIZE = 50;
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

/** A provider that wraps a list and cuts it, although only the list of events is said to have pages. */
const serve = (pageOf: (page: number) => IDataObject[], total: unknown = TOTAL) =>
	server.respondWith(({ url }, response) => {
		const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
		sendJson(response, 200, { data: pageOf(page), pagination: { page, limit: SIZE, total } });
	});
const pageAt = (page: number) => records.slice((page - 1) * SIZE, page * SIZE);
const getMany = async (resource: string, parameters: object = { returnAll: true }) =>
	await runNode(rig.kit, 'eventData', { resource, operation: 'getMany', ...parameters });

describe.each(['attendee', 'session', 'registration', 'event'])(
	'a wrapped list: %s',
	(resource) => {
		it('a list that is cut is read to its end', async () => {
			serve(pageAt);
			const { outputItems, error, hints } = await getMany(resource);
			expect(error).toBeUndefined();
			expect(outputItems).toEqual(records);
			expect(hints).toEqual([]);
			expect(server.requests).toHaveLength(3);
		});

		it('a list is read up to the limit', async () => {
			serve(pageAt);
			const { outputItems } = await getMany(resource, { limit: 60 });
			expect(outputItems).toEqual(records.slice(0, 60));
			expect(server.requests).toHaveLength(2);
		});

		it('a complete list is requested once', async () => {
			serve(() => records);
			const { outputItems, hints } = await getMany(resource);
			expect([outputItems.length, hints.length, server.requests.length]).toEqual([TOTAL, 0, 1]);
		});

		it.each([
			['gives the first page again and again', () => pageAt(1)],
			['gives nothing more', (page: number) => (page === 1 ? pageAt(1) : [])],
		])('Get Many adds a hint if the provider %s', async (_, pageOf) => {
			serve(pageOf);
			const { outputItems, hints } = await getMany(resource);
			expect(outputItems).toEqual(pageAt(1));
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringContaining('may be incomplete'),
			]);
			expect(server.requests).toHaveLength(2);
		});
	},
);

it.each(['searchAttendees', 'searchSessions', 'searchRegistrations', 'searchEvents'])(
	'%s lists records of later pages',
	async (method) => {
		serve(pageAt);
		const { results } = await openPanel(rig.kit, 'eventData', {}).list(method);
		expect(results.map(({ value }) => value)).toEqual(records.map(({ id }) => id));
	},
);
