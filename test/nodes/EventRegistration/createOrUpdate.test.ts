import type { IDataObject } from 'n8n-workflow';

import { openHouse } from '../../support/house';
import type { House } from '../../support/house';
import { openFake } from './fake';
import { byId, known, mapped } from './samples';

let house: House;
beforeAll(async () => {
	house = await openHouse({ registrations: 600 });
});
afterAll(async () => {
	expect(house.sandbox.faults).toEqual([]);
	await house.close();
});
beforeEach(() => house.sandbox.reset());

const places = {
	registration: { eventId: byId(known.eventId) },
	contact: { contactListId: byId(known.contactListId) },
};
type Resource = keyof typeof places;
const run = (
	resource: Resource,
	operation: string,
	parameters: object,
	input?: IDataObject[],
	node: object = {},
) =>
	house.run(
		'eventRegistration',
		{ resource, operation, ...places[resource], ...parameters },
		input,
		node,
	);
const search = async (resource: Resource, email: string) =>
	(await run(resource, 'search', { criteria: { email }, simplify: false })).out;
const count = (request: string) => house.sandbox.journal.count('eventRegistration', request);
const person = { FirstName: 'Zoë', LastName: 'Lindqvist' };

describe.each([
	{
		resource: 'registration',
		id: 'RegistrationId',
		add: 'createRegistration',
		update: 'updateRegistration',
		search: 'searchRegistrations',
	},
	{
		resource: 'contact',
		id: 'ContactId',
		add: 'addContacts',
		update: 'updateContact',
		search: 'searchContacts',
	},
] as const)('Create or Update of a $resource', (kind) => {
	const { resource } = kind;
	const save = (parameters: object, input?: IDataObject[], node?: object) =>
		run(resource, 'createOrUpdate', parameters, input, node);

	it('adds the person whom nobody knows, in two calls', async () => {
		const { out, error } = await save({ email: ' Zoe@Example.com ', details: mapped(person) });
		expect(error).toBeUndefined();
		expect(out[0]).toMatchObject({ created: true, ...person, Email: 'Zoe@Example.com' });
		expect(await search(resource, 'zoe@example.com')).toHaveLength(1);
		expect([count(kind.add), count(kind.update)]).toEqual([1, 0]);
	});

	it('changes the person whom the service knows, whatever the case of the address', async () => {
		const { out: all } = await run(resource, 'getMany', { returnAll: true, simplify: false });
		const times = new Map<unknown, number>();
		for (const { Email } of all) times.set(Email, (times.get(Email) ?? 0) + 1);
		const before = all.find(({ Email }) => times.get(Email) === 1)!;
		const { out, error } = await save({
			email: (before.Email as string).toUpperCase(),
			details: mapped({ ...person, FirstName: null, LastName: 'Øster' }),
		});
		expect(error).toBeUndefined();
		expect(out[0]).toMatchObject({ created: false, [kind.id]: before[kind.id], LastName: 'Øster' });
		expect(out[0]!.FirstName).toBe(before.FirstName);
		expect([count(kind.add), count(kind.update)]).toEqual([0, 1]);
	});

	it('finds in the second item what the first one added, even when many run at a time', async () => {
		const input = ['a@example.com', 'A@example.com ', 'b@example.com', 'a@example.com'].map(
			(email, index) => ({ email, name: `Name ${index}` }),
		);
		const { out, error } = await save(
			{
				email: '={{ $json.email }}',
				details: mapped({ ...person, LastName: '={{ $json.name }}' }),
				options: { itemsAtATime: 10 },
			},
			input,
		);
		expect(error).toBeUndefined();
		expect(out.map(({ created }) => created)).toEqual([true, false, true, false]);
		const [a, ...more] = await search(resource, 'a@example.com');
		expect(more).toEqual([]);
		expect(a!.LastName).toBe('Name 3');
	});

	it('leaves it to a person when several have the address', async () => {
		const twin = { details: mapped({ ...person, Email: 'twin@example.com' }) };
		for (let times = 0; times < 2; times++) {
			await run(resource, resource === 'contact' ? 'add' : 'create', twin);
		}
		house.sandbox.journal.clear();
		const { error } = await save({ email: 'twin@example.com', details: mapped(person) });
		expect(error).toMatchObject({
			message: `2 ${resource}s have this email address`,
			description: expect.stringMatching(/Use Update with one of these IDs: \d+, \d+/),
		});
		expect([count(kind.add), count(kind.update)]).toEqual([0, 0]);
	});

	it.each([
		['is not there', '={{ $json.none }}'],
		['is a blank', '  '],
		['is an empty list', '={{ [] }}'],
	])('asks for an address that %s before anything is sent', async (_, email) => {
		const { error } = await save({ email, details: mapped(person) });
		expect(error?.message).toBe('Email is missing');
		expect(count(kind.search)).toBe(0);
	});

	it('repeats the search after a failure of the service, and never the write', async () => {
		const { weather } = house.sandbox;
		const options = { tries: 3, longestWait: 1 };
		const bad = { service: 'eventRegistration', kind: '503', retryAfter: 0, times: 1 } as const;
		weather.set({ ...bad, operation: kind.search });
		weather.set({ ...bad, operation: kind.add });
		const { error } = await save({ email: 'new@example.com', details: mapped(person), options });
		expect((error as unknown as { description: string }).description).toContain(
			`It is not known whether the ${resource} was added`,
		);
		expect([count(kind.search), count(kind.add)]).toEqual([2, 1]);
	});
});

it('is not deceived by a search that finds addresses which merely contain the wanted one', async () => {
	const fake = await openFake();
	fake.answer(({ url, method }) => {
		if (url.includes('/search')) return { body: [{ ContactId: 5, Email: 'not-a@example.com' }] };
		if (method === 'GET') return { body: {} };
		return { body: {} };
	});
	const { out } = await fake.run({
		resource: 'contact',
		operation: 'createOrUpdate',
		contactListId: byId(7),
		email: 'a@example.com',
		details: mapped(person),
	});
	expect(out).toEqual([
		{ created: true, success: true, ContactListId: '7', ...person, Email: 'a@example.com' },
	]);
	await fake.server.close();
});
