// Protects contact lists while the service fails: a batch whose result is unclear is reported, and never sent again.
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import {
	createContactAdder,
	createShrinkingList,
	contactDetails,
	readEmails,
	isBad,
	makePeople,
} from './bulkSamples';
import { createFakeList, useFake } from './fakeService';
import type { FakeList } from './fakeService';

useAcceleratedTime();

const fake = useFake();

const { addContacts, serveList } = createContactAdder(fake);

const batchesOfTen = { contactsPerRequest: 10 };

/** Creates a list that gives this reply to the second batch. */
const createListFailingSecondBatch = (reply: object) => {
	let batchCount = 0;
	return createFakeList({
		isBad,
		intercept: (_, sentContacts) => (sentContacts && ++batchCount === 2 ? reply : undefined),
	});
};

describe('adding contacts while the service fails', () => {
	it.each([
		['status 500', { status: 500, body: { Message: 'Oops.' } }],
		['status 503', { status: 503, body: {} }],
		['a broken connection', { drop: true }],
		['a truncated response', { html: '{"ContactListId": 7, "Conta' }],
	])('a batch is never sent again, whole or in parts, after %s', async (_, reply) => {
		const list = serveList(createListFailingSecondBatch(reply));
		const { outputItems, errorItems } = await addContacts(makePeople(30), batchesOfTen);
		expect(list.batchSizes).toEqual([10, 10, 10]);
		expect([outputItems.length, errorItems.length]).toEqual([20, 10]);
		expect(errorItems[0]!.json.error).toContain(
			"It's unclear whether these contacts were added, so the request wasn't retried",
		);
	});

	it('valid contacts of a rejected batch are added once if the response to an earlier batch was lost', async () => {
		let batchCount = 0;
		const list = createFakeList({
			isBad,
			intercept: (_, sentContacts) => {
				if (!sentContacts || ++batchCount !== 1) return undefined;
				// The service stores the contacts, and only the response is lost.
				list.contacts.push(...sentContacts);
				return { drop: true };
			},
		});
		serveList(list);
		const { outputItems, errorItems } = await addContacts(makePeople(20, [15]), batchesOfTen);
		expect([outputItems.length, errorItems.length]).toEqual([9, 11]);
		expect(new Set(readEmails(list)).size).toBe(19);
		expect(list.contacts).toHaveLength(19);
	});

	it.each([
		[
			'has neither a count nor a time of its last change',
			{ changeState: () => ({ ContactListId: 7 }) },
		],
		[
			'has the same count and no time of its last change: one contact may have replaced another',
			{ changeState: (state: IDataObject) => ({ ...state, LastUpdated: undefined }) },
		],
		[
			'has no time of its last change, and stores the valid contacts of a rejected batch',
			{
				storesValid: true,
				changeState: (state: IDataObject) => ({ ...state, LastUpdated: undefined }),
			},
		],
	])('a contact that may have been added is not sent again if the list %s', async (_, options) => {
		const list = serveList(createFakeList({ isBad, ...options }));
		const { outputItems, errorItems } = await addContacts(makePeople(10, [4]));
		expect(list.batchSizes).toEqual([10]);
		expect([outputItems.length, errorItems.length]).toEqual([0, 10]);
		expect(errorItems[0]!.json.error).toContain('Check the list before retrying');
	});

	it.each<[string, (contacts: IDataObject[]) => unknown]>([
		['ignores the page number', (contacts) => contacts.slice(0, 200)],
		['returns an empty object in place of its contacts', () => ({})],
		['returns its contacts in an unknown wrapper', (contacts) => ({ found: contacts })],
		['returns null for each contact', (contacts) => contacts.map(() => null)],
	])('a contact that may have been added is not sent again if the list %s', async (_, makeBody) => {
		const list: FakeList = createFakeList({
			isBad,
			storesValid: true,
			intercept: ({ method, url }) =>
				method === 'GET' && url.includes('/contacts')
					? { body: makeBody(list.contacts) }
					: undefined,
		});
		serveList(list);
		const { outputItems, errorItems } = await addContacts(makePeople(300, [4]), {
			contactsPerRequest: 300,
		});
		expect(list.batchSizes).toEqual([300]);
		expect(new Set(readEmails(list)).size).toBe(list.contacts.length);
		expect([outputItems.length, errorItems.length]).toEqual([0, 300]);
		expect(errorItems[0]!.json.error).toContain('Check the list before retrying');
	});

	it('contacts with equal or blank addresses are reported as uncertain, and the others are resolved', async () => {
		const list = serveList(
			createFakeList({ isBad: ({ FirstName }) => FirstName === 'bad', storesValid: true }),
		);
		const input = [
			{ first: 'a', email: 'twin@example.com' },
			{ first: 'b', email: 'TWIN@example.com' },
			{ first: 'c', email: '' },
			{ first: 'd', email: 'd@example.com' },
			{ first: 'bad', email: 'e@example.com' },
		];
		const { outputItems, errorItems } = await addContacts(input);
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

	it('no contact is added twice if another user removes as many contacts at the same time', async () => {
		const list = serveList(createShrinkingList());
		const { outputItems, errorItems } = await addContacts(makePeople(16, [9]));
		expect([outputItems.length, errorItems.length]).toEqual([15, 1]);
		expect(new Set(readEmails(list)).size).toBe(list.contacts.length);
		expect(list.contacts).toHaveLength(15);
	});

	it('contacts that another user adds at the same time do not change the result', async () => {
		let otherAdditions = 0;
		const list = createFakeList({
			isBad,
			intercept: (request) => {
				if (request.method === 'GET' && otherAdditions++ < 20) {
					const timestamp = '2026-05-02T00:00:00Z';
					const Email = `x${otherAdditions}@other.example`;
					list.contacts.push({
						ContactId: 900 + otherAdditions,
						Email,
						DateAdded: timestamp,
						LastUpdated: timestamp,
					});
				}
				return undefined;
			},
		});
		serveList(list);
		const { outputItems, errorItems } = await addContacts(makePeople(16, [9]));
		expect([outputItems.length, errorItems.length]).toEqual([15, 1]);
		expect(
			readEmails(list)
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
		'no further batch is sent after status %i, since it would fail as well',
		async (status) => {
			const list = serveList(
				createFakeList({
					intercept: (_, sentContacts) =>
						sentContacts ? { status, body: { Message: 'No.' } } : undefined,
				}),
			);
			const { errorItems } = await addContacts(makePeople(30), batchesOfTen);
			expect(list.batchSizes).toEqual([10]);
			expect(errorItems).toHaveLength(30);
			expect(errorItems[29]!.json.error).toContain("wasn't sent because an earlier one failed");
		},
	);

	it('no contact is sent if the list cannot be read', async () => {
		const list = serveList(
			createFakeList({
				intercept: ({ method }) =>
					method === 'GET' ? { status: 400, body: { Message: 'Bad list.' } } : undefined,
			}),
		);
		const { errorItems } = await addContacts(makePeople(5));
		expect(list.batchSizes).toEqual([]);
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			makePeople(5).map(() => expect.stringContaining('Event registration service: Bad list.')),
		);
	});
});

describe('adding contacts if one failure ends the run', () => {
	/** Node settings without On Error. */
	const stopOnError = {};

	it('valid contacts are added, and the error has their number and names the rejected items', async () => {
		const list = serveList(createFakeList({ isBad }));
		const { error, outputItems } = await addContacts(
			makePeople(30, [4, 17]),
			batchesOfTen,
			stopOnError,
		);
		expect(outputItems).toEqual([]);
		expect(list.contacts).toHaveLength(28);
		expect(error).toMatchObject({
			message:
				'28 of 30 contacts were added, 2 were not: Row 5 of 30 (bad 4): Event registration service: Not valid. Email: Must be an address. The value was "bad 4".',
			description: expect.stringMatching(/^Not added: rows 5, 18\. /),
		});
		expect((error as { description?: string }).description).not.toContain('may have been added');
	});

	it('the error for status 402 has the cause quota-exhausted', async () => {
		const reply = { status: 402, body: { Message: 'Payment required.' } };
		serveList(
			createFakeList({ isBad, intercept: (_, sentContacts) => (sentContacts ? reply : undefined) }),
		);
		const { error } = await addContacts(makePeople(3), {}, stopOnError);
		expect(error?.message).toMatch(/^0 of 3 contacts were added, 3 were not: /);
		expect((error as NodeApiError).failure).toEqual({ cause: 'quota-exhausted' });
	});

	it('no contact is added if an item has no values, and the error mentions no added contacts', async () => {
		const list = serveList(createFakeList({ isBad }));
		const { error } = await addContacts([...makePeople(3), {}], {}, stopOnError);
		expect(list.contacts).toEqual([]);
		expect(error?.message).toMatch(/^Row 4 of 4: /);
		expect((error as { description?: string }).description).not.toContain('were added');
	});

	it.each([
		['status 500', { status: 500, body: {} }],
		['a lost response', { drop: true }],
	])(
		'the run stops after %s, and the error names the items whose result is unknown',
		async (_, reply) => {
			const list = serveList(createListFailingSecondBatch(reply));
			const { error } = await addContacts(makePeople(30), batchesOfTen, stopOnError);
			expect(list.batchSizes).toEqual([10, 10]);
			expect(error?.message).toMatch(
				/^10 of 30 contacts were added, 10 were not, 10 may or may not have been: Row 11 of 30 /,
			);
			const { description } = error as { description?: string };
			expect(description).toContain('Not added: rows 21, 22, 23, 24, 25, 26, 27, 28, 29, 30.');
			expect(description).toContain(
				"It's unclear whether rows 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 were added: check the list before you run them again.",
			);
		},
	);

	it('the error does not say "Not added" of contacts that the service may have stored', async () => {
		serveList(createFakeList({ isBad, changeState: () => ({ ContactListId: 7 }) }));
		const { error } = await addContacts(makePeople(3, [1]), {}, stopOnError);
		expect(error?.message).toMatch(
			/^0 of 3 contacts were added, 3 may or may not have been: Row 1 of 3 /,
		);
		expect((error as { description?: string }).description).not.toContain('Not added');
	});

	it('no contact is sent if an item lacks a required field', async () => {
		const list = serveList(createFakeList());
		const { error } = await addContacts([...makePeople(5), { first: 'Nobody' }], {}, stopOnError, {
			details: contactDetails(['Email']),
		});
		expect(error?.message).toBe("Row 6 of 6: 'Email' is missing");
		expect(list.batchSizes).toEqual([]);
	});

	it('the error for a single contact has the reason without counts', async () => {
		serveList(createFakeList({ isBad }));
		const { error } = await addContacts(makePeople(1, [0]), {}, stopOnError);
		expect(error?.message).toBe(
			'Event registration service: Not valid. Email: Must be an address. The value was "bad 0".',
		);
	});
});
