import type { ServerResponse } from 'node:http';

import { EventDataApi } from '../../../credentials/EventDataApi.credentials';
import { EventData } from '../../../nodes/EventData/EventData.node';
import { sendJson, startToyServer } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const run = (resource: string, operation: string, parameters: object = {}) =>
	runNode(
		{
			nodes: { eventData: EventData },
			credentials: [EventDataApi],
			credentialData: { eventDataApi: { baseUrl: server.url, apiKey: 'key-0123456789' } },
		},
		'eventData',
		{ resource, operation, ...parameters },
	);
const locateById = (value: string) => ({ __rl: true, mode: 'id', value });
const pageOf = ({ url }: ReceivedRequest) =>
	Number(new URL(url, 'http://host').searchParams.get('page'));
const makeEvents = (from: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `evt_${from + index}` }));

describe('a service whose lists misbehave', () => {
	const cases: Array<
		[string, (request: ReceivedRequest, response: ServerResponse) => void, number, RegExp?]
	> = [
		[
			'ignores the page number',
			(_, response) => sendJson(response, 200, makeEvents(0, 10)),
			10,
			/ignore the page number/,
		],
		[
			'repeats its last page for ever',
			(request, response) =>
				sendJson(response, 200, makeEvents(Math.min(pageOf(request), 3) * 10, 10)),
			30,
			/ignore the page number/,
		],
		[
			'overlaps its pages',
			(request, response) =>
				sendJson(response, 200, pageOf(request) > 4 ? [] : makeEvents(pageOf(request) * 5, 10)),
			25,
		],
	];

	const full = cases.map(([what, body, count, hint]) => ({ what, answer: body, count, hint }));
	it.each(full)(
		'a list that $what is read to its end, each record once',
		async ({ answer, count, hint }) => {
			server.respondWith(answer);
			const { outputItems, error, hints } = await run('event', 'getMany', { returnAll: true });
			expect(error).toBeUndefined();
			expect(outputItems).toHaveLength(count);
			expect(new Set(outputItems.map(({ id }) => id)).size).toBe(count);
			expect(server.requests.length).toBeLessThan(12);
			if (hint) expect(hints.map(({ message }) => message).join()).toMatch(hint);
		},
	);
});

it.each(['9007199254740993123', '../../admin', 'a?b=c', '🎟️', "O'Hara & Søn"])(
	'the ID %s is sent unchanged in its own path segment',
	async (id) => {
		server.respondWith((_, response) => sendJson(response, 200, { id }));
		const { outputItems } = await run('attendee', 'get', { attendeeId: locateById(id) });
		expect(outputItems).toEqual([{ id }]);
		const segment = server.requests[0]!.url.slice('/attendees/'.length);
		expect(segment).not.toMatch(/[/?#]/);
		expect(decodeURIComponent(segment)).toBe(id);
	},
);

it('IDs keep their type, number or string', async () => {
	server.respondWith((_, response) =>
		sendJson(response, 200, [{ id: 7 }, { id: '9007199254740993' }]),
	);
	const { outputItems } = await run('session', 'getMany', { returnAll: true });
	expect(outputItems).toEqual([{ id: 7 }, { id: '9007199254740993' }]);
});
