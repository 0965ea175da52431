// Protects contact lists from an incomplete reading: Sync writes nothing unless it has read the whole list in one state.
import type { IDataObject } from 'n8n-workflow';

import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { applyToFake, makePeople, makePerson } from './people';
import { useSync } from './syncRig';

describe('reading a list in the sandbox', () => {
	const { rig, createList, countRequests, sync, readContacts } = useSync();
	const settings = () => rig.sandbox.settings.eventRegistration;

	it.each([0, 1])('Sync reads all pages, starting with number %i', async (firstPage) => {
		settings().firstPage = firstPage;
		const people = makePeople(450);
		const listId = await createList(people);
		const { outputItems, error } = await sync(listId, people, { show: 'summary' });
		expect(error).toBeUndefined();
		expect(outputItems[0]!.counts).toMatchObject({ unchanged: 450, created: 0 });
		expect(countRequests('getContactList')).toBe(2);
	});

	it.each(['ignored', 'repeatsLast'])('Sync writes nothing if paging is %s', async (paging) => {
		const people = makePeople(400);
		const listId = await createList(people);
		settings().paging = paging;
		const { error } = await sync(listId, [...people, makePerson('new')], { mode: 'apply' });
		expect(error?.message).toMatch(/did not return the whole contact list, so nothing was written/);
		expect(countRequests('addContacts')).toBe(0);
	});

	it('Sync requests a page that fails again, and writes nothing if the page fails each time', async () => {
		const listId = await createList(makePeople(3));
		const rule = { service: 'eventRegistration', operation: 'getManyContacts' } as const;
		rig.sandbox.faultRules.add({ ...rule, kind: 'drop', times: 1 });
		const parameters = { mode: 'apply', options: { tries: 2 } } as const;
		const { outputItems } = await sync(listId, [makePerson('new')], parameters);
		expect(outputItems[0]).toMatchObject({ change: 'created', applied: true });
		rig.sandbox.faultRules.add({ ...rule, kind: 'truncate' });
		const { error } = await sync(listId, [makePerson('newer')], { mode: 'apply' });
		expect(error).toBeDefined();
		rig.sandbox.faultRules.clear();
		expect(await readContacts(listId)).toHaveLength(4);
	});
});

describe('reading a list that changes', () => {
	const fake = useFake();
	let contacts: IDataObject[];
	let state: IDataObject;
	let pagesRead: number;
	let writtenContacts: IDataObject[];
	let wrapPage: (page: IDataObject[]) => unknown;

	/** Serves the list. `onPage` may change its contacts while it is read. */
	const serve = (onPage: (page: number) => void = () => undefined) => {
		pagesRead = 0;
		writtenContacts = [];
		fake.respondWith(({ method, url, body }): Reply => {
			const { pathname, searchParams } = new URL(url, 'http://x');
			if (pathname.endsWith('/contactform')) return { body: { Email: 'Email', Last: 'LastName' } };
			if (method === 'POST') {
				writtenContacts.push(...(JSON.parse(body) as IDataObject[]));
				return { body: { ContactListId: 7, ...state } };
			}
			if (!pathname.endsWith('/contacts')) return { body: { ContactListId: 7, ...state } };
			// Sync reads the contacts that changed after the list was read: there are none.
			if (searchParams.has('updatedAfter')) return { body: [] };
			const size = Number(searchParams.get('pageSize'));
			const page = Number(searchParams.get('page') ?? 1);
			const pageContacts = contacts.slice((page - 1) * size, page * size);
			onPage(++pagesRead);
			return { body: wrapPage(pageContacts) };
		});
	};
	const makeContacts = (count: number) =>
		makePeople(count).map((contact, index) => ({
			...contact,
			ContactId: index + 1,
			LastUpdated: '2026-05-01T00:00:00Z',
		}));
	const sync = async () =>
		await fake.operate('contact', 'sync', applyToFake, [makePerson('p250'), makePerson('new')]);
	beforeEach(() => {
		contacts = makeContacts(300);
		wrapPage = (page) => page;
		state = { ContactCount: 300, LastUpdated: 'monday' };
	});

	/** Deletes the first contact. The contacts move up by one, so the next page lacks one contact. */
	const deleteFirstContact = () => {
		contacts = contacts.slice(1);
		state = { ContactCount: contacts.length, LastUpdated: `after ${contacts.length}` };
	};

	it('Sync reads the list again if a deletion shifts its pages', async () => {
		serve((page) => page === 1 && deleteFirstContact());
		const { outputItems, error } = await sync();
		expect(error).toBeUndefined();
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'created']);
		// With detection of the first page: three requests for two pages, twice.
		expect(pagesRead).toBe(6);
		expect(writtenContacts).toEqual([expect.objectContaining({ Email: 'new@x.org' })]);
	});

	it('Sync writes nothing if the list changes during three readings', async () => {
		serve(() => deleteFirstContact());
		const { error } = await sync();
		expect(error?.message).toBe(
			'The contact list kept changing while it was read, so nothing was written',
		);
		expect(pagesRead).toBe(9);
		expect(writtenContacts).toEqual([]);
	});

	it.each([
		['no count', {}],
		['a count that is too low', { ContactCount: 12, LastUpdated: 'monday' }],
		['no time', { ContactCount: 300 }],
	])('Sync requires two equal readings if the service gives %s', async (_, listState) => {
		state = listState;
		serve();
		const { outputItems } = await sync();
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'created']);
		expect(pagesRead).toBe(6);
	});

	it.each([
		['more than it returns', 300, { ContactCount: 301, LastUpdated: 'monday' }, 301],
		['some and returns none', 0, { ContactCount: 500, LastUpdated: 'monday' }, 500],
		['some, no time, and returns none', 0, { ContactCount: 1 }, 1],
	])(
		'Sync writes nothing if the service reports %s',
		async (_, count, listState, reportedCount) => {
			contacts = makeContacts(count);
			state = listState;
			serve();
			const { error } = await sync();
			expect(error?.message).toMatch(
				new RegExp(
					`reports ${reportedCount} contacts, but returned ${count}, so nothing was written$`,
				),
			);
			expect(writtenContacts).toEqual([]);
		},
	);

	it.each([
		[301, /reports 301 contacts, but returned 300, so nothing was written$/],
		[300, undefined],
	])(
		'Sync compares the total %i of a wrapped page with the 300 contacts that it read',
		async (total, message) => {
			state = {};
			wrapPage = (page) => ({ data: page, total });
			serve();
			const { error } = await sync();
			if (message) expect(error?.message).toMatch(message);
			else expect(error).toBeUndefined();
			expect(writtenContacts).toHaveLength(message ? 0 : 1);
		},
	);

	it('Sync writes nothing if no two readings have the same contacts in the same versions', async () => {
		state = {};
		serve((page) => {
			contacts = contacts.map((contact) => ({
				...contact,
				LastUpdated: new Date(page * 1000).toISOString(),
			}));
		});
		const { error } = await sync();
		expect(error?.message).toMatch(/kept changing while it was read/);
		expect(writtenContacts).toEqual([]);
	});

	it.each([
		['an object', { Message: 'Welcome' }],
		['one record', { ContactId: 1, Email: 'a@x.org' }],
		['records without IDs', [{ Email: 'a@x.org' }]],
	])('Sync writes nothing if a page is %s', async (_, body) => {
		fake.respondWith(({ url }) => {
			if (url.endsWith('/contactform')) return { body: { Email: 'Email' } };
			return { body: url.includes('/contacts?') ? body : { ContactListId: 7, ContactCount: 1 } };
		});
		const { error } = await sync();
		expect(error?.message).toMatch(/did not return the whole contact list, so nothing was written/);
		expect(fake.server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('Sync writes nothing if no contact has the key', async () => {
		contacts = contacts.map((contact) => ({
			ContactId: contact.ContactId,
			LastName: contact.LastName,
		}));
		serve();
		const { error } = await sync();
		expect(error?.message).toMatch(/^None of the 300 contacts in the list has the field 'Email'/);
		expect(writtenContacts).toEqual([]);
	});
});
