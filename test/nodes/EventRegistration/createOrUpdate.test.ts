import type { IDataObject } from 'n8n-workflow';

import { KeyedLock } from '../../../nodes/engine/run/keyedLock';
import { useRig } from '../../support/sandboxRig';
import { openFake } from './fakeService';
import { locateById, demoIds, mapperValue } from './samples';

const rig = useRig({ registrations: 600 });

const places = {
	registration: { eventId: locateById(demoIds.eventId) },
	contact: { contactListId: locateById(demoIds.contactListId) },
};
type Resource = keyof typeof places;
const run = (
	resource: Resource,
	operation: string,
	parameters: object,
	input?: IDataObject[],
	node: object = {},
) =>
	rig.run(
		'eventRegistration',
		{ resource, operation, ...places[resource], ...parameters },
		input,
		node,
	);
const search = async (resource: Resource, email: string) =>
	(await run(resource, 'search', { criteria: { email }, simplify: false })).outputItems;
const count = (request: string) => rig.sandbox.requestLog.count('eventRegistration', request);
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

	it('adds an unknown person with two requests', async () => {
		const { outputItems, error } = await save({
			email: ' Zoe@Example.com ',
			details: mapperValue(person),
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ created: true, ...person, Email: 'Zoe@Example.com' });
		expect(await search(resource, 'zoe@example.com')).toHaveLength(1);
		expect([count(kind.add), count(kind.update)]).toEqual([1, 0]);
	});

	it('changes a known person, whatever the case of the address', async () => {
		const { outputItems: existing } = await run(resource, 'getMany', {
			returnAll: true,
			simplify: false,
		});
		const times = new Map<unknown, number>();
		for (const { Email } of existing) times.set(Email, (times.get(Email) ?? 0) + 1);
		const before = existing.find(({ Email }) => times.get(Email) === 1)!;
		const { outputItems, error } = await save({
			email: (before.Email as string).toUpperCase(),
			details: mapperValue({ ...person, FirstName: null, LastName: 'Øster' }),
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({
			created: false,
			[kind.id]: before[kind.id],
			LastName: 'Øster',
		});
		expect(outputItems[0]!.FirstName).toBe(before.FirstName);
		expect([count(kind.add), count(kind.update)]).toEqual([0, 1]);
	});

	it('finds in the second item the person that the first one added, even with concurrent items', async () => {
		const input = ['a@example.com', 'A@example.com ', 'b@example.com', 'a@example.com'].map(
			(email, index) => ({ email, name: `Name ${index}` }),
		);
		const { outputItems, error } = await save(
			{
				email: '={{ $json.email }}',
				details: mapperValue({ ...person, LastName: '={{ $json.name }}' }),
				options: { itemsAtATime: 10 },
			},
			input,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ created }) => created)).toEqual([true, false, true, false]);
		const [a, ...duplicates] = await search(resource, 'a@example.com');
		expect(duplicates).toEqual([]);
		expect(a!.LastName).toBe('Name 3');
	});

	it('adds one person if 20 executions add the same one simultaneously', async () => {
		const spellings = ['one@example.com', ' One@Example.com', 'ONE@EXAMPLE.COM  '];
		const runs = await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				save({ email: spellings[index % 3], details: mapperValue(person) }),
			),
		);
		expect(runs.map(({ error }) => error)).toEqual(Array(20).fill(undefined));
		expect(runs.filter(({ outputItems }) => outputItems[0]!.created === true)).toHaveLength(1);
		expect(await search(resource, 'one@example.com')).toHaveLength(1);
		expect([count(kind.add), count(kind.update)]).toEqual([1, 19]);
	});

	it('fails if several people have the address', async () => {
		const twin = { details: mapperValue({ ...person, Email: 'twin@example.com' }) };
		for (let times = 0; times < 2; times++) {
			await run(resource, resource === 'contact' ? 'add' : 'create', twin);
		}
		rig.sandbox.requestLog.clear();
		const { error } = await save({ email: 'twin@example.com', details: mapperValue(person) });
		expect(error).toMatchObject({
			message: `2 ${resource}s have this email address`,
			description: expect.stringMatching(/Use Update with the ID of the right one: \d+, \d+/),
		});
		expect([count(kind.add), count(kind.update)]).toEqual([0, 0]);
	});

	it.each([
		['is not there', '={{ $json.none }}'],
		['is a blank', '  '],
		['is an empty list', '={{ [] }}'],
	])('rejects an address that %s before any request', async (_, email) => {
		const { error } = await save({ email, details: mapperValue(person) });
		expect(error?.message).toBe("'Email' is missing");
		expect(count(kind.search)).toBe(0);
	});
});

it('Create or Update does not wait for other lists, addresses or services', async () => {
	const fakes = [await openFake(), await openFake()];
	const heldResponses: Array<() => void> = [];
	for (const { server } of fakes) {
		server.respondWith(({ url }, response) => {
			if (url.includes('/search')) heldResponses.push(() => response.end('[]'));
			else response.end('{}');
		});
	}
	const save = (fake: number, list: number, email: string) =>
		fakes[fake]!.run({
			resource: 'contact',
			operation: 'createOrUpdate',
			contactListId: locateById(list),
			email,
			details: mapperValue(person),
		});
	const saves = [
		save(0, 7, 'a@example.com'),
		save(0, 8, 'a@example.com'),
		save(0, 7, 'b@example.com'),
		save(1, 7, 'a@example.com'),
	];
	// Each search is answered only when all four have come.
	const deadline = Date.now() + 20_000;
	while (heldResponses.length < 4 && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	expect(heldResponses).toHaveLength(4);
	for (const respond of heldResponses) respond();
	expect((await Promise.all(saves)).map(({ outputItems }) => outputItems[0]!.created)).toEqual(
		Array(4).fill(true),
	);
	for (const { server } of fakes) await server.close();
});

it('a waiting Create or Update can be cancelled, and the next ones continue', async () => {
	const fake = await openFake();
	const records: IDataObject[] = [];
	const heldResponses: Array<() => void> = [];
	let searches = 0;
	fake.server.respondWith(({ url, body }, response) => {
		if (!url.includes('/search')) {
			if (url.endsWith('/contacts')) records.push(...(JSON.parse(body) as IDataObject[]));
			response.end('{}');
			return;
		}
		const searchResult = () => records.map((record) => ({ ...record, ContactId: 1 }));
		if (++searches === 1) heldResponses.push(() => response.end(JSON.stringify(searchResult())));
		else response.end(JSON.stringify(searchResult()));
	});
	const save = (onStart?: (cancel: () => void) => void) =>
		fake.run(
			{
				resource: 'contact',
				operation: 'createOrUpdate',
				contactListId: locateById(7),
				email: 'a@example.com',
				details: mapperValue(person),
			},
			[{}],
			{ onStart },
		);
	const first = save();
	const deadline = Date.now() + 20_000;
	const waitUntil = async (holds: () => boolean) => {
		while (!holds() && Date.now() < deadline) await new Promise((next) => setTimeout(next, 10));
	};
	await waitUntil(() => heldResponses.length === 1);
	let cancel = () => undefined as void;
	const locking = jest.spyOn(KeyedLock.prototype, 'runExclusive');
	const second = save((stop) => (cancel = stop));
	// It reads the form of the list first, then waits for the lock that the first one holds.
	await waitUntil(() => locking.mock.calls.length === 1);
	locking.mockRestore();
	const third = save();
	cancel();
	await second.catch(() => undefined);
	heldResponses[0]!();
	expect((await first).outputItems).toMatchObject([{ created: true }]);
	expect((await third).outputItems).toMatchObject([{ created: false }]);
	expect([records.length, searches]).toEqual([1, 2]);
	await fake.server.close();
});

it('Create or Update ignores search results whose address merely contains the requested one', async () => {
	const fake = await openFake();
	fake.respondWith(({ url }) => {
		if (url.includes('/search')) return { body: [{ ContactId: 5, Email: 'not-a@example.com' }] };
		return { body: {} };
	});
	const { outputItems } = await fake.run({
		resource: 'contact',
		operation: 'createOrUpdate',
		contactListId: locateById(7),
		email: 'a@example.com',
		details: mapperValue(person),
	});
	expect(outputItems).toEqual([{ created: true, ...person, Email: 'a@example.com' }]);
	await fake.server.close();
});
