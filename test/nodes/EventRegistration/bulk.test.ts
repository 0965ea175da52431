import fc from 'fast-check';

import { adderTo, emails, isBad, people } from './bulkSamples';
import { fakeList, useFake } from './fake';

const fake = useFake();

const { add, serve } = adderTo(fake);

const rejectedAs = (item: number, suffix: string) =>
	`Event registration service: Not valid. Email: Must be an address. The value was "bad ${item}".${suffix}`;

describe('adding many contacts', () => {
	it('sends them in batches, in order, and pairs each with its item', async () => {
		const list = serve(fakeList());
		const { items } = await add(people(250));
		expect(list.arrays).toEqual([100, 100, 50]);
		expect(emails(list)).toEqual(people(250).map(({ email }) => email));
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			people(250).map((_, item) => ({ item })),
		);
		expect(items('Node')[7]!.json).toEqual({
			ContactListId: 7,
			FirstName: 'Person 7',
			Email: 'p7@example.com',
		});
		expect(list.stateReads).toBe(1);
	});

	it('accepts another batch size', async () => {
		const list = serve(fakeList());
		await add(people(7), { contactsPerRequest: 3 });
		expect(list.arrays).toEqual([3, 3, 1]);
	});

	it('adds to several lists at once, each with its own items', async () => {
		const paths: string[] = [];
		fake.respondWith(({ method, url, body }) => {
			if (method === 'POST') paths.push(`${url} ${(JSON.parse(body) as unknown[]).length}`);
			return { body: { ContactListId: 1, ContactCount: 0, LastUpdated: '2026-05-01T00:00:00Z' } };
		});
		const { outputItems } = await add(
			people(4).map((person, index) => ({ ...person, list: 7 + (index % 2) })),
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
	])('adds every valid contact once and fails only the invalid ones (%o)', async (options) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 40 }),
				fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 6 }),
				fc.integer({ min: 1, max: 25 }),
				async (total, wrong, contactsPerRequest) => {
					const bad = wrong.filter((index) => index < total).sort((a, b) => a - b);
					const list = serve(fakeList({ isBad, ...options }));
					const { outputItems, errorItems } = await add(people(total, bad), { contactsPerRequest });
					const good = people(total).filter((_, index) => !bad.includes(index));
					expect([...emails(list)].sort()).toEqual(good.map(({ email }) => email).sort());
					expect(outputItems.map(({ Email }) => Email)).toEqual(good.map(({ email }) => email));
					expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
						bad.map((item) => ({ item })),
					);
					expect(errorItems.map(({ json }) => json.error)).toEqual(
						bad.map((item) => rejectedAs(item, total > 1 ? ` [item ${item}]` : '')),
					);
				},
			),
			{ numRuns: 12 },
		);
	});

	it('finds an invalid contact with few requests: two per halving of the batch at most', async () => {
		const list = serve(fakeList({ isBad }));
		await add(people(100, [63]));
		// 100 contacts can be halved 7 times; each time one half is good and one is not.
		expect(list.arrays.length).toBeLessThanOrEqual(1 + 2 * 7);
		expect(list.stateReads).toBeLessThanOrEqual(1 + 7);
	});

	it('fails a whole batch if finding invalid contacts is off, and continues with the next', async () => {
		const list = serve(fakeList({ isBad }));
		const { outputItems, errorItems } = await add(people(20, [3]), {
			contactsPerRequest: 10,
			findRefused: false,
		});
		expect(list.arrays).toEqual([10, 10]);
		expect([outputItems.length, errorItems.length, list.stateReads]).toEqual([10, 10, 0]);
	});
});
