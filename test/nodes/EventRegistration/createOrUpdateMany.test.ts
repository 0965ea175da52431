import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { registrationForm } from '../../../nodes/EventRegistration/form/formDefinitions';
import { emailLockKey } from '../../../nodes/EventRegistration/upsert';
import { useRig } from '../../support/sandboxRig';
import { scaleRunCount } from '../../support/scaleRunCount';
import { sendJson } from '../../support/toy';
import { useFake } from './fakeService';
import type { Fake } from './fakeService';
import { locateById, demoIds, mapperValue } from './samples';

/** Create or Update of many people in one execution. */

const rig = useRig({ registrations: 600 });

const email = '={{ $json.email }}';
/** By the names of input fields: without a stored description, the form is read from the service. */
const byName = { mappingMode: 'autoMapInputData', value: null, schema: [] };

describe.each([
	{
		resource: 'registration',
		place: { eventId: locateById(demoIds.eventId) },
		form: 'getRegistrationForm',
		search: 'searchRegistrations',
		add: 'createRegistration',
		update: 'updateRegistration',
	},
	{
		resource: 'contact',
		place: { contactListId: locateById(demoIds.contactListId) },
		form: 'getContactForm',
		search: 'searchContacts',
		add: 'addContacts',
		update: 'updateContact',
	},
])('100 people by Create or Update of a $resource', ({ resource, place, ...requests }) => {
	const count = (request: string) => rig.sandbox.requestLog.count('eventRegistration', request);
	const save = async (input: IDataObject[], options: INodeParameters) =>
		await rig.run(
			'eventRegistration',
			{ resource, operation: 'createOrUpdate', ...place, email, details: byName, options },
			input,
		);

	it('the error quotes the address that the service rejected when the run stops', async () => {
		const people = ['ada@example.com', 'jo@@x'].map((email) => ({
			email,
			FirstName: 'Zoë',
			LastName: 'Lindqvist',
		}));
		const { error } = await save(people, { itemsAtATime: 1 });
		expect(error?.message).toMatch(
			/not a valid email address\. The value was "jo@@x"\. \[item 1\]$/,
		);
	});

	it('a stopped run can be repeated safely, which the error says', async () => {
		const people = ['ada@example.com', '', 'eva@example.com'].map((email) => ({
			email,
			FirstName: 'Zoë',
			LastName: 'Lindqvist',
		}));
		const { error } = await save(people, { itemsAtATime: 1 });
		expect(error).toMatchObject({
			description: expect.stringMatching(
				/ For 1 other item, the \w+ was added or changed\. Running it again with all items is safe/,
			) as string,
		});
		people[1]!.email = 'bo@example.com';
		const { outputItems } = await save(people, { itemsAtATime: 1 });
		expect(outputItems.map(({ created }) => created)).toEqual([false, true, true]);
	});

	it('100 people need one form request, and a search and a write each, in order', async () => {
		const people = Array.from({ length: 100 }, (_, n) => ({
			email: `person${n}@example.com`,
			FirstName: 'Zoë',
			LastName: `Lindqvist ${n}`,
		}));
		for (const created of [true, false]) {
			rig.sandbox.requestLog.clear();
			const { outputItems, items, error } = await save(people, { itemsAtATime: 10 });
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject(
				people.map(({ email: Email, LastName }) => ({ created, Email, LastName })),
			);
			expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
				people.map((_, item) => ({ item })),
			);
			const { form, search, add, update } = requests;
			expect([form, search, add, update].map(count)).toEqual([
				1,
				100,
				created ? 100 : 0,
				created ? 0 : 100,
			]);
		}
	});
});

/** A contact list that responds when the test says so, and rejects the people marked as bad. */
class Contacts {
	readonly held: Array<() => void> = [];
	readonly records: Array<IDataObject & { Email: string }> = [];
	/** For each address, what happened in order. */
	readonly log = new Map<string, string[]>();
	busy = new Set<string>();
	/** Whether two requests about one address were ever under way. */
	crossed = false;
	most = 0;
	private underWay = 0;

	constructor(
		readonly fake: Fake,
		hold: (respond: () => void) => void,
		isBad: (address: string) => boolean = () => false,
	) {
		fake.server.respondWith(({ url, method, body }, response) => {
			if (method === 'GET') return sendJson(response, 200, {});
			const given = JSON.parse(body) as IDataObject | IDataObject[];
			const person = Array.isArray(given) ? given[0]! : given;
			const address = `${person.Email as string}`.toLowerCase();
			const isSearch = url.includes('/search');
			this.most = Math.max(this.most, ++this.underWay);
			this.crossed ||= this.busy.has(address);
			this.busy.add(address);
			hold(() => {
				this.busy.delete(address);
				this.underWay--;
				this.log.set(address, [...(this.log.get(address) ?? []), isSearch ? 'search' : method]);
				const found = this.records.filter(({ Email }) => Email.toLowerCase() === address);
				if (isSearch) return sendJson(response, 200, found);
				if (isBad(address)) return sendJson(response, 400, { Message: 'Not this one' });
				if (method === 'POST') {
					this.records.push({ ...person, Email: address, ContactId: this.records.length + 1 });
				}
				sendJson(response, 200, {});
			});
		});
	}

	async save(people: IDataObject[], itemsAtATime: number | undefined, node: object = {}) {
		return await this.fake.run(
			{
				resource: 'contact',
				operation: 'createOrUpdate',
				contactListId: locateById(7),
				email,
				details: mapperValue({ FirstName: 'Zoë', LastName: '={{ $json.name }}' }),
				options: itemsAtATime === undefined ? {} : { itemsAtATime },
			},
			people,
			node,
		);
	}
}

const waitUntil = async (holds: () => boolean) => {
	const deadline = Date.now() + 20_000;
	while (!holds() && Date.now() < deadline) await new Promise((next) => setTimeout(next, 5));
};

describe('many people', () => {
	const fake = useFake();

	it.each([
		['ten at a time', undefined, 10],
		['with the concurrency that the user chooses', 3, 3],
		['sequentially if the user chooses that', 1, 1],
	])('people are processed %s', async (_, chosen, expected) => {
		const heldResponses: Array<() => void> = [];
		// Holds the responses until this many requests are waiting.
		const contacts = new Contacts(fake, (respond) => {
			heldResponses.push(respond);
			if (heldResponses.length === expected)
				heldResponses.splice(0).forEach((each) => setTimeout(each, 20));
		});
		const people = Array.from({ length: 30 }, (__, n) => ({ email: `${n}@x.com`, name: `${n}` }));
		const { outputItems, error } = await contacts.save(people, chosen);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ created, Email }) => [created, Email])).toEqual(
			people.map(({ email: address }) => [true, address]),
		);
		expect(contacts.most).toBe(expected);
	});
});

describe('people with equal addresses', () => {
	const fake = useFake();

	it('waiting people do not count against the concurrency limit', async () => {
		const heldResponses: Array<() => void> = [];
		const contacts = new Contacts(fake, (respond) => heldResponses.push(respond));
		const people = ['a', 'A', 'a', 'b', 'a', 'c'].map((name) => ({ email: `${name}@x.com`, name }));
		const saving = contacts.save(people, 3);
		// All three places are taken by different people, although the first three items are one and the same.
		await waitUntil(() => heldResponses.length === 3);
		expect([...contacts.busy].sort()).toEqual(['a@x.com', 'b@x.com', 'c@x.com']);
		const releaseTimer = setInterval(
			() => heldResponses.splice(0).forEach((respond) => respond()),
			1,
		);
		const { outputItems } = await saving;
		clearInterval(releaseTimer);
		expect(outputItems.map(({ created }) => created)).toEqual([
			true,
			false,
			false,
			true,
			false,
			true,
		]);
		expect(contacts.records).toHaveLength(3);
	});

	it('people are added once each, in order, and fail separately, for any combination', async () => {
		const person = fc.record({
			email: fc.constantFrom('a', 'A ', 'b', 'c', 'd', 'bad', 'Bad', ''),
			name: fc.string(),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(person, { minLength: 1, maxLength: 12 }),
				fc.integer({ min: 1, max: 6 }),
				async (people, atATime) => {
					const contacts = new Contacts(
						fake,
						(respond) => setTimeout(respond, 3 * Math.random()),
						(address) => address.startsWith('bad'),
					);
					const input = people.map((each) => ({
						...each,
						email: each.email && `${each.email.trim()}@x.com`,
					}));
					const { outputItems, errorItems } = await contacts.save(input, atATime, {
						onError: 'continueErrorOutput',
					});
					const addresses = input.map((each) => each.email.toLowerCase());
					const isGood = (address: string) => address !== '' && !address.startsWith('bad');
					const knownAddresses = new Set<string>();
					const expected = addresses.filter(isGood).map((address) => {
						const created = !knownAddresses.has(address);
						knownAddresses.add(address);
						return { created };
					});
					expect(outputItems).toMatchObject(expected);
					expect(outputItems).toHaveLength(expected.length);
					expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
						addresses.flatMap((address, item) => (isGood(address) ? [] : [{ item }])),
					);
					expect(contacts.records.map(({ Email }) => Email).sort()).toEqual(
						[...knownAddresses].sort(),
					);
					expect(contacts.crossed).toBe(false);
					expect(contacts.most).toBeLessThanOrEqual(atATime);
					for (const [address, steps] of contacts.log) {
						const times = addresses.filter((other) => other === address).length;
						const later = isGood(address) ? ['search', 'PATCH'] : ['search', 'POST'];
						const rest = Array.from({ length: times - 1 }, () => later).flat();
						expect(steps).toEqual(['search', 'POST', ...rest]);
					}
				},
			),
			{ numRuns: scaleRunCount(12) },
		);
	});
});

it('Create or Update recognizes the same person in any spelling of address and event ID', () => {
	const client = { connection: { baseUrl: 'http://127.0.0.1/00/v1' } };
	const lockKey = (eventId: string, address: string) =>
		emailLockKey(
			{
				form: registrationForm,
				nouns: ['registration', 'registrations'],
				id: 'RegistrationId',
				path: '/api/v1/events/{eventId}/registrations',
			},
			{ eventId, email: address },
			{ client } as never,
		);
	expect(lockKey('001004', 'Ada@Example.com')).toBe(lockKey('1004', 'ada@example.com'));
	expect(lockKey('1004', 'ada@example.com')).not.toBe(lockKey('10040', 'ada@example.com'));
	expect(lockKey('0', 'ada@example.com')).not.toBe(lockKey('1', 'ada@example.com'));
});
