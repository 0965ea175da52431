// Protects tests of contacts: the sandbox adds, updates and finds them as its settings say, and rejects invalid ones.
import { readAll, useEventRegistration } from './eventClients';
import type { Json } from './eventClients';

const { sandbox, http } = useEventRegistration();

const listPath = '/contactlists/7019';
const getList = async () => (await http.get<Json>(listPath)).data;

/** Advances the clock, so that every later change is later than all earlier ones. Returns the new time. */
function advanceClock(): string {
	sandbox.clock.advance(5000);
	return new Date(sandbox.clock.now()).toISOString();
}

describe('contact lists', () => {
	it('have the correct count of contacts', async () => {
		const lists = await readAll(http, '/contactlists');
		const { ContactListId, ContactCount } = lists[2]!;
		const contacts = await readAll(http, `/contactlists/${ContactListId as number}/contacts`);
		expect(contacts).toHaveLength(ContactCount as number);
	});

	it('can be created, renamed and deleted', async () => {
		const beforeCreation = advanceClock();
		const { data: createdList } = await http.post<Json>('/contactlists', { Name: 'Vögel & Co' });
		expect(createdList).toMatchObject({
			Name: 'Vögel & Co',
			ContactCount: 0,
			Id: String(createdList.ContactListId),
		});
		expect((createdList.LastUpdated as string) >= beforeCreation).toBe(true);
		const path = `/contactlists/${createdList.ContactListId as number}`;
		expect((await http.get(`${path}/contacts`)).data).toEqual([]);

		const beforeRenaming = advanceClock();
		await http.patch(path, { Name: 'Birds' });
		const { data: renamedList } = await http.get<Json>(path);
		expect(renamedList.Name).toBe('Birds');
		expect((renamedList.LastUpdated as string) >= beforeRenaming).toBe(true);

		expect((await http.delete(path)).status).toBe(200);
		expect((await http.get(path)).status).toBe(404);
		expect((await http.delete(path)).status).toBe(404);
		const allLists = await readAll(http, '/contactlists');
		expect(allLists.map(({ ContactListId }) => ContactListId)).not.toContain(
			createdList.ContactListId,
		);
	});
});

describe('adding contacts', () => {
	const validContact = { FirstName: 'Aoife', LastName: "O'Dea", Email: 'aoife@odea.example' };
	const contactWithCustomField = {
		...validContact,
		CustomFields: [{ Name: 'Industry', Value: 'Media' }],
	};

	it('accepts several contacts at once and returns the list', async () => {
		const listBefore = await getList();
		const beforeChange = advanceClock();
		const { status, data } = await http.post<Json>(`${listPath}/contacts`, [
			validContact,
			contactWithCustomField,
		]);
		expect(status).toBe(200);
		expect(data).toEqual({
			...listBefore,
			ContactCount: (listBefore.ContactCount as number) + 2,
			LastUpdated: expect.any(String),
		});
		expect((data.LastUpdated as string) >= beforeChange).toBe(true);
		const addedContacts = (await readAll(http, `${listPath}/contacts`)).slice(-2);
		expect(addedContacts[0]).toMatchObject({ ...validContact, CustomFields: [] });
		expect(addedContacts[1]).toMatchObject(contactWithCustomField);
		expect(addedContacts[1]!.DateAdded).toBe(addedContacts[1]!.LastUpdated);
		expect((await getList()).ContactCount).toBe(data.ContactCount);
	});

	it.each([
		['[1].Email', { FirstName: 'Nobody' }],
		['[1].Email', { Email: 'nobody' }],
		['[1].Email', { Email: 'no body@a.example' }],
		[
			'[1].CustomFields.Industry',
			{ ...validContact, CustomFields: [{ Name: 'Industry', Value: 'Piracy' }] },
		],
		[
			'[1].CustomFields.Ship',
			{ ...validContact, CustomFields: [{ Name: 'Ship', Value: 'Hispaniola' }] },
		],
		[
			'[1].CustomFields.Employees',
			{ ...validContact, CustomFields: [{ Name: 'Employees', Value: 'many' }] },
		],
		[
			'[1].CustomFields.Newsletter',
			{ ...validContact, CustomFields: [{ Name: 'Newsletter', Value: 'maybe' }] },
		],
		[
			'[1].CustomFields.MemberSince',
			{ ...validContact, CustomFields: [{ Name: 'MemberSince', Value: 'long ago' }] },
		],
		[
			'[1].CustomFields.LastCall',
			{ ...validContact, CustomFields: [{ Name: 'LastCall', Value: 'at noon' }] },
		],
		[
			'[1].CustomFields.Topics',
			{ ...validContact, CustomFields: [{ Name: 'Topics', Value: 'Data, Piracy' }] },
		],
	])('rejects the whole array if the field %s is invalid', async (field, invalidContact) => {
		const listBefore = await getList();
		const { status, data } = await http.post<Json>(`${listPath}/contacts`, [
			validContact,
			invalidContact,
			validContact,
		]);
		expect(status).toBe(400);
		expect(Object.keys(data.ModelState as object)).toEqual([field]);
		expect(await getList()).toEqual(listBefore);
	});

	const unnormalizedContact = {
		Email: ' Aoife@ODea.example ',
		Phone: '+353 (1) 555-0100',
		LastName: "O'  Dea",
		CustomFields: [
			{ Name: 'MemberNumber', Value: '00123' },
			{ Name: 'Employees', Value: '012.50' },
			{ Name: 'Newsletter', Value: 'true' },
			{ Name: 'MemberSince', Value: '2026-01-05T00:00:00Z' },
			{ Name: 'LastCall', Value: '2026-01-05T10:30+01:00' },
			{ Name: 'Topics', Value: 'Teaching, Health, Safety, Data' },
		],
	};
	const readNewestContact = async () => (await readAll(http, `${listPath}/contacts`)).at(-1)!;

	it('stores values as they were sent', async () => {
		await http.post(`${listPath}/contacts`, [unnormalizedContact]);
		expect(await readNewestContact()).toMatchObject(unnormalizedContact);
	});

	it('stores one spelling of each value if the setting is normalized', async () => {
		sandbox.settings.eventRegistration.contactStorage = 'normalized';
		await http.post(`${listPath}/contacts`, [unnormalizedContact]);
		const addedContact = await readNewestContact();
		expect(addedContact).toMatchObject({
			Email: 'aoife@odea.example',
			Phone: '+35315550100',
			LastName: "O' Dea",
			CustomFields: [
				{ Name: 'MemberNumber', Value: '00123' },
				{ Name: 'Employees', Value: '12.5' },
				{ Name: 'Newsletter', Value: 'Yes' },
				{ Name: 'MemberSince', Value: '2026-01-05' },
				{ Name: 'LastCall', Value: '2026-01-05T09:30:00Z' },
				{ Name: 'Topics', Value: 'Data;Health, Safety;Teaching' },
			],
		});
		await http.patch(`${listPath}/contacts/${addedContact.ContactId as number}`, { Phone: '0 1' });
		expect(await readNewestContact()).toMatchObject({ Phone: '01', Email: 'aoife@odea.example' });
	});

	it('stores the valid contacts of a rejected array if the setting is validOnly', async () => {
		sandbox.settings.eventRegistration.contactAddMode = 'validOnly';
		const countBefore = (await getList()).ContactCount as number;
		const { status } = await http.post(`${listPath}/contacts`, [
			validContact,
			{ Email: '' },
			validContact,
		]);
		expect(status).toBe(400);
		expect((await getList()).ContactCount).toBe(countBefore + 2);
		await http.post(`${listPath}/contacts`, [{ Email: '' }]);
		expect((await getList()).ContactCount).toBe(countBefore + 2);
	});
});

describe('a contact', () => {
	it('loses the custom fields that an update omits if the setting is replaceCustom', async () => {
		sandbox.settings.eventRegistration.contactUpdateMode = 'replaceCustom';
		const [before] = (await http.get<Json[]>(`${listPath}/contacts`)).data;
		const path = `${listPath}/contacts/${before!.ContactId as number}`;
		const CustomFields = [{ Name: 'Industry', Value: 'Media' }];
		await http.patch(path, { CustomFields });
		expect((await http.get<Json>(path)).data).toMatchObject({ Email: before!.Email, CustomFields });
	});

	it('keeps the fields that an update omits', async () => {
		const [before] = (await http.get<Json[]>(`${listPath}/contacts`)).data;
		const path = `${listPath}/contacts/${before!.ContactId as number}`;
		const beforeChange = advanceClock();
		const change = { Title: 'Harbor Master', CustomFields: [{ Name: 'Industry', Value: 'Media' }] };
		expect((await http.patch(path, change)).status).toBe(200);
		const { data: after } = await http.get<Json>(path);
		expect(after).toMatchObject({
			FirstName: before!.FirstName,
			Email: before!.Email,
			DateAdded: before!.DateAdded,
			Title: 'Harbor Master',
		});
		const customFieldNames = (record: Json) =>
			(record.CustomFields as Json[]).map(({ Name }) => Name);
		expect(customFieldNames(after)).toEqual(customFieldNames(before!));
		expect(after.CustomFields).toContainEqual({ Name: 'Industry', Value: 'Media' });
		expect((after.LastUpdated as string) >= beforeChange).toBe(true);
		const { data: changedContacts } = await http.get(`${listPath}/contacts`, {
			params: { updatedAfter: beforeChange.replace(/\d{3}Z/, '000Z') },
		});
		expect(changedContacts).toEqual([after]);
		expect((await http.patch(path, { Email: '' })).status).toBe(400);
		expect((await http.get(path)).data).toEqual(after);
	});

	it('is not found and not counted after its removal', async () => {
		const [contact] = (await http.get<Json[]>(`${listPath}/contacts`)).data;
		const countBefore = (await getList()).ContactCount as number;
		const path = `${listPath}/contacts/${contact!.ContactId as number}`;
		expect((await http.delete(path)).status).toBe(200);
		expect((await http.get(path)).status).toBe(404);
		expect((await http.delete(path)).status).toBe(404);
		expect((await getList()).ContactCount).toBe(countBefore - 1);
		expect((await http.get<Json[]>(`${listPath}/contacts`)).data).toHaveLength(countBefore - 1);
	});

	it('is not found in another list', async () => {
		const [contact] = (await http.get<Json[]>('/contactlists/7003/contacts')).data;
		expect((await http.get(`${listPath}/contacts/${contact!.ContactId as number}`)).status).toBe(
			404,
		);
	});
});

describe('searching contacts', () => {
	const search = async (body: Json) =>
		(await http.post<Json[]>(`${listPath}/contacts/search`, body)).data;

	it('compares whole values without regard to case', async () => {
		const allContacts = await readAll(http, `${listPath}/contacts`);
		const searchedContact = allContacts[7]!;
		const expectedContacts = allContacts.filter(({ Email }) => Email === searchedContact.Email);
		expect(await search({ Email: (searchedContact.Email as string).toUpperCase() })).toEqual(
			expectedContacts,
		);
		expect(await search({ Email: (searchedContact.Email as string).slice(0, -1) })).toEqual([]);
		expect(
			await search({ LastName: searchedContact.LastName, FirstName: searchedContact.FirstName }),
		).toContainEqual(searchedContact);
		expect(await search({})).toEqual(allContacts);
	});

	it('finds contacts by custom field and by time of update', async () => {
		const allContacts = await readAll(http, `${listPath}/contacts`);
		const mediaContacts = allContacts.filter(({ CustomFields }) =>
			(CustomFields as Json[]).some(({ Name, Value }) => Name === 'Industry' && Value === 'Media'),
		);
		expect(mediaContacts.length).toBeGreaterThan(0);
		expect(await search({ Industry: 'media' })).toEqual(mediaContacts);
		const times = allContacts.map(({ LastUpdated }) => LastUpdated as string).sort();
		const [UpdatedAfter, UpdatedBefore] = [times[20]!, times[60]!];
		const contactsBetween = await search({ UpdatedAfter, UpdatedBefore });
		expect(contactsBetween).toEqual(
			allContacts.filter(
				({ LastUpdated }) =>
					(LastUpdated as string) > UpdatedAfter && (LastUpdated as string) < UpdatedBefore,
			),
		);
		expect(contactsBetween.length).toBeGreaterThan(10);
	});
});
