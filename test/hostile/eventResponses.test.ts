// Protects workflows with events from malformed responses: each leads to items or to one clear error.
import { EventDataApi } from '../../credentials/EventDataApi.credentials';
import { EventData } from '../../nodes/EventData/EventData.node';
import { service } from '../../nodes/EventData/service';
import { useFake } from '../nodes/EventRegistration/fakeService';
import { locateById } from '../support/locators';
import { eventRegistrationRows } from '../support/samples/eventRegistration';
import { anyIds } from '../support/samples/eventRegistrationRows';
import { shareOf } from '../support/share';
import { runNode } from '../support/workflow';
import type { NodeKit } from '../support/workflow';

const fake = useFake();

/** An object that `String()` cannot convert. */
const inconvertible = { toString: 1, valueOf: null, Email: { toString: 1 }, CustomFields: 7 };
const bodies: unknown[] = [
	undefined,
	null,
	42,
	true,
	'a text',
	[],
	[null],
	[7, 'x', [null]],
	[[]],
	{},
	{ data: null },
	{ data: [null] },
	{ data: {} },
	{ error: null },
	{ error: { message: {} }, errors: [null], Message: {} },
	{ fields: [null, 7, {}] },
	{ pagination: null, data: 7 },
	{ pagination: { total: -1 }, data: [{ id: {} }] },
	inconvertible,
	[inconvertible, { ContactId: inconvertible, RegistrationId: [], id: inconvertible }],
	{ Id: 1, CustomFields: [null, { Name: null }, { Value: 7 }, [], { Name: {}, Value: {} }] },
];
/** Parts of messages that JavaScript makes and no user should see. */
const RAW =
	/Cannot |is not (a function|iterable)|undefined|\[object|Unexpected|Something unexpected/;

/**
 * Operations in a row that together get every body, by the status of the response. All operations share the code that reads
 * rejections.
 */
const SHARES_BY_STATUS = { 200: 3, 400: 7 };
let testedOperations = 0;

/** Expects an item or one clear error for each body of a share. */
async function expectClearResults(
	run: (status: number, body: unknown) => ReturnType<typeof runNode>,
) {
	const row = testedOperations++;
	for (const status of [200, 400] as const) {
		for (const body of shareOf(bodies, row, SHARES_BY_STATUS[status])) {
			const { error, outputItems } = await run(status, body);
			const message = `${error?.message ?? ''} ${JSON.stringify(outputItems)}`;
			expect({ status, body, raw: RAW.exec(message)?.[0] }).toEqual({
				status,
				body,
				raw: undefined,
			});
			if (status === 400) expect(error).toBeDefined();
		}
	}
}

const options = { tries: 1 };

it.each(eventRegistrationRows(anyIds))(
	'Event Registration, $resource: $operation returns items or one clear error for any response',
	async ({ resource, operation, parameters }) => {
		await expectClearResults(async (status, body) => {
			fake.respondWith(() => ({ status, body }));
			return await fake.run({ resource, operation, ...parameters, options });
		});
	},
);

const changes = {
	attendee: { firstName: 'Zoë' },
	session: { title: 'Opening' },
	registration: { status: 'confirmed' },
};
const rows = Object.entries(service.resources).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => ({ resource, operation })),
);

it.each(rows)(
	'Event Data, $resource: $operation returns items or one clear error for any response',
	async ({ resource, operation }) => {
		const kit: NodeKit = {
			nodes: { eventData: EventData },
			credentials: [EventDataApi],
			credentialData: { eventDataApi: { baseUrl: fake.server.url, apiKey: 'key-0123456789' } },
		};
		const ids = ['eventId', 'attendeeId', 'sessionId', 'registrationId'].map((name) => [
			name,
			locateById('one'),
		]);
		await expectClearResults(async (status, body) => {
			fake.respondWith(() => ({ status, body }));
			return await runNode(kit, 'eventData', {
				resource,
				operation,
				...Object.fromEntries(ids),
				title: 'Opening',
				startTime: '2026-01-01T10:00:00Z',
				endTime: '2026-01-01T11:00:00Z',
				changes: changes[resource as keyof typeof changes],
				options,
			} as never);
		});
	},
);

it.each(['={{ [] }}', '={{ [null] }}', '={{ [" "] }}', '={{ null }}'])(
	'a search for %s is not sent, since it would match every registration',
	async (value) => {
		fake.respondWith(() => ({ body: [] }));
		const search = { resource: 'registration', operation: 'search', eventId: locateById(1) };
		const row = { otherFields: { fields: [{ name: 'Diet', value }] } };
		expect((await fake.run({ ...search, ...row })).error?.message).toBe("'Diet' is missing");
		const criteria = { criteria: { email: value } };
		expect((await fake.run({ ...search, ...criteria })).error?.message).toBe("'Email' is missing");
		expect(fake.server.requests).toEqual([]);
	},
);
