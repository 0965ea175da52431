// Protects Create or Update from duplicates: an email address is added once, even by simultaneous executions.
import type { IDataObject } from 'n8n-workflow';

import { KeyedLock } from '../../../nodes/engine/run/keyedLock';
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';
import { demoIds, mapperValue } from './demoIds';
import { openFakeService } from './fakeService';

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
const countRequests = (request: string) =>
	rig.sandbox.requestLog.count('eventRegistration', request);
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
		expect([countRequests(kind.add), countRequests(kind.update)]).toEqual([1, 0]);
	});

	it('changes a known person, whatever the case of the address', async () => {
		const { outputItems: existing } = await run(resource, 'getMany', {
			returnAll: true,
			simplify: false,
		});
		const emailCounts = new Map<unknown, number>();
		for (const { Email } of existing) emailCounts.set(Email, (emailCounts.get(Email) ?? 0) + 1);
		const before = existing.find(({ Email }) => emailCounts.get(Email) === 1)!;
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
		expect([countRequests(kind.add), countRequests(kind.update)]).toEqual([0, 1]);
	});

	it('finds the person that an earlier item of the run added, even with concurrent items', async () => {
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
		const [found, ...duplicates] = await search(resource, 'a@example.com');
		expect(duplicates).toEqual([]);
		expect(found!.LastName).toBe('Name 3');
	});

	it('adds one person if 20 executions with one address run at the same time', async () => {
		const spellings = ['one@example.com', ' One@Example.com', 'ONE@EXAMPLE.COM  '];
		const runs = await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				save({ email: spellings[index % 3], details: mapperValue(person) }),
			),
		);
		expect(runs.map(({ error }) => error)).toEqual(Array(20).fill(undefined));
		expect(runs.filter(({ outputItems }) => outputItems[0]!.created === true)).toHaveLength(1);
		expect(await search(resource, 'one@example.com')).toHaveLength(1);
		expect([countRequests(kind.add), countRequests(kind.update)]).toEqual([1, 19]);
	});

	it('fails if several people have the address', async () => {
		const twin = { details: mapperValue({ ...person, Email: 'twin@example.com' }) };
		for (let copies = 0; copies < 2; copies++) {
			await run(resource, resource === 'contact' ? 'add' : 'create', twin);
		}
		rig.sandbox.requestLog.clear();
		const { error } = await save({ email: 'twin@example.com', details: mapperValue(person) });
		expect(error).toMatchObject({
			message: `2 ${resource}s have this email address`,
			description: expect.stringMatching(/Use Update with the ID of the right one: \d+, \d+/),
		});
		expect([countRequests(kind.add), countRequests(kind.update)]).toEqual([0, 0]);
	});

	it.each([
		['is missing', '={{ $json.none }}'],
		['is blank', '  '],
		['is an empty list', '={{ [] }}'],
	])('rejects an address that %s before any request', async (_, email) => {
		const { error } = await save({ email, details: mapperValue(person) });
		expect(error?.message).toBe("'Email' is missing");
		expect(countRequests(kind.search)).toBe(0);
	});
});

it('Create or Update does not wait for other lists, addresses or services', async () => {
	const fakes = [await openFakeService(), await openFakeService()];
	const heldResponses: Array<() => void> = [];
	for (const { server } of fakes) {
		server.respondWith(({ url }, response) => {
			if (url.includes('/search')) heldResponses.push(() => response.end('[]'));
			else response.end('{"ContactListId":7}');
		});
	}
	const save = (fakeIndex: number, listId: number, email: string) =>
		fakes[fakeIndex]!.run({
			resource: 'contact',
			operation: 'createOrUpdate',
			contactListId: locateById(listId),
			email,
			details: mapperValue(person),
		});
	const saves = [
		save(0, 7, 'a@example.com'),
		save(0, 8, 'a@example.com'),
		save(0, 7, 'b@example.com'),
		save(1, 7, 'a@example.com'),
	];
	// The searches get their responses only after all four have arrived: none waits for another.
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

it('a waiting Create or Update can be canceled, and the next one continues', async () => {
	const fake = await openFakeService();
	const records: IDataObject[] = [];
	const heldResponses: Array<() => void> = [];
	let searches = 0;
	fake.server.respondWith(({ url, body }, response) => {
		if (!url.includes('/search')) {
			if (url.endsWith('/contacts')) records.push(...(JSON.parse(body) as IDataObject[]));
			response.end('{"ContactListId":7}');
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
	const waitUntil = async (isReached: () => boolean) => {
		while (!isReached() && Date.now() < deadline)
			await new Promise((resolve) => setTimeout(resolve, 10));
	};
	await waitUntil(() => heldResponses.length === 1);
	let cancel = () => undefined as void;
	const lockSpy = jest.spyOn(KeyedLock.prototype, 'runExclusive');
	const second = save((stop) => (cancel = stop));
	// The second run reads the form of the list, then waits for the lock of the first run.
	await waitUntil(() => lockSpy.mock.calls.length === 1);
	lockSpy.mockRestore();
	const third = save();
	cancel();
	await second.catch(() => undefined);
	heldResponses[0]!();
	expect((await first).outputItems).toMatchObject([{ created: true }]);
	expect((await third).outputItems).toMatchObject([{ created: false }]);
	expect([records.length, searches]).toEqual([1, 2]);
	await fake.server.close();
});

it('Create or Update ignores search results whose address merely contains the requested address', async () => {
	const fake = await openFakeService();
	fake.respondWith(({ url }) => {
		if (url.includes('/search')) return { body: [{ ContactId: 5, Email: 'not-a@example.com' }] };
		return { body: { ContactListId: 7 } };
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
