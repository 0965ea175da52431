// Protects Create or Update of many people: each is added once, in order, within the concurrency limit, and fails alone.
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { registrationForm } from '../../../nodes/EventRegistration/form/formDefinitions';
import { lists } from '../../../nodes/EventRegistration/lists';
import { emailLockKey } from '../../../nodes/EventRegistration/write/upsert';
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';
import { scaleRunCount } from '../../support/scaleRunCount';
import { sendJson } from '../../support/toy';
import { demoIds, mapperValue } from './demoIds';
import { useFake } from './fakeService';
import type { FakeService } from './fakeService';

const rig = useRig({ registrations: 600 });

const email = '={{ $json.email }}';
/** Maps input fields by name. Without a stored schema, the node reads the form from the service. */
const mapByName = { mappingMode: 'autoMapInputData', value: null, schema: [] };

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
])('Create or Update of several items ($resource)', ({ resource, place, ...requests }) => {
	const countRequests = (request: string) =>
		rig.sandbox.requestLog.count('eventRegistration', request);
	const save = async (input: IDataObject[], options: INodeParameters) =>
		await rig.run(
			'eventRegistration',
			{ resource, operation: 'createOrUpdate', ...place, email, details: mapByName, options },
			input,
		);

	it('the error quotes the address that the service rejected', async () => {
		const people = ['ada@example.com', 'jo@@x'].map((email) => ({
			email,
			FirstName: 'Zoë',
			LastName: 'Lindqvist',
		}));
		const { error } = await save(people, { itemsAtATime: 1 });
		expect(error?.message).toMatch(
			/^Row 2 of 2 \(jo@@x\): .* not a valid email address\. The value was "jo@@x"\.$/,
		);
	});

	it('the error of a stopped run says that it can be repeated, and the repeated run adds no person twice', async () => {
		const people = ['ada@example.com', '', 'eva@example.com'].map((email) => ({
			email,
			FirstName: 'Zoë',
			LastName: 'Lindqvist',
		}));
		const { error } = await save(people, { itemsAtATime: 1 });
		expect(error).toMatchObject({
			description: expect.stringMatching(
				/ For 1 other row, the \w+ was added or changed\. Running it again with all items is safe/,
			) as string,
		});
		people[1]!.email = 'bo@example.com';
		const { outputItems } = await save(people, { itemsAtATime: 1 });
		expect(outputItems.map(({ created }) => created)).toEqual([false, true, true]);
	});

	it('100 people need one request for the form and a search and a write each, and are output in order', async () => {
		const people = Array.from({ length: 100 }, (_, index) => ({
			email: `person${index}@example.com`,
			FirstName: 'Zoë',
			LastName: `Lindqvist ${index}`,
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
			expect([form, search, add, update].map(countRequests)).toEqual([
				1,
				100,
				created ? 100 : 0,
				created ? 0 : 100,
			]);
		}
	});
});

/** A contact list that responds when the test says so, and rejects bad addresses. */
class HeldContactList {
	readonly records: Array<IDataObject & { Email: string }> = [];
	/** The requests of each address, in order: `search` or the method of a write. */
	readonly stepsByAddress = new Map<string, string[]>();
	/** The addresses whose requests have no response yet. */
	readonly pendingAddresses = new Set<string>();
	/** Whether two requests with one address were ever pending at the same time. */
	hasOverlap = false;
	maxPendingRequests = 0;
	private pendingRequests = 0;

	/** `hold` receives a function that sends the response. */
	constructor(
		readonly fake: FakeService,
		hold: (respond: () => void) => void,
		isBad: (address: string) => boolean = () => false,
	) {
		fake.server.respondWith(({ url, method, body }, response) => {
			if (method === 'GET') return sendJson(response, 200, {});
			const parsedBody = JSON.parse(body) as IDataObject | IDataObject[];
			const person = Array.isArray(parsedBody) ? parsedBody[0]! : parsedBody;
			const address = `${person.Email as string}`.toLowerCase();
			const isSearch = url.includes('/search');
			this.maxPendingRequests = Math.max(this.maxPendingRequests, ++this.pendingRequests);
			this.hasOverlap ||= this.pendingAddresses.has(address);
			this.pendingAddresses.add(address);
			hold(() => {
				this.pendingAddresses.delete(address);
				this.pendingRequests--;
				this.stepsByAddress.set(address, [
					...(this.stepsByAddress.get(address) ?? []),
					isSearch ? 'search' : method,
				]);
				const found = this.records.filter(({ Email }) => Email.toLowerCase() === address);
				if (isSearch) return sendJson(response, 200, found);
				if (isBad(address)) return sendJson(response, 400, { Message: 'Not this one' });
				if (method === 'POST') {
					this.records.push({ ...person, Email: address, ContactId: this.records.length + 1 });
				}
				sendJson(response, 200, { ContactListId: 7 });
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

const waitUntil = async (isReached: () => boolean) => {
	const deadline = Date.now() + 20_000;
	while (!isReached() && Date.now() < deadline)
		await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('the concurrency limit', () => {
	const fake = useFake();

	it.each([
		['ten at a time by default', undefined, 10],
		['with the limit that the user sets', 3, 3],
		['sequentially with a limit of 1', 1, 1],
	])('people are processed %s', async (_, chosenLimit, expectedLimit) => {
		const heldResponses: Array<() => void> = [];
		// Sends the responses only when as many requests are pending as the limit allows.
		const contacts = new HeldContactList(fake, (respond) => {
			heldResponses.push(respond);
			if (heldResponses.length === expectedLimit)
				heldResponses.splice(0).forEach((send) => setTimeout(send, 20));
		});
		const people = Array.from({ length: 30 }, (__, index) => ({
			email: `${index}@x.com`,
			name: `${index}`,
		}));
		const { outputItems, error } = await contacts.save(people, chosenLimit);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ created, Email }) => [created, Email])).toEqual(
			people.map(({ email: address }) => [true, address]),
		);
		expect(contacts.maxPendingRequests).toBe(expectedLimit);
	});
});

describe('people with equal addresses', () => {
	const fake = useFake();

	it('items that wait for an earlier item do not count against the concurrency limit', async () => {
		const heldResponses: Array<() => void> = [];
		const contacts = new HeldContactList(fake, (respond) => heldResponses.push(respond));
		const people = ['a', 'A', 'a', 'b', 'a', 'c'].map((name) => ({ email: `${name}@x.com`, name }));
		const saving = contacts.save(people, 3);
		// The three pending requests are for different people, although the first three items are one person.
		await waitUntil(() => heldResponses.length === 3);
		expect([...contacts.pendingAddresses].sort()).toEqual(['a@x.com', 'b@x.com', 'c@x.com']);
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

	it('each person is added once, in order, and fails separately, for any combination of addresses', async () => {
		const person = fc.record({
			email: fc.constantFrom('a', 'A ', 'b', 'c', 'd', 'bad', 'Bad', ''),
			name: fc.string(),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(person, { minLength: 1, maxLength: 12 }),
				fc.integer({ min: 1, max: 6 }),
				async (people, itemsAtATime) => {
					const contacts = new HeldContactList(
						fake,
						(respond) => setTimeout(respond, 3 * Math.random()),
						(address) => address.startsWith('bad'),
					);
					const input = people.map(({ email: name, ...otherFields }) => ({
						...otherFields,
						email: name && `${name.trim()}@x.com`,
					}));
					const { outputItems, errorItems } = await contacts.save(input, itemsAtATime, {
						onError: 'continueErrorOutput',
					});
					const addresses = input.map(({ email: address }) => address.toLowerCase());
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
					expect(contacts.hasOverlap).toBe(false);
					expect(contacts.maxPendingRequests).toBeLessThanOrEqual(itemsAtATime);
					for (const [address, steps] of contacts.stepsByAddress) {
						const itemCount = addresses.filter((other) => other === address).length;
						const laterSteps = isGood(address) ? ['search', 'PATCH'] : ['search', 'POST'];
						const repeatedSteps = Array.from({ length: itemCount - 1 }, () => laterSteps).flat();
						expect(steps).toEqual(['search', 'POST', ...repeatedSteps]);
					}
				},
			),
			{ numRuns: scaleRunCount(12) },
		);
	});
});

it('Create or Update recognizes the same person in any spelling of address and event ID', () => {
	const client = { connection: { baseUrl: 'http://127.0.0.1/00/v1' } };
	const getLockKey = (eventId: string, address: string) =>
		emailLockKey({ ...lists.registrations, form: registrationForm }, { eventId, email: address }, {
			client,
		} as never);
	expect(getLockKey('001004', 'Ada@Example.com')).toBe(getLockKey('1004', 'ada@example.com'));
	expect(getLockKey('1004', 'ada@example.com')).not.toBe(getLockKey('10040', 'ada@example.com'));
	expect(getLockKey('0', 'ada@example.com')).not.toBe(getLockKey('1', 'ada@example.com'));
});
