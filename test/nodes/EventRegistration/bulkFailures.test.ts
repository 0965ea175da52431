import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { adderTo, contactDetails, emailsIn, isBad, makePeople } from './bulkSamples';
import { createFakeList, useFake } from './fakeService';
import type { FakeList } from './fakeService';

useAcceleratedTime();

const fake = useFake();

const { add, serve } = adderTo(fake);

describe('adding contacts while the service fails', () => {
	const listFailingSecondBatch = (reply: object) => {
		let arrays = 0;
		return createFakeList({
			isBad,
			intercept: (_, sent) => (sent && ++arrays === 2 ? reply : undefined),
		});
	};

	it.each([
		['500', { status: 500, body: { Message: 'Oops.' } }],
		['503', { status: 503, body: {} }],
		['a broken connection', { drop: true }],
		['a cut-off answer', { html: '{"ContactListId": 7, "Conta' }],
	])('a batch is never sent again, whole or in parts, after %s', async (_, reply) => {
		const list = serve(listFailingSecondBatch(reply));
		const { outputItems, errorItems } = await add(makePeople(30), { contactsPerRequest: 10 });
		expect(list.arrays).toEqual([10, 10, 10]);
		expect([outputItems.length, errorItems.length]).toEqual([20, 10]);
		expect(errorItems[0]!.json.details).toContain(
			"It's unclear whether these contacts were added, so the request wasn't retried",
		);
	});

	it('contacts of a lost response are not confused with those of a rejected batch', async () => {
		let arrays = 0;
		const list = createFakeList({
			isBad,
			intercept: (_, sent) => {
				if (!sent || ++arrays !== 1) return undefined;
				// The service stores the contacts, and only the response is lost.
				list.contacts.push(...sent);
				return { drop: true };
			},
		});
		serve(list);
		const { outputItems, errorItems } = await add(makePeople(20, [15]), { contactsPerRequest: 10 });
		expect([outputItems.length, errorItems.length]).toEqual([9, 11]);
		expect(new Set(emailsIn(list)).size).toBe(19);
		expect(list.contacts).toHaveLength(19);
	});

	it.each([
		['says nothing of how full it is', { changeState: () => ({ ContactListId: 7 }) }],
		[
			'says nothing of when it changed and keeps the good ones',
			{
				storesValid: true,
				changeState: (state: IDataObject) => ({ ...state, LastUpdated: undefined }),
			},
		],
	])('a contact that may have been added is not sent again if the list %s', async (_, options) => {
		const list = serve(createFakeList({ isBad, ...options }));
		const { outputItems, errorItems } = await add(makePeople(10, [4]));
		expect(list.arrays).toEqual([10]);
		expect([outputItems.length, errorItems.length]).toEqual([0, 10]);
		expect(errorItems[0]!.json.details).toContain('Check the list before retrying');
	});

	it.each<[string, (contacts: IDataObject[]) => unknown]>([
		['ignores the page number', (contacts) => contacts.slice(0, 200)],
		['does not show its newcomers', () => ({})],
		['shows its newcomers in an unknown wrapper', (contacts) => ({ found: contacts })],
		[
			'shows nothing of its newcomers but that there are some',
			(contacts) => contacts.map(() => null),
		],
	])('a contact that may have been added is not sent again if the list %s', async (_, shown) => {
		const list: FakeList = createFakeList({
			isBad,
			storesValid: true,
			intercept: ({ method, url }) =>
				method === 'GET' && url.includes('/contacts') ? { body: shown(list.contacts) } : undefined,
		});
		serve(list);
		const { outputItems, errorItems } = await add(makePeople(300, [4]), {
			contactsPerRequest: 300,
		});
		expect(list.arrays).toEqual([300]);
		expect(new Set(emailsIn(list)).size).toBe(list.contacts.length);
		expect([outputItems.length, errorItems.length]).toEqual([0, 300]);
		expect(errorItems[0]!.json.details).toContain('Check the list before retrying');
	});

	it('indistinguishable contacts are reported as uncertain, and the others are resolved', async () => {
		const list = serve(
			createFakeList({ isBad: ({ FirstName }) => FirstName === 'bad', storesValid: true }),
		);
		const input = [
			{ first: 'a', email: 'twin@example.com' },
			{ first: 'b', email: 'TWIN@example.com' },
			{ first: 'c', email: '' },
			{ first: 'd', email: 'd@example.com' },
			{ first: 'bad', email: 'e@example.com' },
		];
		const { outputItems, errorItems } = await add(input);
		expect(list.contacts).toHaveLength(4);
		expect(outputItems.map(({ Email }) => Email)).toEqual(['d@example.com']);
		expect(
			errorItems.map(({ json }) => [
				json.error,
				/It may have been added/.test(`${json.error as string}`),
			]),
		).toEqual([
			[expect.stringContaining('Not valid'), true],
			[expect.stringContaining('Not valid'), true],
			[expect.stringContaining('Not valid'), true],
			[expect.stringContaining('Not valid'), false],
		]);
	});

	it('no contact is added twice if others remove contacts at the same time', async () => {
		let reads = 0;
		const list = createFakeList({
			isBad,
			storesValid: true,
			intercept: ({ method, url }) => {
				const isListRead = method === 'GET' && !url.includes('/contacts');
				// After the first batch, others have removed as many contacts as it added.
				if (isListRead && ++reads === 2) list.contacts.splice(0, 15);
				return undefined;
			},
		});
		for (let index = 0; index < 15; index++) list.contacts.push({ ContactId: 900 + index });
		serve(list);
		const { outputItems, errorItems } = await add(makePeople(16, [9]));
		expect([outputItems.length, errorItems.length]).toEqual([15, 1]);
		expect(new Set(emailsIn(list)).size).toBe(list.contacts.length);
		expect(list.contacts).toHaveLength(15);
	});

	it('contacts that others add meanwhile have no effect', async () => {
		let busy = 0;
		const list = createFakeList({
			isBad,
			intercept: (request) => {
				if (request.method === 'GET' && busy++ < 20) {
					const timestamp = '2026-05-02T00:00:00Z';
					const Email = `x${busy}@other.example`;
					list.contacts.push({
						ContactId: 900 + busy,
						Email,
						DateAdded: timestamp,
						LastUpdated: timestamp,
					});
				}
				return undefined;
			},
		});
		serve(list);
		const { outputItems, errorItems } = await add(makePeople(16, [9]));
		expect([outputItems.length, errorItems.length]).toEqual([15, 1]);
		expect(
			emailsIn(list)
				.filter((email) => /^p/.test(`${email as string}`))
				.sort(),
		).toEqual(
			makePeople(16)
				.filter((_, index) => index !== 9)
				.map(({ email }) => email)
				.sort(),
		);
	});

	it.each([401, 403, 404])(
		'Add Many stops at once after %i, since the next batch would fail as well',
		async (status) => {
			const list = serve(
				createFakeList({
					intercept: (_, sent) => (sent ? { status, body: { Message: 'No.' } } : undefined),
				}),
			);
			const { errorItems } = await add(makePeople(30), { contactsPerRequest: 10 });
			expect(list.arrays).toEqual([10]);
			expect(errorItems).toHaveLength(30);
			expect(errorItems[29]!.json.error).toContain("wasn't sent because an earlier one failed");
		},
	);

	it('nothing is sent if the list cannot be read', async () => {
		const list = serve(
			createFakeList({
				intercept: ({ method }) =>
					method === 'GET' ? { status: 400, body: { Message: 'Bad list.' } } : undefined,
			}),
		);
		const { errorItems } = await add(makePeople(5));
		expect(list.arrays).toEqual([]);
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			makePeople(5).map((_, item) => `Event registration service: Bad list. [item ${item}]`),
		);
	});
});

describe('adding contacts if one failure ends the run', () => {
	it('valid contacts are added, and the error says how many, and which were rejected', async () => {
		const list = serve(createFakeList({ isBad }));
		const { error, outputItems } = await add(
			makePeople(30, [4, 17]),
			{ contactsPerRequest: 10 },
			{},
		);
		expect(outputItems).toEqual([]);
		expect(list.contacts).toHaveLength(28);
		expect(error).toMatchObject({
			message:
				'28 of 30 contacts were added, 2 were not: Event registration service: Not valid. Email: Must be an address. The value was "bad 4". [item 4]',
			description: expect.stringMatching(/^Not added: items 4, 17\. /),
		});
		expect((error as { description?: string }).description).not.toContain('may have been added');
	});

	it('the error has the cause that the service states', async () => {
		const reply = { status: 402, body: { Message: 'Payment required.' } };
		serve(createFakeList({ isBad, intercept: (_, sent) => (sent ? reply : undefined) }));
		const { error } = await add(makePeople(3), {}, {});
		expect(error?.message).toMatch(/^0 of 3 contacts were added, 3 were not: /);
		expect((error as NodeApiError).failure).toEqual({ cause: 'quota-exhausted' });
	});

	it('no contact is added if one cannot be sent, and the error does not claim otherwise', async () => {
		const list = serve(createFakeList({ isBad }));
		const { error } = await add([...makePeople(3), {}], {}, {});
		expect(list.contacts).toEqual([]);
		expect(error?.message).toMatch(/ \[item 3\]$/);
		expect((error as { description?: string }).description).not.toContain('were added');
	});

	it.each([
		['a failure of the service', { status: 500, body: {} }],
		['a lost answer', { drop: true }],
	])(
		'the run stops at %s, and the error names the contacts whose result is unknown',
		async (_, reply) => {
			let arrays = 0;
			const list = serve(
				createFakeList({
					intercept: (_, sent) => (sent && ++arrays === 2 ? reply : undefined),
				}),
			);
			const { error } = await add(makePeople(30), { contactsPerRequest: 10 }, {});
			expect(list.arrays).toEqual([10, 10]);
			expect(error?.message).toMatch(
				/^10 of 30 contacts were added, 10 were not, 10 may or may not have been: .* \[item 10\]$/,
			);
			const { description } = error as { description?: string };
			expect(description).toContain('Not added: items 20, 21, 22, 23, 24, 25, 26, 27, 28, 29.');
			expect(description).toContain(
				"It's unclear whether items 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 were added: check the list before you run them again.",
			);
		},
	);

	it('contacts that the service may have stored are not called rejected', async () => {
		serve(createFakeList({ isBad, changeState: () => ({ ContactListId: 7 }) }));
		const { error } = await add(makePeople(3, [1]), {}, {});
		expect(error?.message).toMatch(
			/^0 of 3 contacts were added, 3 may or may not have been: .* \[item 0\]$/,
		);
		expect((error as { description?: string }).description).not.toContain('Not added');
	});

	it('nothing is sent if an item is incomplete', async () => {
		const list = serve(createFakeList());
		const { error } = await add(
			[...makePeople(5), { first: 'Nobody' }],
			{},
			{},
			{ details: contactDetails(['Email']) },
		);
		expect(error?.message).toBe("'Email' is missing [item 5]");
		expect(list.arrays).toEqual([]);
	});

	it('the error for a single contact is the plain reason', async () => {
		serve(createFakeList({ isBad }));
		const { error } = await add(makePeople(1, [0]), {}, {});
		expect(error?.message).toBe(
			'Event registration service: Not valid. Email: Must be an address. The value was "bad 0".',
		);
	});
});
