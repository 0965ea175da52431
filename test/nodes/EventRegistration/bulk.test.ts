// Protects adding many contacts: each valid one is added once, only invalid ones fail, and outputs belong to their items.
import fc from 'fast-check';

import { locateById } from '../../support/locators';
import { createContactAdder, readEmails, isBad, makePeople } from './bulkSamples';
import { createFakeList, useFake } from './fakeService';
import type { FakeList } from './fakeService';

const fake = useFake();

const { addContacts, serveList } = createContactAdder(fake);

const makeRejectionMessage = (item: number) =>
	`Event registration service: Not valid. Email: Must be an address. The value was "bad ${item}".`;

describe('adding many contacts', () => {
	it('contacts are sent in batches, in order, and each output is paired with its input item', async () => {
		const list = serveList(createFakeList());
		const { items } = await addContacts(makePeople(250));
		expect(list.batchSizes).toEqual([100, 100, 50]);
		expect(readEmails(list)).toEqual(makePeople(250).map(({ email }) => email));
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			makePeople(250).map((_, item) => ({ item })),
		);
		expect(items('Node')[7]!.json).toEqual({
			ContactListId: 7,
			FirstName: 'Person 7',
			Email: 'p7@example.com',
		});
		expect(list.stateReads).toBe(1);
	});

	it('Contacts per Request sets the batch size', async () => {
		const list = serveList(createFakeList());
		await addContacts(makePeople(7), { contactsPerRequest: 3 });
		expect(list.batchSizes).toEqual([3, 3, 1]);
	});

	it('items for two lists are sent in one batch per list', async () => {
		const sentBatches: string[] = [];
		fake.respondWith(({ method, url, body }) => {
			if (method === 'POST') sentBatches.push(`${url} ${(JSON.parse(body) as unknown[]).length}`);
			return { body: { ContactListId: 1, ContactCount: 0, LastUpdated: '2026-05-01T00:00:00Z' } };
		});
		const { outputItems } = await addContacts(
			makePeople(4).map((person, index) => ({ ...person, list: 7 + (index % 2) })),
			{},
			{},
			{ contactListId: locateById('={{ $json.list }}') },
		);
		expect(sentBatches).toEqual([
			'/api/v1/contactlists/7/contacts 2',
			'/api/v1/contactlists/8/contacts 2',
		]);
		expect(outputItems.map(({ ContactListId }) => ContactListId)).toEqual([7, 8, 7, 8]);
	});

	it.each([
		{ status: 400, storesValid: false },
		{ status: 422, storesValid: false },
		{ status: 400, storesValid: true },
	])('every valid contact is added once, and only invalid contacts fail (%o)', async (options) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 40 }),
				fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 6 }),
				fc.integer({ min: 1, max: 25 }),
				async (peopleCount, candidates, contactsPerRequest) => {
					const badIndexes = candidates
						.filter((index) => index < peopleCount)
						.sort((a, b) => a - b);
					const list = serveList(createFakeList({ isBad, ...options }));
					const { outputItems, errorItems } = await addContacts(
						makePeople(peopleCount, badIndexes),
						{
							contactsPerRequest,
						},
					);
					const goodPeople = makePeople(peopleCount).filter(
						(_, index) => !badIndexes.includes(index),
					);
					expect([...readEmails(list)].sort()).toEqual(goodPeople.map(({ email }) => email).sort());
					expect(outputItems.map(({ Email }) => Email)).toEqual(
						goodPeople.map(({ email }) => email),
					);
					expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
						badIndexes.map((item) => ({ item })),
					);
					expect(errorItems.map(({ json }) => json.error)).toEqual(
						badIndexes.map(makeRejectionMessage),
					);
				},
			),
			{ numRuns: 12 },
		);
	});

	it('finding an invalid contact takes at most two requests per halving of the batch', async () => {
		const list = serveList(createFakeList({ isBad }));
		await addContacts(makePeople(100, [63]));
		// 100 contacts can be halved 7 times; each time one half is valid and the other is not.
		expect(list.batchSizes.length).toBeLessThanOrEqual(1 + 2 * 7);
		expect(list.stateReads).toBeLessThanOrEqual(1 + 7);
	});

	it('a batch with an invalid contact fails as a whole if Isolate Rejected Contacts is off, and the next batch is sent', async () => {
		const list = serveList(createFakeList({ isBad }));
		const { outputItems, errorItems } = await addContacts(makePeople(20, [3]), {
			contactsPerRequest: 10,
			findRefused: false,
		});
		expect(list.batchSizes).toEqual([10, 10]);
		expect([outputItems.length, errorItems.length, list.stateReads]).toEqual([10, 10, 0]);
	});

	it('a contact with another name that someone else added at the same time is not taken for the sent one', async () => {
		const other = { ContactId: 900, FirstName: 'Other', Email: 'p2@example.com' };
		let listReads = 0;
		const list: FakeList = createFakeList({
			isBad,
			intercept: ({ method, url }) => {
				const isListRead = method === 'GET' && !url.includes('/contacts');
				if (isListRead && ++listReads === 2)
					list.contacts.push({ ...other, DateAdded: '2999-01-01', LastUpdated: '2999-01-01' });
				return undefined;
			},
		});
		serveList(list);
		const { outputItems, errorItems } = await addContacts(makePeople(4, [1]));
		expect(outputItems.map(({ Email }) => Email)).not.toContain('p2@example.com');
		const errors = errorItems.map(({ json }) => String(json.error));
		expect(errors.filter((error) => error.includes('It may have been added'))).toHaveLength(1);
	});
});
