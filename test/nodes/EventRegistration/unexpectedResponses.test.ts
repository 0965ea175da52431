// Protects users from unexpected responses: endless lists stop, long IDs keep every digit, and null is not an empty list.
import { locateById } from '../../support/locators';
import { mapperValue } from './demoIds';
import { useFake } from './fakeService';

const PAGE_SIZE = 200;
const fake = useFake();

const event = { eventId: locateById(1) };
const allRegistrations = { ...event, returnAll: true };
const getRegistrations = (parameters: object = allRegistrations, node?: object) =>
	fake.operate('registration', 'getMany', parameters, [{}], node);
const makeRegistrations = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ RegistrationId: from + index + 1 }));

describe('unexpected behavior of a service', () => {
	it('a list that ignores the page number ends without duplicates, and a hint says why', async () => {
		fake.respondWith(() => ({ body: makeRegistrations(PAGE_SIZE) }));
		const { outputItems, hints, error } = await getRegistrations();
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(200);
		expect(fake.server.requests).toHaveLength(3);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('seems to ignore the page number: the list may be incomplete'),
		]);
	});

	it('an empty response to Get Form is an error that speaks of content, not of a record', async () => {
		fake.respondWith(() => ({ status: 204 }));
		const { outputItems, error } = await fake.operate('registration', 'getForm', event);
		expect(outputItems).toEqual([]);
		expect(error!.message).toBe(
			'The event registration service answered with nothing (status 204), not with the content that was requested',
		);
	});

	const serveEndlessList = () =>
		fake.respondWith((_, count) => ({ body: makeRegistrations(PAGE_SIZE, PAGE_SIZE * count) }));

	it('an endless list stops at Max Records, with a hint', async () => {
		serveEndlessList();
		const { outputItems, hints, error } = await getRegistrations({
			...allRegistrations,
			options: { mostRecords: 1500 },
		});
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1500);
		expect(fake.server.requests).toHaveLength(8);
		expect(hints.map(({ message }) => message)).toEqual([
			"The node stopped after 1,500 records: the list may be incomplete. Narrow it down with a filter. Or raise 'Max Records' in the options.",
		]);
	});

	it('an endless list is read to the limit without a hint, even beyond Max Records', async () => {
		serveEndlessList();
		const limitedParameters = {
			...event,
			returnAll: false,
			limit: 700,
			options: { mostRecords: 300 },
		};
		const { outputItems, hints } = await getRegistrations(limitedParameters);
		expect([outputItems.length, hints]).toEqual([700, []]);
	});

	it('IDs beyond the range of numbers keep every digit in paths, bodies and responses', async () => {
		const id = '9007199254740993';
		fake.respondWith(() => ({ body: [{ OrderId: id, EventId: id }] }));
		const { outputItems } = await fake.operate('order', 'getManyForEvent', {
			eventId: locateById(id),
		});
		expect(outputItems).toEqual([{ OrderId: id, EventId: id }]);
		expect(fake.server.requests[0]!.body).toBe(id);
		fake.respondWith(() => ({ body: {} }));
		await fake.operate('order', 'get', { eventId: locateById(id), orderId: locateById(id) });
		expect(fake.server.requests[0]!.url).toBe(`/api/v1/orders/${id}?eventId=${id}`);
		await fake.operate('registration', 'create', {
			eventId: locateById(id),
			registrationTypeId: locateById(id),
			details: {
				...mapperValue({ Email: 'a@b.example' }),
				schema: [{ id: 'Email', displayName: 'Email' }],
			},
		});
		expect(fake.server.requests.find(({ method }) => method === 'POST')).toMatchObject({
			url: `/api/v1/events/${id}/registrations`,
			body: `{"Email":"a@b.example","RegistrationTypeId":${id}}`,
		});
	});

	it('IDs that are already imprecise numbers are rejected before any request', async () => {
		fake.respondWith(() => ({ body: [] }));
		const { error } = await fake.operate(
			'order',
			'getManyForEvent',
			{ eventId: locateById('={{ $json.id }}') },
			[{ id: 2 ** 60 }],
		);
		expect(error?.message).toBe("'Event' is too long for a number");
		expect(fake.server.requests).toHaveLength(0);
	});
});

it.each(['', ' '])('an event ID of %j is rejected before any request', async (value) => {
	fake.respondWith(() => ({ body: {} }));
	const { error } = await fake
		.operate('event', 'get', { eventId: locateById(value) })
		.catch((thrown: Error) => ({
			error: thrown,
		}));
	expect(error).toBeDefined();
	expect(fake.server.requests).toHaveLength(0);
});

describe('unusual values', () => {
	it('values with quotes, emoji and right-to-left text are sent unchanged', async () => {
		const value = {
			FirstName: '"Zoë" \\ 🎟️',
			LastName: "O'Brien\u202e",
			Email: 'a@b.example',
			Diet: 'חלאל\n',
		};
		fake.respondWith(() => ({ body: {} }));
		const { outputItems } = await fake.operate('registration', 'update', {
			...event,
			registrationId: locateById(5),
			details: mapperValue(value),
		});
		const { Diet, ...standardFields } = value;
		expect(JSON.parse(fake.server.requests[0]!.body)).toEqual({
			...standardFields,
			CustomFields: [{ Name: 'Diet', Value: Diet }],
		});
		// The response has no record, so the node outputs the sent values.
		expect(outputItems).toEqual([{ RegistrationId: 5, ...standardFields, CustomFields: { Diet } }]);
	});
});

it.each([null, 'a text', 42, false])(
	'a response of %j is not accepted as an empty list',
	async (body) => {
		fake.respondWith(() => ({ body }));
		const { outputItems, error } = await getRegistrations({
			...allRegistrations,
			options: { tries: 1 },
		});
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/answered with (nothing|something that is neither)/);
	},
);
