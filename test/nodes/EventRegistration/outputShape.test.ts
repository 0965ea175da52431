import type { IDataObject } from 'n8n-workflow';

import { openForAllTests } from '../../support/sandbox';
import { openRig } from '../../support/sandboxRig';
import { useFake } from './fakeService';
import { locateById, demoIds, mapperValue } from './samples';

const event = { eventId: locateById(demoIds.eventId) };
const list = { contactListId: locateById(demoIds.contactListId) };
const person = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };
const form = { details: mapperValue({ ...person, Country: 'Sweden' }) };

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
	])(
		'a write outputs the registration that Get returns (Simplify $simplify)',
		async ({ simplify, fields }) => {
			const email = `zoe.${simplify}@tarnvale.example`;
			const eventAndSimplify = { ...event, simplify };
			const created = await run('registration', 'create', { ...eventAndSimplify, ...form });
			const createdRegistration = {
				...eventAndSimplify,
				registrationId: locateById(created.RegistrationId),
			};
			const readRegistration = async () => await run('registration', 'get', createdRegistration);
			expect(created).toEqual(await readRegistration());
			expect(Object.keys(created)).toHaveLength(fields);
			expect(created.CustomFields).toEqual({ Country: 'Sweden' });
			const changed = await run('registration', 'update', {
				...createdRegistration,
				details: mapperValue({ Email: email }),
			});
			expect(changed).toEqual(await readRegistration());
			const again = await run('registration', 'createOrUpdate', {
				...eventAndSimplify,
				...form,
				email,
			});
			expect(again).toEqual({ created: false, ...(await readRegistration()) });
			expect(Object.keys(again)[0]).toBe('created');
			const other = await run('registration', 'createOrUpdate', {
				...eventAndSimplify,
				...form,
				email: `new.${simplify}@tarnvale.example`,
			});
			expect(Object.keys(other)).toHaveLength(fields + 1);
		},
	);

	it('a write outputs the contact that Get returns', async () => {
		await run('contact', 'add', { ...list, ...form });
		const found = await run('contact', 'search', { ...list, criteria: { email: person.Email } });
		const contactLocator = { ...list, contactId: locateById(found.ContactId) };
		const changed = await run('contact', 'update', {
			...contactLocator,
			details: mapperValue({ Phone: '+46 70' }),
		});
		const read = await run('contact', 'get', contactLocator);
		expect(changed).toEqual(read);
		expect(Object.keys(changed)).toEqual(Object.keys(read));
		const again = await run('contact', 'createOrUpdate', { ...list, ...form, email: person.Email });
		expect(again).toEqual({ created: false, ...read, LastUpdated: again.LastUpdated });
	});

	it('IDs have one type, whether they were typed as text or read as numbers', async () => {
		const read = await run('contactList', 'get', list);
		const added = await run('contact', 'add', { ...list, ...form });
		const gone = await run('contactList', 'delete', list);
		expect([read, added, gone].map(({ ContactListId }) => ContactListId)).toEqual([
			demoIds.contactListId,
			demoIds.contactListId,
			demoIds.contactListId,
		]);
		expect(gone).toEqual({ deleted: true, ContactListId: demoIds.contactListId });
	});
});

describe('a short response', () => {
	const fake = useFake();
	const get = async (record: IDataObject) => {
		fake.respondWith(() => ({ body: record }));
		const { outputItems } = await fake.run({
			resource: 'event',
			operation: 'get',
			eventId: locateById(5),
		});
		return JSON.stringify(outputItems[0]);
	};

	it.each([
		['once', { Name: 'Days', Id: '5', EventId: 5 }, '{"EventId":5,"Name":"Days"}'],
		['that has no other', { Name: 'Days', Id: '5' }, '{"EventId":5,"Name":"Days"}'],
		['as a number', { EventId: '5', Id: '5' }, '{"EventId":5}'],
		['as a number and a text', { EventId: '5', Id: 5 }, '{"EventId":5}'],
		[
			'beside another one',
			{ EventId: 5, Id: 'a-1', Name: 'Days' },
			'{"EventId":5,"Name":"Days","Id":"a-1"}',
		],
		['too long for a number', { Id: '90071992547409931' }, '{"EventId":"90071992547409931"}'],
	])('a short response outputs its ID under its own name: %s', async (_, record, expected) => {
		expect(await get(record)).toBe(expected);
	});

	it('a response without any ID is output unchanged', async () => {
		expect(await get({ Name: 'Days' })).toBe('{"Name":"Days"}');
	});

	it.each([true, false])(
		'a response to a registration outputs its ID under its own name (Simplify %s)',
		async (simplify) => {
			fake.respondWith(({ method }) => ({
				body: method === 'POST' ? { Id: '500017', Message: 'ok' } : { fields: [] },
			}));
			const { outputItems, error } = await fake.run({
				resource: 'registration',
				operation: 'create',
				eventId: locateById(5),
				details: mapperValue(person),
				simplify,
			});
			expect(error).toBeUndefined();
			expect(outputItems[0]).toMatchObject({ RegistrationId: 500017, Email: person.Email });
		},
	);

	it('a response to Replace Options does not use the ID of a registration as that of an order', async () => {
		fake.respondWith(() => ({ body: { Id: '500017', RegistrationId: 500017 } }));
		const { outputItems, error } = await fake.run({
			resource: 'registration',
			operation: 'replaceOptions',
			eventId: locateById(5),
			registrationId: locateById(500017),
			registrationOptions: { options: [{ optionId: '7', quantity: 1 }] },
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ RegistrationId: 500017, EventId: 5 });
		expect(outputItems[0]).not.toHaveProperty('OrderId');
	});

	it('a response to a deletion keeps an ID that is too long for a number', async () => {
		fake.respondWith(() => ({ body: {} }));
		const { outputItems } = await fake.run({
			resource: 'contactList',
			operation: 'delete',
			contactListId: locateById('90071992547409931'),
		});
		expect(outputItems).toEqual([{ deleted: true, ContactListId: '90071992547409931' }]);
	});
});
