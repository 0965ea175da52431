// Protects the other fields of an updated record: nothing is written unless the service returned the record to update.
import { EventDataApi } from '../../../credentials/EventDataApi.credentials';
import { EventData } from '../../../nodes/EventData/EventData.node';
import { locateById } from '../../support/locators';
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
const PERSON = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const TALK = {
	title: 'Closing',
	startTime: '2027-03-01T09:00:00Z',
	endTime: '2027-03-01T10:00:00Z',
};
/** A record with the inputs of every resource. */
const RECORD = {
	id: 'one',
	eventId: 'evt_1',
	attendeeId: 'att_1',
	status: 'pending',
	...PERSON,
	...TALK,
};

describe.each([
	{
		resource: 'attendee',
		idParameter: 'attendeeId',
		change: { firstName: 'Zoë' },
		inputs: { eventId: 'evt_1', status: 'pending', ...PERSON },
	},
	{
		resource: 'session',
		idParameter: 'sessionId',
		change: { title: 'Opening' },
		inputs: { eventId: 'evt_1', ...TALK },
	},
	{
		resource: 'registration',
		idParameter: 'registrationId',
		change: { status: 'confirmed' },
		inputs: { eventId: 'evt_1', attendeeId: 'att_1', status: 'pending' },
	},
])('an update that first reads the $resource', ({ resource, idParameter, change, inputs }) => {
	/** Runs Update against a service that responds to the read with `readResponse`. Returns the run and the bodies that were written. */
	const update = async (
		readResponse: unknown,
		requestedId = 'one',
		options: object = {},
		otherChanges: object = {},
	) => {
		const written = { ...RECORD, id: requestedId };
		server.respondWith(({ method }, response) =>
			sendJson(response, 200, method === 'GET' ? readResponse : written),
		);
		const run = await runNode(createKit(), 'eventData', {
			resource,
			operation: 'update',
			[idParameter]: locateById(requestedId),
			changes: { ...change, ...otherChanges },
			options: { tries: 1, ...options },
		});
		const writes = server.requests.filter(({ method }) => method !== 'GET');
		return { ...run, writtenBodies: writes.map(({ body }) => JSON.parse(body) as unknown) };
	};

	it('an empty Event field leaves the event unchanged', async () => {
		const eventId = { __rl: true, mode: 'list', value: '' };
		const { error, writtenBodies } = await update(RECORD, 'one', {}, { eventId });
		expect(error).toBeUndefined();
		expect(writtenBodies).toMatchObject([{ eventId: 'evt_1' }]);
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
		['an error beside the record', { data: RECORD, error: 'not ready' }],
		['a wrapped null', { data: null }],
		['an empty wrapper', { data: {} }],
		['an unknown wrapper', { found: RECORD }],
		['a record without an ID', { ...RECORD, id: undefined }],
		['another record', { ...RECORD, id: 'two' }],
		['another record in a list', [{ ...RECORD, id: 'two' }]],
		['several records', [RECORD, { ...RECORD, id: 'two' }]],
	])('nothing is written and the update fails if the response is %s', async (_, readResponse) => {
		const { error, writtenBodies } = await update(readResponse);
		expect(writtenBodies).toEqual([]);
		expect(error).toBeDefined();
		expect(error!.message).not.toMatch(/Cannot|undefined|not a function/);
		expect(error!.message).toMatch(/^The event data service /);
	});

	it('the error tells a different record from a response without a record', async () => {
		expect((await update({ ...RECORD, id: 'two' })).error).toMatchObject({
			message: `The event data service returned a different ${resource} than requested, so nothing was changed`,
			description: expect.stringContaining('"two"'),
		});
		expect((await update({ found: RECORD })).error).toMatchObject({
			message: `The event data service did not return the ${resource} to update, so nothing was changed`,
			description: expect.stringContaining("'Update Method'"),
		});
	});

	it.each([
		['bare', RECORD],
		['in a list of one', [RECORD]],
		['wrapped in data', { data: RECORD }],
		['in a wrapped list of one', { data: [RECORD], pagination: { total: 1 } }],
		['wrapped in the name of the resource', { [resource]: RECORD }],
		['with the full name of the ID field', { ...RECORD, id: undefined, [idParameter]: 'one' }],
	])('the record is recognized and written if it is returned %s', async (_, readResponse) => {
		const { error, writtenBodies } = await update(readResponse);
		expect(error).toBeUndefined();
		expect(writtenBodies).toEqual([{ ...inputs, ...change }]);
	});

	it('nothing is written if an input was read under another name, or a required one was not', async () => {
		for (const input of Object.keys(inputs).filter((name) => !(name in change))) {
			const { [input]: value, ...others } = RECORD as Record<string, unknown>;
			const spelled = { ...others, [input.toUpperCase()]: value };
			const { error, writtenBodies } = await update(spelled);
			expect(writtenBodies).toEqual([]);
			expect(error!.message).toBe(
				`The event data service returned the ${resource} to update without "${input}", so nothing was changed`,
			);
			// An optional field may be absent.
			expect((await update(others)).writtenBodies).toHaveLength(input === 'status' ? 1 : 0);
		}
	});

	it('an ID that is a number at the service and has spaces around it in the node is recognized', async () => {
		const { error, writtenBodies } = await update({ ...RECORD, id: 7 }, ' 7 ');
		expect(error).toBeUndefined();
		expect(writtenBodies).toHaveLength(1);
	});

	it('an update with the method PATCH reads nothing and sends only the change', async () => {
		const { outputItems, error, writtenBodies } = await update({}, 'one', { verb: 'PATCH' });
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ id: 'one' }]);
		expect(writtenBodies).toEqual([change]);
		const requests = server.requests.map(({ method, url }) => `${method} ${url}`);
		expect(requests).toEqual([`PATCH /${resource}s/one`]);
	});
});

it('an update sends back only fields that the service accepts as input', async () => {
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
		attendeeId: locateById('att_1'),
		changes: { firstName: '"Å" \\ עברית' },
	});
	expect(JSON.parse(server.requests[1]!.body)).toEqual({
		eventId: 'evt_1',
		firstName: '"Å" \\ עברית',
		lastName: 'B',
		email: 'a@example.com',
	});
});

it('two items that change the same record at the same time both take effect', async () => {
	const stored: Record<string, unknown> = { ...RECORD, firstName: 'A', lastName: 'B' };
	server.respondWith(({ method, body }, response) => {
		if (method === 'PUT') Object.assign(stored, JSON.parse(body));
		// A slow response: without a lock, the second item reads the record before the first one has written it.
		const snapshot = { ...stored };
		setTimeout(() => sendJson(response, 200, snapshot), 50);
	});
	const { outputItems, error } = await runNode(
		createKit(),
		'eventData',
		{
			resource: 'attendee',
			operation: 'update',
			attendeeId: locateById('one'),
			changes: { firstName: '={{ $json.firstName }}', lastName: '={{ $json.lastName }}' },
			options: { itemsAtATime: 10 },
		},
		[{ firstName: 'Ada' }, { lastName: 'Lovelace' }],
	);
	expect([error, outputItems.length]).toEqual([undefined, 2]);
	expect(stored).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
});

it('an update outputs the record if the service returns it in a list named after the resource', async () => {
	const updatedRecord = { ...RECORD, firstName: 'Ada' };
	server.respondWith(({ method }, response) =>
		sendJson(response, 200, method === 'GET' ? RECORD : { attendees: [updatedRecord] }),
	);
	const { outputItems } = await runNode(createKit(), 'eventData', {
		resource: 'attendee',
		operation: 'update',
		attendeeId: locateById('one'),
		changes: { firstName: 'Ada' },
		simplify: false,
	});
	expect(outputItems).toEqual([updatedRecord]);
});
