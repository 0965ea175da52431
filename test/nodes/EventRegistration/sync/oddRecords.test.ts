import type { IDataObject } from 'n8n-workflow';

import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { locateById } from '../samples';
import { person } from './people';

const fake = useFake();

const sync = async (
	contacts: IDataObject[],
	state: unknown,
	form: unknown = { Email: 'Email', Last: 'LastName' },
) => {
	let pages = 0;
	fake.respondWith(({ url }): Reply => {
		if (url.includes('/contacts?')) pages++;
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
		[person('ada')],
	);
	return { ...result, pages };
};
const listState = (count: number) => ({
	ContactListId: 7,
	ContactCount: count,
	LastUpdated: 'monday',
});

it.each([
	['null', { Email: null }],
	['no address', {}],
	['a blank', { Email: ' \t' }],
	['an empty list', { Email: [] }],
])('a contact whose address is %s is never missing', async (_, odd) => {
	const contacts = [
		{ ...person('ada'), ContactId: 1 },
		{ ...odd, ContactId: 2 },
	];
	const { outputItems, error } = await sync(contacts, listState(2));
	expect(error).toBeUndefined();
	expect(outputItems.map(({ change }) => change)).toEqual(['unchanged']);
});

it.each([
	['a number', { Email: 7 }],
	['an object', { Email: { at: 'x' } }],
	['custom fields as text', { Email: 'b@x.org', CustomFields: 'none' }],
	['custom fields without names', { Email: 'b@x.org', CustomFields: [{ Value: 1 }, null, 3] }],
	['times of another kind', { Email: 'b@x.org', DateAdded: { on: 1 }, LastUpdated: [] }],
])('a contact with %s is read like any other', async (_, odd) => {
	const contacts = [
		{ ...person('ada'), ContactId: 1 },
		{ ...odd, ContactId: 2 },
	];
	const { outputItems, error } = await sync(contacts, listState(2));
	expect(error).toBeUndefined();
	expect(outputItems.map(({ change, ContactId }) => [change, ContactId])).toEqual([
		['unchanged', 1],
		['removed', 2],
	]);
});

it.each([
	['a list of none', []],
	['a negative number', { ContactCount: -1, LastUpdated: 'monday' }],
	['no number', { ContactCount: 'many', LastUpdated: {} }],
])('a state of the list that is %s makes Sync read the list twice', async (_, state) => {
	const { outputItems, error, pages } = await sync([{ ...person('ada'), ContactId: 1 }], state);
	expect(error).toBeUndefined();
	expect(outputItems.map(({ change }) => change)).toEqual(['unchanged']);
	expect(pages).toBe(2);
});

it.each([null, 'fine', 7])('a state of the list that is %j is an error', async (state) => {
	const { outputItems, error } = await sync([{ ...person('ada'), ContactId: 1 }], state);
	expect(outputItems).toEqual([]);
	expect(error?.message).toMatch(/^The event registration service answered with/);
});

it.each([[[]], [{}]])('a form as %j leaves the standard fields', async (form) => {
	const contacts = [{ ...person('ada'), LastName: 'old', ContactId: 1 }];
	const { outputItems } = await sync(contacts, listState(1), form);
	expect(outputItems[0]!.changes).toEqual([{ field: 'LastName', from: 'old', to: 'ada' }]);
});

it('a contact that is on a page twice is one contact', async () => {
	const ada = { ...person('ada'), ContactId: 1 };
	const { outputItems } = await sync([ada, ada], listState(1));
	expect(outputItems.map(({ change }) => change)).toEqual(['unchanged']);
});
