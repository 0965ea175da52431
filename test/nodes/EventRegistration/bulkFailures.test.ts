import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { adderTo, details, emails, isBad, people } from './bulkSamples';
import { fakeList, useFake } from './fake';
import type { FakeList } from './fake';

useAcceleratedTime();

const fake = useFake();

const { add, serve } = adderTo(fake);

describe('adding contacts while the service fails', () => {
	const broken = (reply: object) => {
		let arrays = 0;
		return fakeList({
			isBad,
			intercept: (_, sent) => (sent && ++arrays === 2 ? reply : undefined),
		});
	};

	it.each([
		['500', { status: 500, body: { Message: 'Oops.' } }],
		['503', { status: 503, body: {} }],
		['a broken connection', { drop: true }],
		['a cut-off answer', { html: '{"ContactListId": 7, "Conta' }],
	])('never sends a batch again, whole or in parts, after %s', async (_, reply) => {
		const list = serve(broken(reply));
		const { outputItems, errorItems } = await add(people(30), { contactsPerRequest: 10 });
		expect(list.arrays).toEqual([10, 10, 10]);
		expect([outputItems.length, errorItems.length]).toEqual([20, 10]);
		expect(errorItems[0]!.json.details).toContain(
			"It's unclear whether these contacts were added, so the request wasn't retried",
		);
	});

	it('does not confuse the contacts of a lost response with those of a rejected batch', async () => {
		let arrays = 0;
		const list = fakeList({
			isBad,
			intercept: (_, sent) => {
				if (!sent || ++arrays !== 1) return undefined;
				// It was carried out, and only the answer is lost.
				list.contacts.push(...sent);
				return { drop: true };
			},
		});
		serve(list);
		const { outputItems, errorItems } = await add(people(20, [15]), { contactsPerRequest: 10 });
		expect([outputItems.length, errorItems.length]).toEqual([9, 11]);
		expect(new Set(emails(list)).size).toBe(19);
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
	])('sends no contact again that may have been added if the list %s', async (_, options) => {
		const list = serve(fakeList({ isBad, ...options }));
		const { outputItems, errorItems } = await add(people(10, [4]));
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
	])('sends no contact again that may have been added if the list %s', async (_, shown) => {
		const list: FakeList = fakeList({
			isBad,
			storesValid: true,
			intercept: ({ method, url }) =>
				method === 'GET' && url.includes('/contacts') ? { body: shown(list.contacts) } : undefined,
		});
		serve(list);
		const { outputItems, errorItems } = await add(people(300, [4]), { contactsPerRequest: 300 });
		expect(list.arrays).toEqual([300]);
		expect(new Set(emails(list)).size).toBe(list.contacts.length);
		expect([outputItems.length, errorItems.length]).toEqual([0, 300]);
		expect(errorItems[0]!.json.details).toContain('Check the list before retrying');
	});

	it('reports indistinguishable contacts as uncertain, and resolves the others', async () => {
		const list = serve(
			fakeList({ isBad: ({ FirstName }) => FirstName === 'bad', storesValid: true }),
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

	it('is not affected by contacts that others add meanwhile', async () => {
		let busy = 0;
		const list = fakeList({
			isBad,
			intercept: (request) => {
				if (request.method === 'GET' && busy++ < 20) {
					const at = '2026-05-02T00:00:00Z';
					const Email = `x${busy}@other.example`;
					list.contacts.push({ ContactId: 900 + busy, Email, DateAdded: at, LastUpdated: at });
				}
				return undefined;
			},
		});
		serve(list);
		const { outputItems, errorItems } = await add(people(16, [9]));
		expect([outputItems.length, errorItems.length]).toEqual([15, 1]);
		expect(
			emails(list)
				.filter((email) => /^p/.test(`${email as string}`))
				.sort(),
		).toEqual(
			people(16)
				.filter((_, index) => index !== 9)
				.map(({ email }) => email)
				.sort(),
		);
	});

	it.each([401, 403, 404])(
		'stops at once after %i, since the next batch would fail as well',
		async (status) => {
			const list = serve(
				fakeList({
					intercept: (_, sent) => (sent ? { status, body: { Message: 'No.' } } : undefined),
				}),
			);
			const { errorItems } = await add(people(30), { contactsPerRequest: 10 });
			expect(list.arrays).toEqual([10]);
			expect(errorItems).toHaveLength(30);
			expect(errorItems[29]!.json.error).toContain("wasn't sent because an earlier one failed");
		},
	);

	it('sends nothing if the list cannot be read', async () => {
		const list = serve(
			fakeList({
				intercept: ({ method }) =>
					method === 'GET' ? { status: 400, body: { Message: 'Bad list.' } } : undefined,
			}),
		);
		const { errorItems } = await add(people(5));
		expect(list.arrays).toEqual([]);
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			people(5).map((_, item) => `Event registration service: Bad list. [item ${item}]`),
		);
	});
});

describe('adding contacts if one failure ends the run', () => {
	it('adds the valid ones and says how many, and which were rejected', async () => {
		const list = serve(fakeList({ isBad }));
		const { error, outputItems } = await add(people(30, [4, 17]), { contactsPerRequest: 10 }, {});
		expect(outputItems).toEqual([]);
		expect(list.contacts).toHaveLength(28);
		expect(error).toMatchObject({
			message:
				'28 of 30 contacts were added, 2 were not: Event registration service: Not valid. Email: Must be an address. The value was "bad 4". [item 4]',
			description: expect.stringMatching(/^Not added: items 4, 17\. /),
		});
		expect((error as { description?: string }).description).not.toContain('may have been added');
	});

	it('has the cause that the service states', async () => {
		const reply = { status: 402, body: { Message: 'Payment required.' } };
		serve(fakeList({ isBad, intercept: (_, sent) => (sent ? reply : undefined) }));
		const { error } = await add(people(3), {}, {});
		expect(error?.message).toMatch(/^0 of 3 contacts were added, 3 were not: /);
		expect((error as NodeApiError).failure).toEqual({ cause: 'quota-exhausted' });
	});

	it('adds none if one cannot be sent, and does not claim that others were added', async () => {
		const list = serve(fakeList({ isBad }));
		const { error } = await add([...people(3), {}], {}, {});
		expect(list.contacts).toEqual([]);
		expect(error?.message).toMatch(/ \[item 3\]$/);
		expect((error as { description?: string }).description).not.toContain('were added');
	});

	it.each([
		['a failure of the service', { status: 500, body: {} }],
		['a lost answer', { drop: true }],
	])('stops at %s, and names the contacts whose result is unknown', async (_, reply) => {
		let arrays = 0;
		const list = serve(
			fakeList({
				intercept: (_, sent) => (sent && ++arrays === 2 ? reply : undefined),
			}),
		);
		const { error } = await add(people(30), { contactsPerRequest: 10 }, {});
		expect(list.arrays).toEqual([10, 10]);
		expect(error?.message).toMatch(
			/^10 of 30 contacts were added, 10 were not, 10 may or may not have been: .* \[item 10\]$/,
		);
		const { description } = error as { description?: string };
		expect(description).toContain('Not added: items 20, 21, 22, 23, 24, 25, 26, 27, 28, 29.');
		expect(description).toContain(
			"It's unclear whether items 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 were added: check the list before you run them again.",
		);
	});

	it('does not call contacts rejected that the service may have stored', async () => {
		serve(fakeList({ isBad, changeState: () => ({ ContactListId: 7 }) }));
		const { error } = await add(people(3, [1]), {}, {});
		expect(error?.message).toMatch(
			/^0 of 3 contacts were added, 3 may or may not have been: .* \[item 0\]$/,
		);
		expect((error as { description?: string }).description).not.toContain('Not added');
	});

	it('sends nothing at all if an item is incomplete', async () => {
		const list = serve(fakeList());
		const { error } = await add(
			[...people(5), { first: 'Nobody' }],
			{},
			{},
			{ details: details(['Email']) },
		);
		expect(error?.message).toBe("'Email' is missing [item 5]");
		expect(list.arrays).toEqual([]);
	});

	it('fails with the plain reason if there is only one contact', async () => {
		serve(fakeList({ isBad }));
		const { error } = await add(people(1, [0]), {}, {});
		expect(error?.message).toBe(
			'Event registration service: Not valid. Email: Must be an address. The value was "bad 0".',
		);
	});
});
