import { EventDataApi } from '../../../credentials/EventDataApi.credentials';
import { EventData } from '../../../nodes/EventData/EventData.node';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const createKit = () => ({
	nodes: { eventData: EventData },
	credentials: [EventDataApi],
	credentialData: { eventDataApi: { baseUrl: server.url, apiKey: 'key-0123456789' } },
});
const record = { id: 'one', eventId: 'evt_1', status: 'pending' };

describe.each([
	{ resource: 'attendee', id: 'attendeeId', change: { firstName: 'Zoë' } },
	{ resource: 'session', id: 'sessionId', change: { title: 'Opening' } },
	{ resource: 'registration', id: 'registrationId', change: { status: 'confirmed' } },
])('Update reads the $resource before it writes', ({ resource, id, change }) => {
	/** Updates the record after a read with this response. Returns what was written. */
	const update = async (
		readResponse: unknown,
		requestedId = 'one',
		options: object = {},
		otherChanges: object = {},
	) => {
		server.respondWith(({ method }, response) =>
			sendJson(response, 200, method === 'GET' ? readResponse : record),
		);
		const run = await runNode(createKit(), 'eventData', {
			resource,
			operation: 'update',
			[id]: { __rl: true, mode: 'id', value: requestedId },
			changes: { ...change, ...otherChanges },
			options: { tries: 1, ...options },
		});
		const written = server.requests.filter(({ method }) => method !== 'GET');
		return { ...run, written: written.map(({ body }) => JSON.parse(body) as unknown) };
	};

	it('an event option that was added and left blank is no change', async () => {
		const eventId = { __rl: true, mode: 'list', value: '' };
		const { error, written } = await update(record, 'one', {}, { eventId });
		expect(error).toBeUndefined();
		expect(written).toMatchObject([{ eventId: 'evt_1' }]);
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a number', 42],
		['a text', 'gone'],
		['an empty object', {}],
		['an empty list', []],
		['a list of null', [null]],
		['a list of texts', ['one']],
		['an error with a status of success', { error: 'not ready' }],
		['an error beside the record', { data: record, error: 'not ready' }],
		['a wrapped null', { data: null }],
		['an empty wrapper', { data: {} }],
		['an unknown wrapper', { found: record }],
		['a record without an ID', { ...record, id: undefined }],
		['another record', { ...record, id: 'two' }],
		['another record in a list', [{ ...record, id: 'two' }]],
		['several records', [record, { ...record, id: 'two' }]],
	])('%s is not the record, so nothing is written', async (_, read) => {
		const { error, written } = await update(read);
		expect(written).toEqual([]);
		expect(error).toBeDefined();
		expect(error!.message).not.toMatch(/Cannot|undefined|not a function/);
		expect(error!.message).toMatch(/^The event data service /);
	});

	it('the error says what was returned', async () => {
		expect((await update({ ...record, id: 'two' })).error).toMatchObject({
			message: `The event data service returned a different ${resource} than requested, so nothing was changed`,
			description: expect.stringContaining('"two"'),
		});
		expect((await update({ found: record })).error).toMatchObject({
			message: `The event data service did not return the ${resource} to update, so nothing was changed`,
			description: expect.stringContaining("'Update Method'"),
		});
	});

	it.each([
		['bare', record],
		['in a list of one', [record]],
		['wrapped', { data: record }],
		['wrapped in a list of one', { data: [record], pagination: { total: 1 } }],
		['wrapped in its own name', { [resource]: record }],
		['under the full name of its ID', { ...record, id: undefined, [id]: 'one' }],
	])('the record is recognized %s', async (_, read) => {
		const { error, written } = await update(read);
		expect(error).toBeUndefined();
		expect(written).toEqual(
			[{ eventId: 'evt_1', status: 'pending', ...change }].map(omitUnsupportedStatus),
		);
	});

	/** A session has no status. */
	const omitUnsupportedStatus = ({
		status,
		...rest
	}: typeof record | (object & { status?: string })) =>
		resource === 'session' ? rest : { status, ...rest };

	it('the ID may be a number, and have white space around it in the node', async () => {
		const { error, written } = await update({ ...record, id: 7 }, ' 7 ');
		expect(error).toBeUndefined();
		expect(written).toHaveLength(1);
	});

	it('nothing is read if only changes are sent', async () => {
		const { error, written } = await update({}, 'one', { verb: 'PATCH' });
		expect(error).toBeUndefined();
		expect(written).toEqual([change]);
	});
});

it('an update sends only fields that the service accepts as input', async () => {
	server.respondWith((request, response) =>
		sendJson(response, 200, {
			id: 'att_1',
			eventId: 'evt_1',
			firstName: 'A',
			lastName: 'B',
			email: 'a@example.com',
			company: null,
			checkInTime: '2026-01-01T00:00:00Z',
			unknownField: request.method,
		}),
	);
	await runNode(createKit(), 'eventData', {
		resource: 'attendee',
		operation: 'update',
		attendeeId: { __rl: true, mode: 'id', value: 'att_1' },
		changes: { firstName: '"Å" \\ עברית' },
	});
	expect(JSON.parse(server.requests[1]!.body)).toEqual({
		eventId: 'evt_1',
		firstName: '"Å" \\ עברית',
		lastName: 'B',
		email: 'a@example.com',
	});
});
