import type { IDataObject } from 'n8n-workflow';

import { openForAllTests } from '../../support/sandbox';
import { openRig } from '../../support/sandboxRig';
import { useFake } from './fake';
import { byId, known, mapped } from './samples';

const event = { eventId: byId(known.eventId) };
const list = { contactListId: byId(known.contactListId) };
const person = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };
const form = { details: mapped({ ...person, Country: 'Sweden' }) };

describe('the output of a write', () => {
	const rig = openForAllTests(async () => await openRig({ registrations: 50, contacts: 50 }));
	const run = async (resource: string, operation: string, parameters: object) => {
		const { outputItems, error } = await rig.run('eventRegistration', {
			resource,
			operation,
			...parameters,
		});
		expect(error).toBeUndefined();
		return outputItems[0]!;
	};

	it.each([
		{ simplify: true, fields: 12 },
		{ simplify: false, fields: 15 },
	])('is the registration that Get returns (Simplify $simplify)', async ({ simplify, fields }) => {
		const email = `zoe.${simplify}@tarnvale.example`;
		const shown = { ...event, simplify };
		const created = await run('registration', 'create', { ...shown, ...form });
		const one = { ...shown, registrationId: byId(created.RegistrationId) };
		const read = async () => await run('registration', 'get', one);
		expect(created).toEqual(await read());
		expect(Object.keys(created)).toHaveLength(fields);
		expect(created.CustomFields).toEqual({ Country: 'Sweden' });
		const changed = await run('registration', 'update', {
			...one,
			details: mapped({ Email: email }),
		});
		expect(changed).toEqual(await read());
		const again = await run('registration', 'createOrUpdate', { ...shown, ...form, email });
		expect(again).toEqual({ created: false, ...(await read()) });
		expect(Object.keys(again)[0]).toBe('created');
		const other = await run('registration', 'createOrUpdate', {
			...shown,
			...form,
			email: `new.${simplify}@tarnvale.example`,
		});
		expect(Object.keys(other)).toHaveLength(fields + 1);
	});

	it('is the contact that Get returns', async () => {
		await run('contact', 'add', { ...list, ...form });
		const found = await run('contact', 'search', { ...list, criteria: { email: person.Email } });
		const one = { ...list, contactId: byId(found.ContactId) };
		const changed = await run('contact', 'update', {
			...one,
			details: mapped({ Phone: '+46 70' }),
		});
		const read = await run('contact', 'get', one);
		expect(changed).toEqual(read);
		expect(Object.keys(changed)).toEqual(Object.keys(read));
		const again = await run('contact', 'createOrUpdate', { ...list, ...form, email: person.Email });
		expect(again).toEqual({ created: false, ...read, LastUpdated: again.LastUpdated });
	});

	it('has IDs of one type, whether they were typed as text or read as numbers', async () => {
		const read = await run('contactList', 'get', list);
		const added = await run('contact', 'add', { ...list, ...form });
		const gone = await run('contactList', 'delete', list);
		expect([read, added, gone].map(({ ContactListId }) => ContactListId)).toEqual([
			known.contactListId,
			known.contactListId,
			known.contactListId,
		]);
		expect(gone).toEqual({ deleted: true, ContactListId: known.contactListId });
	});
});

describe('a short response', () => {
	const fake = useFake();
	const get = async (record: IDataObject) => {
		fake.respondWith(() => ({ body: record }));
		const { outputItems } = await fake.run({
			resource: 'event',
			operation: 'get',
			eventId: byId(5),
		});
		return JSON.stringify(outputItems[0]);
	};

	it.each([
		['once', { Name: 'Days', Id: '5', EventId: 5 }, '{"EventId":5,"Name":"Days"}'],
		['that has no other', { Name: 'Days', Id: '5' }, '{"EventId":5,"Name":"Days"}'],
		['as a number', { EventId: '5', Id: '5' }, '{"EventId":5}'],
		[
			'beside another one',
			{ EventId: 5, Id: 'a-1', Name: 'Days' },
			'{"EventId":5,"Name":"Days","Id":"a-1"}',
		],
		['too long for a number', { Id: '90071992547409931' }, '{"EventId":"90071992547409931"}'],
	])('outputs its ID under its own name: %s', async (_, record, expected) => {
		expect(await get(record)).toBe(expected);
	});

	it('without any ID is output unchanged', async () => {
		expect(await get({ Name: 'Days' })).toBe('{"Name":"Days"}');
	});

	it.each([true, false])(
		'to a registration outputs its ID under its own name (Simplify %s)',
		async (simplify) => {
			fake.respondWith(({ method }) => ({
				body: method === 'POST' ? { Id: '500017', Message: 'ok' } : { fields: [] },
			}));
			const { outputItems, error } = await fake.run({
				resource: 'registration',
				operation: 'create',
				eventId: byId(5),
				details: mapped(person),
				simplify,
			});
			expect(error).toBeUndefined();
			expect(outputItems[0]).toMatchObject({ RegistrationId: 500017, Email: person.Email });
		},
	);

	it('to replaced options does not use the ID of a registration as that of an order', async () => {
		fake.respondWith(() => ({ body: { Id: '500017', RegistrationId: 500017 } }));
		const { outputItems, error } = await fake.run({
			resource: 'registration',
			operation: 'replaceOptions',
			eventId: byId(5),
			registrationId: byId(500017),
			registrationOptions: { options: [{ optionId: '7', quantity: 1 }] },
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ RegistrationId: 500017, EventId: 5 });
		expect(outputItems[0]).not.toHaveProperty('OrderId');
	});

	it('to a deletion keeps an ID that is too long for a number', async () => {
		fake.respondWith(() => ({ body: {} }));
		const { outputItems } = await fake.run({
			resource: 'contactList',
			operation: 'delete',
			contactListId: byId('90071992547409931'),
		});
		expect(outputItems).toEqual([{ deleted: true, ContactListId: '90071992547409931' }]);
	});
});
