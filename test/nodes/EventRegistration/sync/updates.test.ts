import type { IDataObject } from 'n8n-workflow';

import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { locateById } from '../samples';
import { applyToFake, person } from './people';
import { useSync } from './syncRig';

describe('a service whose update clears other fields', () => {
	const { rig, list, contacts, count, sync } = useSync();
	const settings = () => rig.sandbox.settings.eventRegistration;
	const norway = { CustomFields: [{ Name: 'Country', Value: 'Norway' }] };
	const contactsByName = async (listId: number) =>
		Object.fromEntries((await contacts(listId)).map((contact) => [contact.LastName, contact]));
	const clearedCountryMessage = ({ ContactId }: IDataObject) =>
		`also changed fields of contact ${ContactId as number} that were not sent: 'Country'`;

	it('clearing is detected with a contact that has other values, anywhere in the list', async () => {
		settings().updatesContacts = 'replaceCustom';
		const listId = await list([person('ada'), person('bob', norway), person('cem', norway)]);
		const before = await contactsByName(listId);
		const input = ['ada', 'bob', 'cem'].map((name) => person(name, { Phone: '1' }));
		const { error } = await sync(listId, input, { mode: 'apply' });
		expect(error?.message).toContain(clearedCountryMessage(before.bob));
		expect((await contactsByName(listId)).cem).toEqual(before.cem);
		expect(count('updateContact')).toBe(1);
	});

	it('clearing is detected if only updates with custom fields do so', async () => {
		settings().updatesContacts = 'replaceSentCustom';
		const names = ['ada', 'bob', 'cem'];
		const listId = await list(names.map((name) => person(name, norway)));
		const before = await contactsByName(listId);
		const input = [
			person('ada', { Phone: '1' }),
			person('bob', { Industry: 'Media' }),
			person('cem', { Industry: 'Media' }),
		];
		const { error } = await sync(listId, input, { mode: 'apply' });
		expect(error?.message).toContain(clearedCountryMessage(before.bob));
		const after = await contactsByName(listId);
		expect(after.ada).toMatchObject({ Phone: '1', ...norway });
		expect(after.cem).toEqual(before.cem);
	});

	it('clearing is checked once for each kind of update, without reading other contacts', async () => {
		const listId = await list(
			['ada', 'bob', 'cem', 'dan', 'eve'].map((name) => person(name, norway)),
		);
		const input = [
			person('ada', { Phone: '1' }),
			person('bob', { Industry: 'Media' }),
			person('cem', { Phone: '1' }),
			person('dan', { Industry: 'Media' }),
			person('eve', { Phone: '1' }),
		];
		const { outputItems } = await sync(listId, input, { mode: 'apply' });
		expect(outputItems.map(({ change, applied }) => [change, applied])).toEqual(
			Array(5).fill(['updated', true]),
		);
		expect([count('getContact'), count('updateContact')]).toEqual([4, 5]);
	});
});

/** A list with one contact and configurable responses. */
describe('the response about a contact', () => {
	const fake = useFake();
	const ada = { ...person('ada'), ContactId: 1, LastUpdated: '2026-05-01T00:00:00Z' };
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
			person('ada', { Phone: '1', Country: 'Norway' }),
		]);
	};
	const stored = { ...ada, Phone: '1', CustomFields: [{ Name: 'Country', Value: 'Norway' }] };

	it('reading back another contact stops Sync', async () => {
		const { error } = await sync({ patch: stored, readBack: { ...stored, ContactId: 2 } });
		expect(error?.message).toMatch(/Contact 1 was changed, but could not be read afterwards/);
	});

	it('does not show the spelling of fields that it lacks', async () => {
		const { outputItems, hints } = await sync({ patch: { ContactId: 1 }, readBack: stored });
		expect(outputItems).toMatchObject([{ change: 'updated', applied: true }]);
		expect(hints).toEqual([]);
	});

	it('shows the spelling of fields that it has', async () => {
		const respelled = { ...stored, Phone: '+1' };
		const { hints } = await sync({ patch: respelled, readBack: respelled });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The service stores 'Phone' in another spelling/),
		]);
	});
});

describe('form fields named like Object properties', () => {
	const fake = useFake();
	const ada = { ...person('ada'), ContactId: 1, LastUpdated: '2026-05-01T00:00:00Z' };
	const hostile = ['constructor', '__proto__', 'toString'];
	const sync = async (matchBy: string) => {
		const sent: unknown[] = [];
		fake.respondWith(({ method, url, body }): Reply => {
			if (url.endsWith('/contactform')) {
				return { body: ['Email', 'LastName', ...hostile].map((name) => ({ name, caption: name })) };
			}
			if (method === 'PATCH') sent.push(JSON.parse(body));
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
				// As the editor stores them.
				value: { '%63onstructor': 'one', '%5F_proto__': 'two', toString: 'three' },
				schema: [],
			},
			mode: 'apply',
			options: { tries: 1 },
		});
		return { ...result, sent };
	};

	it('such fields are compared and sent like any other', async () => {
		const { outputItems, sent } = await sync('Email');
		expect(outputItems[0]!.changes).toEqual([
			{ field: 'constructor', from: '', to: 'one' },
			{ field: '__proto__', from: '', to: 'two' },
			{ field: 'toString', from: '', to: 'three' },
		]);
		expect(sent).toEqual([
			{
				CustomFields: [
					{ Name: 'constructor', Value: 'one' },
					{ Name: '__proto__', Value: 'two' },
					{ Name: 'toString', Value: 'three' },
				],
			},
		]);
	});

	it.each(hostile)('such fields are not found in a contact that lacks them (%s)', async (name) => {
		const { error } = await sync(name);
		expect(error?.message).toContain(`None of the 1 contacts in the list has the field '${name}'`);
	});
});
