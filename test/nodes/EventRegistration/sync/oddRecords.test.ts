// Protects contact lists with unusual records: Sync compares them like any other, and removes no contact without an address.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../../support/locators';
import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { makePerson } from './people';

const fake = useFake();

/** Previews a Sync of one person with a list that has these contacts, this state and this form. */
const sync = async (
	contacts: IDataObject[],
	state: unknown,
	form: unknown = { Email: 'Email', Last: 'LastName' },
) => {
	let pageReads = 0;
	fake.respondWith(({ url }): Reply => {
		if (url.includes('/contacts?')) pageReads++;
		if (url.endsWith('/contactform')) return { body: form };
		return { body: url.includes('/contacts?') ? contacts : state };
	});
	const result = await fake.operate(
		'contact',
		'sync',
		{
			contactListId: locateById(7),
			email: '={{ $json.Email }}',
			details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
			mode: 'preview',
			missing: 'remove',
			options: { tries: 1 },
		},
		[makePerson('ada')],
	);
	return { ...result, pageReads };
};
const makeListState = (count: number) => ({
	ContactListId: 7,
	ContactCount: count,
	LastUpdated: 'monday',
});

it.each([
	['null', { Email: null }],
	['absent', {}],
	['blank', { Email: ' \t' }],
	['an empty list', { Email: [] }],
])('a contact whose address is %s is never planned for removal', async (_, oddFields) => {
	const contacts = [
		{ ...makePerson('ada'), ContactId: 1 },
		{ ...oddFields, ContactId: 2 },
	];
	const { outputItems, error } = await sync(contacts, makeListState(2));
	expect(error).toBeUndefined();
	expect(outputItems.map(({ change }) => change)).toEqual(['unchanged']);
});

it.each([
	['a number as address', { Email: 7 }],
	['an object as address', { Email: { at: 'x' } }],
	['custom fields as text', { Email: 'b@x.org', CustomFields: 'none' }],
	['custom fields without names', { Email: 'b@x.org', CustomFields: [{ Value: 1 }, null, 3] }],
	['times that are not text', { Email: 'b@x.org', DateAdded: { on: 1 }, LastUpdated: [] }],
])('a contact with %s is read and removed like any other', async (_, oddFields) => {
	const contacts = [
		{ ...makePerson('ada'), ContactId: 1 },
		{ ...oddFields, ContactId: 2 },
	];
	const { outputItems, error } = await sync(contacts, makeListState(2));
	expect(error).toBeUndefined();
	expect(outputItems.map(({ change, ContactId }) => [change, ContactId])).toEqual([
		['unchanged', 1],
		['removed', 2],
	]);
});

it.each([
	['an empty array', []],
	['a negative count', { ContactCount: -1, LastUpdated: 'monday' }],
	['a count that is not a number', { ContactCount: 'many', LastUpdated: {} }],
])('a list state of %s makes Sync read the list twice', async (_, state) => {
	const { outputItems, error, pageReads } = await sync(
		[{ ...makePerson('ada'), ContactId: 1 }],
		state,
	);
	expect(error).toBeUndefined();
	expect(outputItems.map(({ change }) => change)).toEqual(['unchanged']);
	expect(pageReads).toBe(2);
});

it.each([null, 'fine', 7])('a list state of %j is an error', async (state) => {
	const { outputItems, error } = await sync([{ ...makePerson('ada'), ContactId: 1 }], state);
	expect(outputItems).toEqual([]);
	expect(error?.message).toMatch(/^The event registration service answered with/);
});

it.each([[[]], [{}]])('Sync compares the standard fields if the form is %j', async (form) => {
	const contacts = [{ ...makePerson('ada'), LastName: 'old', ContactId: 1 }];
	const { outputItems } = await sync(contacts, makeListState(1), form);
	expect(outputItems[0]!.changes).toEqual([{ field: 'LastName', from: 'old', to: 'ada' }]);
});

it('a contact that is on a page twice counts as one contact', async () => {
	const ada = { ...makePerson('ada'), ContactId: 1 };
	const { outputItems } = await sync([ada, ada], makeListState(1));
	expect(outputItems.map(({ change }) => change)).toEqual(['unchanged']);
});
