// Protects the other fields of contacts: Sync stops at the first update that clears fields that were not sent.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../../support/locators';
import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { applyToFake, makePerson } from './people';
import { useSync } from './syncRig';

describe('a service whose update clears other fields', () => {
	const { rig, createList, readContacts, countRequests, sync } = useSync();
	const settings = () => rig.sandbox.settings.eventRegistration;
	const fromNorway = { CustomFields: [{ Name: 'Country', Value: 'Norway' }] };
	const readContactsByName = async (listId: number) =>
		Object.fromEntries((await readContacts(listId)).map((contact) => [contact.LastName, contact]));
	const makeClearedCountryMessage = ({ ContactId }: IDataObject) =>
		`also changed fields of contact ${ContactId as number} that were not sent: 'Country'`;

	it('Sync detects cleared fields with the first contact that has other values', async () => {
		settings().contactUpdateMode = 'replaceCustom';
		const listId = await createList([
			makePerson('ada'),
			makePerson('bob', fromNorway),
			makePerson('cem', fromNorway),
		]);
		const before = await readContactsByName(listId);
		const input = ['ada', 'bob', 'cem'].map((name) => makePerson(name, { Phone: '1' }));
		const { error } = await sync(listId, input, { mode: 'apply' });
		expect(error?.message).toContain(makeClearedCountryMessage(before.bob));
		expect((await readContactsByName(listId)).cem).toEqual(before.cem);
		expect(countRequests('updateContact')).toBe(1);
	});

	it('Sync detects cleared fields even if only updates with custom fields clear others', async () => {
		settings().contactUpdateMode = 'replaceSentCustom';
		const names = ['ada', 'bob', 'cem'];
		const listId = await createList(names.map((name) => makePerson(name, fromNorway)));
		const before = await readContactsByName(listId);
		const input = [
			makePerson('ada', { Phone: '1' }),
			makePerson('bob', { Industry: 'Media' }),
			makePerson('cem', { Industry: 'Media' }),
		];
		const { error } = await sync(listId, input, { mode: 'apply' });
		expect(error?.message).toContain(makeClearedCountryMessage(before.bob));
		const after = await readContactsByName(listId);
		expect(after.ada).toMatchObject({ Phone: '1', ...fromNorway });
		expect(after.cem).toEqual(before.cem);
	});

	it('Sync checks for cleared fields once per kind of update, without reading other contacts', async () => {
		const listId = await createList(
			['ada', 'bob', 'cem', 'dan', 'eve'].map((name) => makePerson(name, fromNorway)),
		);
		const input = [
			makePerson('ada', { Phone: '1' }),
			makePerson('bob', { Industry: 'Media' }),
			makePerson('cem', { Phone: '1' }),
			makePerson('dan', { Industry: 'Media' }),
			makePerson('eve', { Phone: '1' }),
		];
		const { outputItems } = await sync(listId, input, { mode: 'apply' });
		expect(outputItems.map(({ change, applied }) => [change, applied])).toEqual(
			Array(5).fill(['updated', true]),
		);
		expect([countRequests('getContact'), countRequests('updateContact')]).toEqual([4, 5]);
	});
});

describe('the response about a contact', () => {
	const fake = useFake();
	const ada = { ...makePerson('ada'), ContactId: 1, LastUpdated: '2026-05-01T00:00:00Z' };
	/** Runs Sync with a list of one contact. The service responds to the update and to the read after it as given. */
	const sync = async (responses: { patch: IDataObject; readBack: IDataObject }) => {
		let isWritten = false;
		fake.respondWith(({ method, url }): Reply => {
			if (url.endsWith('/contactform')) {
				return { body: { Email: 'Email', Last: 'LastName', Phone: 'Phone', Country: 'Country' } };
			}
			if (method === 'PATCH') {
				isWritten = true;
				return { body: responses.patch };
			}
			if (url.endsWith('/contacts/1')) return { body: isWritten ? responses.readBack : ada };
			if (url.includes('/contacts')) return { body: [ada] };
			return { body: { ContactListId: 7, ContactCount: 1, LastUpdated: 'monday' } };
		});
		return await fake.operate('contact', 'sync', applyToFake, [
			makePerson('ada', { Phone: '1', Country: 'Norway' }),
		]);
	};
	const storedAda = { ...ada, Phone: '1', CustomFields: [{ Name: 'Country', Value: 'Norway' }] };

	it('stops Sync if it has another ID than the updated contact', async () => {
		const { error } = await sync({ patch: storedAda, readBack: { ...storedAda, ContactId: 2 } });
		expect(error?.message).toMatch(/Contact 1 was changed, but could not be read afterwards/);
	});

	it('leads to no hint about the spelling of fields that it lacks', async () => {
		const { outputItems, hints } = await sync({ patch: { ContactId: 1 }, readBack: storedAda });
		expect(outputItems).toMatchObject([{ change: 'updated', applied: true }]);
		expect(hints).toEqual([]);
	});

	it('leads to a hint if it has another spelling of a field', async () => {
		const respelled = { ...storedAda, Phone: '+1' };
		const { hints } = await sync({ patch: respelled, readBack: respelled });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The service stores 'Phone' in another spelling/),
		]);
	});
});

describe('form fields named like Object properties', () => {
	const fake = useFake();
	const ada = { ...makePerson('ada'), ContactId: 1, LastUpdated: '2026-05-01T00:00:00Z' };
	const objectPropertyNames = ['constructor', '__proto__', 'toString'];
	const sync = async (matchBy: string) => {
		const sentBodies: unknown[] = [];
		fake.respondWith(({ method, url, body }): Reply => {
			if (url.endsWith('/contactform')) {
				return {
					body: ['Email', 'LastName', ...objectPropertyNames].map((name) => ({
						name,
						caption: name,
					})),
				};
			}
			if (method === 'PATCH') sentBodies.push(JSON.parse(body));
			if (url.endsWith('/contacts/1')) return { body: ada };
			if (url.includes('/contacts')) return { body: [ada] };
			return { body: { ContactListId: 7, ContactCount: 1, LastUpdated: 'monday' } };
		});
		const result = await fake.operate('contact', 'sync', {
			contactListId: locateById(7),
			matchBy,
			email: 'ada@x.org',
			details: {
				mappingMode: 'defineBelow',
				// The names as the editor stores them.
				value: { '%63onstructor': 'one', '%5F_proto__': 'two', toString: 'three' },
				schema: [],
			},
			mode: 'apply',
			options: { tries: 1 },
		});
		return { ...result, sentBodies };
	};

	it('these fields are compared and sent like any other', async () => {
		const { outputItems, sentBodies } = await sync('Email');
		expect(outputItems[0]!.changes).toEqual([
			{ field: 'constructor', from: '', to: 'one' },
			{ field: '__proto__', from: '', to: 'two' },
			{ field: 'toString', from: '', to: 'three' },
		]);
		expect(sentBodies).toEqual([
			{
				CustomFields: [
					{ Name: 'constructor', Value: 'one' },
					{ Name: '__proto__', Value: 'two' },
					{ Name: 'toString', Value: 'three' },
				],
			},
		]);
	});

	it.each(objectPropertyNames)('Match By %s fails if no contact has the field', async (name) => {
		const { error } = await sync(name);
		expect(error?.message).toContain(`None of the 1 contacts in the list has the field '${name}'`);
	});
});
