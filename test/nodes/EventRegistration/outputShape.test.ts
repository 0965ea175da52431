// Protects the nodes after a write: the output has the fields that Get returns, and the ID under the name of its record.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { openForAllTests } from '../../support/sandbox';
import { openRig } from '../../support/sandboxRig';
import { demoIds, mapperValue } from './demoIds';
import { useFake } from './fakeService';

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
		{ simplify: true, fieldCount: 12 },
		{ simplify: false, fieldCount: 15 },
	])(
		'a write outputs the registration that Get returns (Simplify $simplify)',
		async ({ simplify, fieldCount }) => {
			const email = `zoe.${simplify}@tarnvale.example`;
			const eventAndSimplify = { ...event, simplify };
			const created = await run('registration', 'create', { ...eventAndSimplify, ...form });
			const createdRegistration = {
				...eventAndSimplify,
				registrationId: locateById(created.RegistrationId),
			};
			const readRegistration = async () => await run('registration', 'get', createdRegistration);
			expect(created).toEqual(await readRegistration());
			expect(Object.keys(created)).toHaveLength(fieldCount);
			expect(created.CustomFields).toEqual({ Country: 'Sweden' });
			const changed = await run('registration', 'update', {
				...createdRegistration,
				details: mapperValue({ Email: email }),
			});
			expect(changed).toEqual(await readRegistration());
			const upserted = await run('registration', 'createOrUpdate', {
				...eventAndSimplify,
				...form,
				email,
			});
			expect(upserted).toEqual({ created: false, ...(await readRegistration()) });
			expect(Object.keys(upserted)[0]).toBe('created');
			const newlyUpserted = await run('registration', 'createOrUpdate', {
				...eventAndSimplify,
				...form,
				email: `new.${simplify}@tarnvale.example`,
			});
			expect(Object.keys(newlyUpserted)).toHaveLength(fieldCount + 1);
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
		const readBack = await run('contact', 'get', contactLocator);
		expect(changed).toEqual(readBack);
		expect(Object.keys(changed)).toEqual(Object.keys(readBack));
		const upserted = await run('contact', 'createOrUpdate', {
			...list,
			...form,
			email: person.Email,
		});
		expect(upserted).toEqual({ created: false, ...readBack, LastUpdated: upserted.LastUpdated });
	});

	it('ContactListId is a number in the output of Get, Add and Delete', async () => {
		const readBack = await run('contactList', 'get', list);
		const added = await run('contact', 'add', { ...list, ...form });
		const deleted = await run('contactList', 'delete', list);
		expect([readBack, added, deleted].map(({ ContactListId }) => ContactListId)).toEqual([
			demoIds.contactListId,
			demoIds.contactListId,
			demoIds.contactListId,
		]);
		expect(deleted).toEqual({ deleted: true, ContactListId: demoIds.contactListId });
	});
});

describe('the ID in a short response', () => {
	const fake = useFake();
	const getEventAsText = async (record: IDataObject) => {
		fake.respondWith(() => ({ body: record }));
		const { outputItems } = await fake.run({
			resource: 'event',
			operation: 'get',
			eventId: locateById(`${(record.EventId ?? record.Id) as string}`),
		});
		return JSON.stringify(outputItems[0]);
	};

	it.each([
		[
			'EventId and an equal Id',
			{ Name: 'Days', Id: '5', EventId: 5 },
			'{"EventId":5,"Name":"Days"}',
		],
		['only Id', { Name: 'Days', Id: '5' }, '{"EventId":5,"Name":"Days"}'],
		['EventId and Id as text', { EventId: '5', Id: '5' }, '{"EventId":5}'],
		['EventId as text and Id as a number', { EventId: '5', Id: 5 }, '{"EventId":5}'],
		[
			'EventId and a different Id',
			{ EventId: 5, Id: 'a-1', Name: 'Days' },
			'{"EventId":5,"Name":"Days","Id":"a-1"}',
		],
		[
			'an Id that is too long for a number',
			{ Id: '90071992547409931' },
			'{"EventId":"90071992547409931"}',
		],
	])('the ID is output as EventId if the response has %s', async (_, record, expected) => {
		expect(await getEventAsText(record)).toBe(expected);
	});

	it.each([true, false])(
		'the Id in the response to Create is output as RegistrationId (Simplify %s)',
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

	it('Replace Options does not output the ID of the registration as OrderId', async () => {
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

	it('a deletion outputs an ID that is too long for a number as text', async () => {
		fake.respondWith(() => ({ body: {} }));
		const { outputItems } = await fake.run({
			resource: 'contactList',
			operation: 'delete',
			contactListId: locateById('90071992547409931'),
		});
		expect(outputItems).toEqual([{ deleted: true, ContactListId: '90071992547409931' }]);
	});
});
