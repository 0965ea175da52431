import fc from 'fast-check';

import { adderTo, emailsIn, isBad, makePeople } from './bulkSamples';
import { createFakeList, useFake } from './fakeService';

const fake = useFake();

const { add, serve } = adderTo(fake);

const rejectionMessage = (item: number, suffix: string) =>
	`Event registration service: Not valid. Email: Must be an address. The value was "bad ${item}".${suffix}`;

describe('adding many contacts', () => {
	it('contacts are sent in batches, in order, and each is paired with its item', async () => {
		const list = serve(createFakeList());
		const { items } = await add(makePeople(250));
		expect(list.arrays).toEqual([100, 100, 50]);
		expect(emailsIn(list)).toEqual(makePeople(250).map(({ email }) => email));
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

	it('the batch size can be changed', async () => {
		const list = serve(createFakeList());
		await add(makePeople(7), { contactsPerRequest: 3 });
		expect(list.arrays).toEqual([3, 3, 1]);
	});

	it('contacts are added to several lists at once, each with its own items', async () => {
		const paths: string[] = [];
		fake.respondWith(({ method, url, body }) => {
			if (method === 'POST') paths.push(`${url} ${(JSON.parse(body) as unknown[]).length}`);
			return { body: { ContactListId: 1, ContactCount: 0, LastUpdated: '2026-05-01T00:00:00Z' } };
		});
		const { outputItems } = await add(
			makePeople(4).map((person, index) => ({ ...person, list: 7 + (index % 2) })),
			{},
			{},
			{ contactListId: { __rl: true, mode: 'id', value: '={{ $json.list }}' } },
		);
		expect(paths).toEqual([
			'/api/v1/contactlists/7/contacts 2',
			'/api/v1/contactlists/8/contacts 2',
		]);
		expect(outputItems.map(({ ContactListId }) => ContactListId)).toEqual([7, 8, 7, 8]);
	});

	it.each([
		{ status: 400, storesValid: false },
		{ status: 422, storesValid: false },
		{ status: 400, storesValid: true },
	])('every valid contact is added once, and only the invalid ones fail (%o)', async (options) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 40 }),
				fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 6 }),
				fc.integer({ min: 1, max: 25 }),
				async (total, wrong, contactsPerRequest) => {
					const bad = wrong.filter((index) => index < total).sort((a, b) => a - b);
					const list = serve(createFakeList({ isBad, ...options }));
					const { outputItems, errorItems } = await add(makePeople(total, bad), {
						contactsPerRequest,
					});
					const good = makePeople(total).filter((_, index) => !bad.includes(index));
					expect([...emailsIn(list)].sort()).toEqual(good.map(({ email }) => email).sort());
					expect(outputItems.map(({ Email }) => Email)).toEqual(good.map(({ email }) => email));
					expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
						bad.map((item) => ({ item })),
					);
					expect(errorItems.map(({ json }) => json.error)).toEqual(
						bad.map((item) => rejectionMessage(item, total > 1 ? ` [item ${item}]` : '')),
					);
				},
			),
			{ numRuns: 12 },
		);
	});

	it('finding an invalid contact takes at most two requests per halving of the batch', async () => {
		const list = serve(createFakeList({ isBad }));
		await add(makePeople(100, [63]));
		// 100 contacts can be halved 7 times; each time one half is good and one is not.
		expect(list.arrays.length).toBeLessThanOrEqual(1 + 2 * 7);
		expect(list.stateReads).toBeLessThanOrEqual(1 + 7);
	});

	it('a whole batch fails if finding invalid contacts is off, and the next one is sent', async () => {
		const list = serve(createFakeList({ isBad }));
		const { outputItems, errorItems } = await add(makePeople(20, [3]), {
			contactsPerRequest: 10,
			findRefused: false,
		});
		expect(list.arrays).toEqual([10, 10]);
		expect([outputItems.length, errorItems.length, list.stateReads]).toEqual([10, 10, 0]);
	});
});
