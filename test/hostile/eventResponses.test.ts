import { EventDataApi } from '../../credentials/EventDataApi.credentials';
import { EventData } from '../../nodes/EventData/EventData.node';
import { service } from '../../nodes/EventData/service';
import { useFake } from '../nodes/EventRegistration/fakeService';
import { eventRegistrationRows } from '../support/samples/eventRegistration';
import { anyIds } from '../support/samples/eventRegistrationRows';
import { locateById } from '../support/samples/sample';
import { runNode } from '../support/workflow';
import type { Kit } from '../support/workflow';

const fake = useFake();

/** An object that even cannot be made a text of by ordinary means. */
const unspeakable = { toString: 1, valueOf: null, Email: { toString: 1 }, CustomFields: 7 };
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
	unspeakable,
	[unspeakable, { ContactId: unspeakable, RegistrationId: [], id: unspeakable }],
	{ Id: 1, CustomFields: [null, { Name: null }, { Value: 7 }, [], { Name: {}, Value: {} }] },
];
const RAW =
	/Cannot |is not (a function|iterable)|undefined|\[object|Unexpected|Something unexpected/;

/**
 * Expects an item or one clear error from any body. Rejections are read by code that all operations share: each
 * operation gets a seventh of the bodies with status 400, and any seven in a row get them all.
 */
const ERROR_SHARE = 7;
let tested = 0;

async function expectClear(run: (status: number, body: unknown) => ReturnType<typeof runNode>) {
	const place = tested++ % ERROR_SHARE;
	for (const [index, body] of bodies.entries()) {
		for (const status of index % ERROR_SHARE === place ? [200, 400] : [200]) {
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
	'Event Registration, $resource: $operation handles any response correctly',
	async ({ resource, operation, parameters }) => {
		await expectClear(async (status, body) => {
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
	'Event Data, $resource: $operation handles any response correctly',
	async ({ resource, operation }) => {
		const kit: Kit = {
			nodes: { eventData: EventData },
			credentials: [EventDataApi],
			credentialData: { eventDataApi: { baseUrl: fake.server.url, apiKey: 'key-0123456789' } },
		};
		const ids = ['eventId', 'attendeeId', 'sessionId', 'registrationId'].map((name) => [
			name,
			locateById('one'),
		]);
		await expectClear(async (status, body) => {
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
	'a search for %s is not sent, since it would match everyone',
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
