// Protects the panel with services that name fields in other ways: each record is listed with its name and its ID.
import { locateById } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { useFake } from './fakeService';

const PAGE_SIZE = 200;
const fake = useFake();

const openTestPanel = () =>
	openPanel(fake.kit, 'eventRegistration', {
		resource: 'registration',
		operation: 'create',
		eventId: locateById(1),
		contactListId: locateById(7),
	});

describe('a list of the panel', () => {
	it.each([
		['with RegistrationTypeId and Name', { RegistrationTypeId: 5, Name: 'Speaker' }],
		[
			'with RegistrationTypeId and RegistrationTypeName',
			{ RegistrationTypeId: 5, RegistrationTypeName: 'Speaker' },
		],
		[
			'with the property names of an option group',
			{ RegistrationOptionGroupId: 5, RegistrationOptionGroupName: 'Speaker' },
		],
		['with Id and Name', { Id: '5', Name: 'Speaker' }],
	])('the list shows a registration type %s', async (_, record) => {
		fake.respondWith(() => ({ body: [record] }));
		const { results } = await openTestPanel().list('searchRegistrationTypes');
		expect(results).toEqual([{ name: 'Speaker', value: '5', description: undefined }]);
	});

	it('all pages of registration types with the property names of an option group are read', async () => {
		const allTypes = Array.from({ length: 450 }, (_, index) => ({
			RegistrationOptionGroupId: index + 1,
			RegistrationOptionGroupName: `Type ${index + 1}`,
		}));
		fake.respondWith(({ url }) => {
			const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
			return { body: allTypes.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page) };
		});
		const { results } = await openTestPanel().list('searchRegistrationTypes', 'type');
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
	])('%s builds the name of %j from the fields that it has', async (method, record, name) => {
		fake.respondWith(() => ({ body: [record] }));
		const { results } = await openTestPanel().list(method);
		expect(results).toMatchObject([{ name: expect.stringMatching(name), value: '5' }]);
		expect(JSON.stringify(results)).not.toMatch(/undefined|object Object/);
	});

	it('records without an ID are omitted', async () => {
		fake.respondWith(() => ({
			body: [{ Name: 'Nothing' }, { EventId: 5, Name: 'Days' }, { EventId: {} }],
		}));
		expect((await openTestPanel().list('searchEvents')).results).toMatchObject([{ value: '5' }]);
	});

	it('the name of an option is built from the fields that the option has', async () => {
		fake.respondWith(({ url }) => ({
			body: url.includes('/4?')
				? [{ RegistrationOptionId: 8, Name: 'Lunch', Price: null }, { RegistrationOptionId: 9 }]
				: [{ RegistrationOptionGroupId: 4, Name: 'Meals' }, { Name: 'no ID' }],
		}));
		expect(await openTestPanel().choices('getOptions')).toEqual([
			{ name: 'Meals: Lunch', value: '8', description: undefined },
			{ name: 'Meals: 9', value: '9', description: undefined },
		]);
	});
});
