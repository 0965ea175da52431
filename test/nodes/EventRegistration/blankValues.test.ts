// Protects registrations from blank values: a blank clears a field only by choice, and a blank Send Emails is rejected.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { mapperValue } from './demoIds';
import { useFake } from './fakeService';

const fake = useFake();

const person = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };

/** The operations that write a registration: their parameters, and whether they can clear a field. */
const writes = {
	create: { clears: false, found: [] },
	update: { clears: true, found: [] },
	'createOrUpdate of a new person': { clears: true, found: [] },
	'createOrUpdate of a registered person': {
		clears: true,
		found: [{ RegistrationId: 7, Email: person.Email }],
	},
};
type Write = keyof typeof writes;

/** Runs an operation. Returns the body of the write, and the error. */
async function write(name: Write, parameters: IDataObject, options: IDataObject = {}) {
	let body: unknown;
	fake.respondWith((request) => {
		if (request.url.endsWith('/registrationform')) return { body: { Email: 'Email' } };
		if (request.url.includes('/search')) return { body: writes[name].found };
		if (request.method !== 'GET') body = JSON.parse(request.body);
		return { body: { RegistrationId: 7, ...person } };
	});
	const [operation] = name.split(' ') as [string];
	const { error } = await fake.operate(
		'registration',
		operation,
		{
			eventId: locateById(1),
			...(operation === 'update' && { registrationId: locateById(7) }),
			...(operation === 'createOrUpdate' && { email: person.Email }),
			details: mapperValue(person),
			...parameters,
			options: { tries: 1, ...options },
		},
		[{ blank: '', blanks: '  ', nothing: null }],
	);
	return { body, error };
}

const blanks = ['', '  ', '={{ $json.blank }}', '={{ $json.blanks }}', '={{ $json.nothing }}'];

describe.each(Object.keys(writes) as Write[])('%s', (name) => {
	it.each(blanks)('ignores a blank Registration Manager Email: %j', async (managerEmail) => {
		expect(await write(name, { additionalFields: { managerEmail } })).toEqual({
			body: person,
			error: undefined,
		});
	});

	it('fails if Send Emails is blank: the service would email the person', async () => {
		const { body, error } = await write(name, { additionalFields: { sendEmails: '' } });
		expect(body).toBeUndefined();
		expect(error?.message).toBe(`'Send Emails' must be true or false, not ""`);
	});

	it.each(['', '={{ $json.nothing }}'])('ignores a blank registration type: %j', async (typeId) => {
		expect(await write(name, { registrationTypeId: locateById(typeId) })).toEqual({
			body: person,
			error: undefined,
		});
	});

	it.each(blanks)('ignores a blank field of the form: %j', async (MobilePhone) => {
		expect(await write(name, { details: mapperValue({ ...person, MobilePhone }) })).toEqual({
			body: person,
			error: undefined,
		});
	});

	it('sends values that are not blank', async () => {
		const parameters = {
			registrationTypeId: locateById('2002'),
			additionalFields: { managerEmail: ' office@tarnvale.example ', sendEmails: false },
		};
		expect((await write(name, parameters)).body).toEqual({
			...person,
			RegistrationTypeId: 2002,
			RegistrationManagerEmail: 'office@tarnvale.example',
			SendEmails: false,
		});
	});

	it('clears the texts that are blank if Clear Blank Fields is on, as far as it has the option', async () => {
		const parameters = {
			details: mapperValue({ ...person, MobilePhone: ' ' }),
			additionalFields: { managerEmail: '' },
		};
		expect((await write(name, parameters, { clearBlank: true })).body).toEqual({
			...person,
			...(writes[name].clears && { MobilePhone: '', RegistrationManagerEmail: '' }),
		});
	});
});

it('update fails if the only value is blank, and the advice names the option that clears it', async () => {
	const blankOnly = { details: mapperValue({}), additionalFields: { managerEmail: '' } };
	const { body, error } = await write('update', blankOnly);
	expect(body).toBeUndefined();
	expect(error?.message).toBe('No fields to update');
	expect((error as { description?: string }).description).toContain("'Clear Blank Fields'");
});
