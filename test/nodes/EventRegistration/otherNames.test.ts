import { openPanel } from '../../support/panel';
import { useFake } from './fakeService';
import { locateById } from './samples';

const fake = useFake();

const panel = () =>
	openPanel(fake.kit, 'eventRegistration', {
		resource: 'registration',
		operation: 'create',
		eventId: locateById(1),
		contactListId: locateById(7),
	});

describe('a list of the panel', () => {
	it.each([
		['under its own name', { RegistrationTypeId: 5, Name: 'Speaker' }],
		['under its long name', { RegistrationTypeId: 5, RegistrationTypeName: 'Speaker' }],
		[
			'under the name of an option group',
			{ RegistrationOptionGroupId: 5, RegistrationOptionGroupName: 'Speaker' },
		],
		['with the ID alone under another name', { Id: '5', Name: 'Speaker' }],
	])('the list shows a registration type %s', async (_, record) => {
		fake.respondWith(() => ({ body: [record] }));
		const { results } = await panel().list('searchRegistrationTypes');
		expect(results).toEqual([{ name: 'Speaker', value: '5', description: undefined }]);
	});

	it('reads all pages of registration types with such names', async () => {
		const allTypes = Array.from({ length: 450 }, (_, index) => ({
			RegistrationOptionGroupId: index + 1,
			RegistrationOptionGroupName: `Type ${index + 1}`,
		}));
		fake.respondWith(({ url }) => {
			const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
			return { body: allTypes.slice(200 * (page - 1), 200 * page) };
		});
		const { results } = await panel().list('searchRegistrationTypes', 'type');
		expect(results.map(({ value }) => value)).toEqual(allTypes.map((_, index) => `${index + 1}`));
		const { outputItems } = await fake.run({
			resource: 'registrationType',
			operation: 'getMany',
			eventId: locateById(1),
			returnAll: true,
		});
		expect(outputItems).toEqual(
			allTypes.map((type, index) => ({ RegistrationTypeId: index + 1, ...type })),
		);
	});

	it.each([
		['searchEvents', { EventId: 5, Name: 'Days', StartDate: 20260512 }, /^Days \(20260512\)$/],
		['searchEvents', { EventId: 5, EventName: 'Days' }, /^Days$/],
		['searchSessions', { SessionId: 5, Title: 7, StartDateTime: {} }, /^7/],
		['searchSessions', { SessionId: 5, SessionTitle: 'Keynote' }, /^Keynote$/],
		['searchOptionGroups', { RegistrationOptionGroupId: 5, Name: 'Meals' }, /^Meals$/],
		['searchContactLists', { ContactListId: 5, ContactListName: 'News' }, /^News$/],
		['searchContactLists', { ContactListId: 5 }, /^5$/],
		['searchContacts', { ContactId: 5, Email: 'a@example.com' }, /^a@example\.com$/],
		['searchRegistrations', { RegistrationId: 5, FirstName: null, LastName: 'Ray' }, /^Ray$/],
		['searchRegistrations', { RegistrationId: 5, FirstName: { a: 1 } }, /./],
		['searchRegistrations', { RegistrationId: 5 }, /^5$/],
	])('%s shows %j by its available fields', async (method, record, name) => {
		fake.respondWith(() => ({ body: [record] }));
		const { results } = await panel().list(method);
		expect(results).toMatchObject([{ name: expect.stringMatching(name), value: '5' }]);
		expect(JSON.stringify(results)).not.toMatch(/undefined|object Object/);
	});

	it('omits records without an ID', async () => {
		fake.respondWith(() => ({
			body: [{ Name: 'Nothing' }, { EventId: 5, Name: 'Days' }, { EventId: {} }],
		}));
		expect((await panel().list('searchEvents')).results).toMatchObject([{ value: '5' }]);
	});

	it('the list of options shows their available fields', async () => {
		fake.respondWith(({ url }) => ({
			body: url.includes('/4?')
				? [{ RegistrationOptionId: 8, Name: 'Lunch', Price: null }, { RegistrationOptionId: 9 }]
				: [{ RegistrationOptionGroupId: 4, Name: 'Meals' }, { Name: 'no ID' }],
		}));
		expect(await panel().choices('getOptions')).toEqual([
			{ name: 'Meals: Lunch', value: '8', description: undefined },
			{ name: 'Meals: 9', value: '9', description: undefined },
		]);
	});
});
