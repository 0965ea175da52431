// Protects contacts and contact lists: they are added, read, changed and removed as entered, and other fields stay.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { demoIds, mapperValue } from './demoIds';
import { useResource } from './resourceRig';

const { rig, run } = useResource('contact', { registrations: 200 });
const list = { contactListId: locateById(demoIds.contactListId) };
const runOnContactList = (operation: string, parameters: object) =>
	rig.run('eventRegistration', { resource: 'contactList', operation, ...parameters });
const getFirstContact = async () =>
	(await run('getMany', { ...list, limit: 1, simplify: false })).outputItems[0]!;
const searchByEmail = async (email: string, simplify = false) =>
	(await run('search', { ...list, criteria: { email }, simplify })).outputItems;
const zoe = { FirstName: 'Zoë', LastName: "O'Brien", Email: 'zoe@example.com' };

describe('contacts', () => {
	it('contacts are added with standard and custom fields', async () => {
		const { error } = await run('add', {
			...list,
			details: mapperValue({ ...zoe, Phone: 4670555, Industry: 'Media', Country: '' }),
		});
		expect(error).toBeUndefined();
		const [found] = await searchByEmail('zoe@example.com');
		expect(found).toMatchObject({
			...zoe,
			Phone: '4670555',
			CustomFields: { Industry: 'Media' },
		});
	});

	it('contacts are added from the output of the previous node, for example registrations', async () => {
		const { json, error } = await rig.runSequence([
			{
				name: 'Registrations',
				type: 'eventRegistration',
				parameters: {
					resource: 'registration',
					operation: 'getMany',
					eventId: locateById(demoIds.eventId),
					limit: 5,
				},
			},
			{
				name: 'Add',
				type: 'eventRegistration',
				parameters: {
					resource: 'contact',
					operation: 'add',
					...list,
					details: { mappingMode: 'autoMapInputData', value: null, schema: [] } as never,
				},
			},
		]);
		expect(error).toBeUndefined();
		const added = json('Add');
		expect(added.map(({ Email }) => Email)).toEqual(
			json('Registrations').map(({ Email }) => Email),
		);
		// A field that both forms have is copied, although one form lists it and the other has it by name.
		const { Country } = json('Registrations')[0]!.CustomFields as IDataObject;
		expect(added[0]!.CustomFields).toEqual({ Country });
		expect(rig.sandbox.requestLog.count('eventRegistration', 'getContactForm')).toBe(1);
		expect(rig.sandbox.requestLog.count('eventRegistration', 'addContacts')).toBe(1);
	});

	it('Update changes only the given fields', async () => {
		const before = await getFirstContact();
		const { error } = await run('update', {
			...list,
			contactId: locateById(before.ContactId),
			details: mapperValue({ Title: 'Chief of Staff' }),
		});
		expect(error).toBeUndefined();
		expect(await getFirstContact()).toEqual({
			...before,
			Title: 'Chief of Staff',
			LastUpdated: expect.any(String),
		});
	});

	it('contacts are removed, even if the response to the first attempt is lost', async () => {
		const { ContactId } = await getFirstContact();
		rig.sandbox.faultRules.add({
			service: 'eventRegistration',
			operation: 'removeContact',
			kind: 'drop',
			afterExecution: true,
			times: 1,
		});
		const { outputItems, error } = await run('remove', {
			...list,
			contactId: locateById(ContactId),
			options: { longestWait: 1 },
		});
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ deleted: true, ContactId, ContactListId: demoIds.contactListId },
		]);
		expect((await getFirstContact()).ContactId).not.toBe(ContactId);
	});

	it('custom fields are output by name, with and without Simplify', async () => {
		const { Email, CustomFields } = await getFirstContact();
		const [found] = await searchByEmail(Email as string, true);
		expect(CustomFields).toHaveProperty('Country');
		expect(found!.CustomFields).toEqual(CustomFields);
	});
});

describe('contact lists', () => {
	it('contact lists are created, read, changed and deleted', async () => {
		const { outputItems: created } = await runOnContactList('create', {
			name: 'Helpers "Nørd" 🎟️',
		});
		const createdList = { contactListId: locateById(created[0]!.ContactListId) };
		expect(created[0]).toMatchObject({ Name: 'Helpers "Nørd" 🎟️', ContactCount: 0 });
		expect(
			(await runOnContactList('update', { ...createdList, name: 'מתנדבים' })).outputItems[0],
		).toMatchObject({
			Name: 'מתנדבים',
		});
		expect((await runOnContactList('get', createdList)).outputItems[0]).toMatchObject({
			Name: 'מתנדבים',
		});
		expect((await runOnContactList('delete', createdList)).outputItems).toEqual([
			{ deleted: true, ContactListId: created[0]!.ContactListId },
		]);
		expect((await runOnContactList('get', createdList)).error?.message).toContain(
			'There is no contact list',
		);
	});

	it('Changed After returns only the contact lists that changed after this time', async () => {
		rig.sandbox.clock.advance(60_000);
		const changedAfter = new Date(rig.sandbox.clock.now() - 1000).toISOString();
		await runOnContactList('update', { ...list, name: 'Speakers, renamed' });
		const { outputItems } = await runOnContactList('getMany', { filters: { changedAfter } });
		expect(outputItems.map(({ Name }) => Name)).toEqual(['Speakers, renamed']);
	});
});
