import type { IDataObject } from 'n8n-workflow';

import { useFake } from './fake';
import { byId, mapped } from './samples';

const fake = useFake();

const event = { eventId: byId(1) };
const all = { ...event, returnAll: true };
const registrations = (parameters: object = all, node?: object) =>
	fake.operate('registration', 'getMany', parameters, [{}], node);
const made = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ RegistrationId: from + index + 1 }));

describe('a service that', () => {
	it('ignores the page number: the list ends without duplicates, and a hint says why', async () => {
		fake.respondWith(() => ({ body: made(200) }));
		const { outputItems, hints, error } = await registrations();
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(200);
		expect(fake.server.requests).toHaveLength(3);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('seems to ignore the page number: the list may be incomplete'),
		]);
	});

	const endless = () => fake.respondWith((_, count) => ({ body: made(200, 200 * count) }));

	it('never ends its list: reading stops at Max Records, with a hint', async () => {
		endless();
		const { outputItems, hints, error } = await registrations({
			...all,
			options: { mostRecords: 1500 },
		});
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1500);
		expect(fake.server.requests).toHaveLength(8);
		expect(hints.map(({ message }) => message)).toEqual([
			"The node stopped after 1,500 records: the list may be incomplete. Narrow it down with a filter. Or raise 'Max Records' in the options.",
		]);
	});

	it('never ends its list: a limit is applied without a hint, even beyond Max Records', async () => {
		endless();
		const limited = { ...event, returnAll: false, limit: 700, options: { mostRecords: 300 } };
		const { outputItems, hints } = await registrations(limited);
		expect([outputItems.length, hints]).toEqual([700, []]);
	});

	it('has IDs beyond the range of numbers: every digit is kept in paths, bodies and responses', async () => {
		const id = '9007199254740993';
		fake.respondWith(() => ({ body: [{ OrderId: id, EventId: id }] }));
		const { outputItems } = await fake.operate('order', 'getManyForEvent', { eventId: byId(id) });
		expect(outputItems).toEqual([{ OrderId: id, EventId: id }]);
		expect(fake.server.requests[0]!.body).toBe(id);
		fake.respondWith(() => ({ body: {} }));
		await fake.operate('order', 'get', { eventId: byId(id), orderId: byId(id) });
		expect(fake.server.requests[0]!.url).toBe(`/api/v1/orders/${id}?eventId=${id}`);
		await fake.operate('registration', 'create', {
			eventId: byId(id),
			registrationTypeId: byId(id),
			details: {
				...mapped({ Email: 'a@b.example' }),
				schema: [{ id: 'Email', displayName: 'Email' }],
			},
		});
		expect(fake.server.requests.find(({ method }) => method === 'POST')).toMatchObject({
			url: `/api/v1/events/${id}/registrations`,
			body: `{"Email":"a@b.example","RegistrationTypeId":${id}}`,
		});
	});

	it('has IDs that are already imprecise numbers: the node rejects them before any request', async () => {
		fake.respondWith(() => ({ body: [] }));
		const { error } = await fake.operate(
			'order',
			'getManyForEvent',
			{ eventId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } },
			[{ id: 2 ** 60 }],
		);
		expect(error?.message).toBe("'Event' is too long for a number");
		expect(fake.server.requests).toHaveLength(0);
	});
});

it.each(['', ' '])('an event ID of %j is rejected before any request', async (value) => {
	fake.respondWith(() => ({ body: {} }));
	const { error } = await fake
		.operate('event', 'get', { eventId: byId(value) })
		.catch((thrown: Error) => ({
			error: thrown,
		}));
	expect(error).toBeDefined();
	expect(fake.server.requests).toHaveLength(0);
});

describe('values', () => {
	it('with quotes, emoji and right-to-left text are sent unchanged', async () => {
		const value = {
			FirstName: '"Zoë" \\ 🎟️',
			LastName: "O'Brien\u202e",
			Email: 'a@b.example',
			Diet: 'חלאל\n',
		};
		fake.respondWith(() => ({ body: {} }));
		const { outputItems } = await fake.operate('registration', 'update', {
			...event,
			registrationId: byId(5),
			details: mapped(value),
		});
		const { Diet, ...known } = value;
		expect(JSON.parse(fake.server.requests[0]!.body)).toEqual({
			...known,
			CustomFields: [{ Name: 'Diet', Value: Diet }],
		});
		// The service answered with no record, so the output is what was sent.
		expect(outputItems).toEqual([{ RegistrationId: 5, ...known, CustomFields: { Diet } }]);
	});
});

describe('a write with an empty response', () => {
	it.each<[string, string, object, IDataObject]>([
		[
			'registration',
			'create',
			{ details: mapped({ Email: 'a@b.example' }) },
			{ Email: 'a@b.example' },
		],
		[
			'registration',
			'replaceOptions',
			{ registrationId: byId(5), registrationOptions: { options: [{ optionId: '3' }] } },
			{ RegistrationId: 5, EventId: 1 },
		],
		['contactList', 'create', { name: 'New' }, { Name: 'New' }],
		['contactList', 'delete', { contactListId: byId(3) }, { deleted: true, ContactListId: 3 }],
		[
			'contact',
			'remove',
			{ contactListId: byId(3), contactId: byId(4) },
			{ deleted: true, ContactId: 4, ContactListId: 3 },
		],
	])('%s: %s outputs what was done', async (resource, operation, parameters, expected) => {
		for (const body of [[], undefined]) {
			fake.respondWith(({ url }) => ({ body: url.endsWith('form') ? {} : body }));
			const { outputItems, error } = await fake.operate(resource, operation, {
				...event,
				...parameters,
			});
			expect(error).toBeUndefined();
			expect(outputItems).toEqual([expected]);
		}
	});
});

it.each([null, 'a text', 42, false])(
	'a response of %j is not taken for an empty list',
	async (body) => {
		fake.respondWith(() => ({ body }));
		const { outputItems, error } = await registrations({ ...all, options: { tries: 1 } });
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/answered with (nothing|something that is neither)/);
	},
);
