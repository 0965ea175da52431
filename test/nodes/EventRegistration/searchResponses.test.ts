// Protects Create or Update from duplicates: a person is added only if the search says clearly that the address is unknown.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { mapperValue } from './demoIds';
import { useFake } from './fakeService';
import type { Reply } from './fakeService';

const fake = useFake();

const email = 'zoe@example.com';
const isSearch = (url: string) => url.includes('/search');
const readPageNumber = (url: string) => new URL(url, 'http://x').searchParams.get('page');

describe.each([
	{
		resource: 'contact',
		id: 'ContactId',
		plural: 'Contacts',
		owner: { contactListId: locateById(7) },
	},
	{
		resource: 'registration',
		id: 'RegistrationId',
		plural: 'Registrations',
		owner: { eventId: locateById(7) },
	},
])('the search before Create or Update of a $resource', (kind) => {
	const { resource, id, plural, owner } = kind;
	const knownPerson: IDataObject = { [id]: 5, Email: 'Zoe@Example.com' };
	const otherPerson: IDataObject = { [id]: 6, Email: 'else@example.com' };
	const runCreateOrUpdate = async (search: (url: string) => Reply) => {
		fake.respondWith(({ url }) => (isSearch(url) ? search(url) : { body: { ContactListId: 7 } }));
		const options = { tries: 1 };
		const run = await fake.run({
			resource,
			operation: 'createOrUpdate',
			...owner,
			email,
			details: mapperValue({ LastName: 'Lindqvist' }),
			options,
		});
		const writes = fake.server.requests
			.filter(({ url }) => !isSearch(url) && !url.endsWith('form'))
			.map(({ method, url }) => `${method} ${url.split('/').at(-1)}`);
		return { ...run, writes };
	};

	it.each<[string, Reply]>([
		['nothing', { body: undefined }],
		['null', { body: null }],
		['an empty object', { body: {} }],
		['a number', { body: 42 }],
		['a text', { body: 'none' }],
		['a wrapped null', { body: { data: null } }],
		['a wrapped text', { body: { data: 'none' } }],
		['an error with a status of success', { body: { error: 'The index is being built' } }],
		['an error beside an empty list', { body: { data: [], error: 'The index is being built' } }],
		['a failure beside an empty list', { body: { success: false, data: [] } }],
		['errors beside an empty list', { body: { Items: [], Errors: ['no index'] } }],
		['a list of null', { body: [null] }],
		['a list of texts', { body: ['x'] }],
		['a list of lists', { body: [[]] }],
		['a list that also contains null', { body: [knownPerson, null] }],
		['an unknown wrapper', { body: { found: [knownPerson] } }],
		['an unknown wrapper with an empty list', { body: { found: [] } }],
		['two lists', { body: { data: [], results: [knownPerson] } }],
		['a wrapper in a wrapper', { body: { data: { items: [] } } }],
		['a single record of another person', { body: otherPerson }],
		['a single record without an address', { body: { [id]: 5 } }],
		['a record without an ID', { body: [{ Email: email }] }],
		['a record with a blank ID', { body: [{ Email: email, [id]: ' ' }] }],
		['a single record without an ID', { body: { Email: email } }],
		['records without any address', { body: [{ [id]: 5 }] }],
	])('a response of %s is rejected, and nothing is added or changed', async (_, reply) => {
		const { error, writes } = await runCreateOrUpdate(() => reply);
		expect(writes).toEqual([]);
		expect(error).toBeDefined();
		expect(error!.message).not.toMatch(/Cannot|undefined|not a function/);
		expect(error!.message).toMatch(/^The event registration service /);
	});

	it('the error for a rejected response says that nothing was added or changed', async () => {
		const { error } = await runCreateOrUpdate(() => ({ body: { found: [] } }));
		expect(error).toMatchObject({
			message: `The event registration service did not say whether this ${resource} already exists, so nothing was added or changed`,
			description: expect.stringContaining('search by email'),
		});
	});

	it.each<[string, Reply]>([
		['an empty list', { body: [] }],
		['no content', { status: 204 }],
		['a wrapped empty list', { body: { data: [] } }],
		['an empty list under the name of the resource', { body: { [plural]: [] } }],
		[
			'an empty list under the name of the resource in lower case',
			{ body: { [plural.toLowerCase()]: [] } },
		],
		['an empty list without errors', { body: { items: [], errors: [], error: null } }],
		['a list of other people', { body: [otherPerson, { [id]: 7, Email: null }] }],
		['a wrapped list of other people', { body: { Results: [otherPerson], success: true } }],
	])(
		'a response of %s means that the person is unknown, and the person is added',
		async (_, reply) => {
			const { error, outputItems, writes } = await runCreateOrUpdate(() => reply);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([{ created: true }]);
			expect(writes).toEqual([`POST ${plural.toLowerCase()}`]);
		},
	);

	it.each<[string, Reply]>([
		['a list', { body: [otherPerson, knownPerson] }],
		['a wrapped list', { body: { records: [knownPerson] } }],
		['a list under the name of the resource', { body: { [plural]: [knownPerson] } }],
		['a single record', { body: knownPerson }],
		['a wrapped single record', { body: { data: knownPerson } }],
		['a single record that contains a list', { body: { ...knownPerson, Items: [] } }],
		['a record with another name for its ID', { body: [{ Id: '5', Email: email }] }],
		['the same record twice', { body: [knownPerson, { ...knownPerson, [id]: '5' }] }],
	])('a person in a response of %s is found by the address, and is updated', async (_, reply) => {
		const { error, outputItems, writes } = await runCreateOrUpdate(() => reply);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ created: false }]);
		expect(writes).toEqual(['PATCH 5']);
	});

	const makeFullPage = (from: number) =>
		Array.from({ length: 200 }, (_, index) => ({
			[id]: from + index,
			Email: `${from + index}@example.com`,
		}));

	it('a full page without the address leads to the next page', async () => {
		const pages: Record<string, unknown> = {
			1: makeFullPage(1000),
			2: makeFullPage(2000),
			3: [otherPerson, knownPerson],
		};
		const { outputItems, writes } = await runCreateOrUpdate((url) => ({
			body: pages[readPageNumber(url) ?? 1],
		}));
		expect(outputItems).toMatchObject([{ created: false }]);
		expect(writes).toEqual(['PATCH 5']);
	});

	it('pages without the address to the end mean that the person is unknown, and the person is added', async () => {
		const pages: Record<string, unknown> = { 1: makeFullPage(1000), 2: [otherPerson] };
		const { outputItems, writes } = await runCreateOrUpdate((url) => ({
			body: pages[readPageNumber(url) ?? 1],
		}));
		expect(outputItems).toMatchObject([{ created: true }]);
		expect(writes).toEqual([`POST ${plural.toLowerCase()}`]);
	});

	it.each<[string, (url: string) => unknown]>([
		['the same page', () => makeFullPage(1000)],
		[
			'a second page that is not a list',
			(url) => (readPageNumber(url) === '2' ? { error: 'x' } : makeFullPage(1000)),
		],
	])('full pages followed by %s are rejected', async (_, body) => {
		const { error, writes } = await runCreateOrUpdate((url) => ({ body: body(url) }));
		expect(writes).toEqual([]);
		expect(error?.message).toContain('did not say whether');
	});
});
