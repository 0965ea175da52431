// Protects reads of event data: a list with faulty pages ends and has each record once, and an ID keeps every character.
import type { ServerResponse } from 'node:http';

import { EventDataApi } from '../../../credentials/EventDataApi.credentials';
import { EventData } from '../../../nodes/EventData/EventData.node';
import { locateById } from '../../support/locators';
import { sendJson, startToyServer } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const runOperation = (resource: string, operation: string, parameters: object = {}) =>
	runNode(
		{
			nodes: { eventData: EventData },
			credentials: [EventDataApi],
			credentialData: { eventDataApi: { baseUrl: server.url, apiKey: 'key-0123456789' } },
		},
		'eventData',
		{ resource, operation, ...parameters },
	);
const readPageNumber = ({ url }: ReceivedRequest) =>
	Number(new URL(url, 'http://host').searchParams.get('page'));
const makeEvents = (firstNumber: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `evt_${firstNumber + index}` }));

describe('lists with faulty pages', () => {
	interface FaultyList {
		fault: string;
		respond: (request: ReceivedRequest, response: ServerResponse) => void;
		recordCount: number;
		expectedHint?: RegExp;
	}
	const faultyLists: FaultyList[] = [
		{
			fault: 'ignores the page number',
			respond: (_, response) => sendJson(response, 200, makeEvents(0, 10)),
			recordCount: 10,
			expectedHint: /ignore the page number/,
		},
		{
			fault: 'repeats its last page for ever',
			respond: (request, response) =>
				sendJson(response, 200, makeEvents(Math.min(readPageNumber(request), 3) * 10, 10)),
			recordCount: 30,
			expectedHint: /ignore the page number/,
		},
		{
			// Page 0 has records, too, so it is read after the others.
			fault: 'repeats half of each page in the next one',
			respond: (request, response) =>
				sendJson(
					response,
					200,
					readPageNumber(request) > 4 ? [] : makeEvents(readPageNumber(request) * 5, 10),
				),
			recordCount: 30,
		},
	];

	it.each(faultyLists)(
		'Get Many outputs each record once and ends if a list $fault',
		async ({ respond, recordCount, expectedHint }) => {
			server.respondWith(respond);
			const { outputItems, error, hints } = await runOperation('event', 'getMany', {
				returnAll: true,
			});
			expect(error).toBeUndefined();
			expect(outputItems).toHaveLength(recordCount);
			expect(new Set(outputItems.map(({ id }) => id)).size).toBe(recordCount);
			expect(server.requests.length).toBeLessThan(12);
			if (expectedHint) expect(hints.map(({ message }) => message).join()).toMatch(expectedHint);
		},
	);
});

it.each(['9007199254740993123', '../../admin', 'a?b=c', '🎟️', "O'Hara & Søn"])(
	'Get sends the ID %s in one path segment without losing a character',
	async (id) => {
		server.respondWith((_, response) => sendJson(response, 200, { id }));
		const { outputItems } = await runOperation('attendee', 'get', { attendeeId: locateById(id) });
		expect(outputItems).toEqual([{ id }]);
		const segment = server.requests[0]!.url.slice('/attendees/'.length);
		expect(segment).not.toMatch(/[/?#]/);
		expect(decodeURIComponent(segment)).toBe(id);
	},
);

it('Get Many outputs numbers as numbers and strings as strings in the ID', async () => {
	server.respondWith((_, response) =>
		sendJson(response, 200, [{ id: 7 }, { id: '9007199254740993' }]),
	);
	const { outputItems } = await runOperation('session', 'getMany', { returnAll: true });
	expect(outputItems).toEqual([{ id: 7 }, { id: '9007199254740993' }]);
});
