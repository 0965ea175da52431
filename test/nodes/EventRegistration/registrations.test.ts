import type { IDataObject } from 'n8n-workflow';

import { openHouse } from '../../support/house';
import type { House } from '../../support/house';
import { openPanel } from '../../support/panel';
import { byId, known, mapped } from './samples';

let house: House;
beforeAll(async () => {
	house = await openHouse({ registrations: 2000 });
});
afterAll(async () => {
	expect(house.sandbox.faults).toEqual([]);
	await house.close();
});
beforeEach(() => house.sandbox.reset());

const settings = () => house.sandbox.settings.eventRegistration;
const count = (request: string) => house.sandbox.journal.count('eventRegistration', request);
const run = (operation: string, parameters: object, input?: IDataObject[], node: object = {}) =>
	house.run(
		'eventRegistration',
		{ resource: 'registration', operation, ...parameters },
		input,
		node,
	);
const event = { eventId: byId(known.eventId) };
const registration = { ...event, registrationId: byId(known.registrationId) };
const raw = async (id: unknown = known.registrationId) =>
	(await run('get', { ...event, registrationId: byId(id as number), simplify: false })).out[0]!;
const zoe = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };

/** What the editor stores for a form: its inputs, and values or automatic mapping. */
async function details(value: object | null, eventId: object = event.eventId) {
	const panel = openPanel(house.kit, 'eventRegistration', {
		eventId,
		operation: 'create',
	} as never);
	const { fields: schema } = await panel.inputs('getRegistrationForm');
	return {
		details: { mappingMode: value ? 'defineBelow' : 'autoMapInputData', value, schema },
	};
}

describe('Create', () => {
	it('sends known fields where they belong and the others of the form as custom fields', async () => {
		const values = { ...zoe, MobilePhone: '+46 70 555', Company: 'Tarnvale', Diet: 'Vegan' };
		const { out, error } = await run('create', {
			...event,
			...(await details(values)),
			registrationTypeId: byId(2002),
			additionalFields: { managerEmail: ' office@tarnvale.example ', sendEmails: false },
		});
		expect(error).toBeUndefined();
		expect(await raw(out[0]!.RegistrationId)).toMatchObject({
			...zoe,
			MobilePhone: '+46 70 555',
			RegistrationTypeId: 2002,
			RegistrationManagerEmail: 'office@tarnvale.example',
			SendEmails: false,
			CustomFields: [
				{ Name: 'Company', Value: 'Tarnvale' },
				{ Name: 'Diet', Value: 'Vegan' },
			],
		});
	});

	it('leaves the registration type to the service when none is chosen', async () => {
		const open = { registrationTypeId: { __rl: true, mode: 'list', value: '' } };
		const { out, error } = await run('create', { ...event, ...open, details: mapped(zoe) });
		expect(error).toBeUndefined();
		expect(out[0]).toMatchObject({ RegistrationTypeId: 2001 });
	});

	it('names every required field that is missing, and sends nothing', async () => {
		settings().formShape = 'object';
		const demanding = byId(1003);
		const form = await details(
			{ ...zoe, Company: '={{ $json.company }}', Country: '={{ $json.country }}' },
			demanding,
		);
		const create = async (item: IDataObject) =>
			(await run('create', { eventId: demanding, ...form }, [item])).error;
		expect(await create({ company: 'Tarnvale', country: ' ' })).toMatchObject({
			message: 'Country of residence is missing',
		});
		expect(await create({})).toMatchObject({
			message: 'Company or organization and Country of residence are missing',
			description: expect.stringContaining('nothing was sent'),
		});
		expect(count('createRegistration')).toBe(0);
	});

	it('does not even start when a required input of the panel is blank', async () => {
		settings().formShape = 'object';
		const form = await details(zoe, byId(1003));
		await expect(run('create', { eventId: byId(1003), ...form })).rejects.toThrow(
			'Field "Company" is required',
		);
	});

	it('reads the form to know what is required when no editor has', async () => {
		settings().formShape = 'array';
		const { error } = await run('create', { ...event, details: mapped({ FirstName: 'Zoë' }) });
		expect(error?.message).toBe('Last name and Email address are missing');
		expect([count('getRegistrationForm'), count('createRegistration')]).toEqual([1, 0]);
	});

	it('shows the words of the service when it finds a value wrong', async () => {
		const { error } = await run('create', {
			...event,
			...(await details({ ...zoe, Email: 'not an address', Diet: 'Gravel' })),
		});
		expect(error?.message).toContain('The Email address field is not a valid email address.');
		expect(error?.message).toContain('The Dietary needs field must be one of None, Vegetarian');
	});

	it('maps items by name in automatic mode, and passes over what the form does not name', async () => {
		const input = [
			{ ...zoe, Company: 'Tarnvale', id: 7, note: 'ignored' },
			{ 'First name': 'Tadhg', 'Last name': "O'Brien", 'Email address': 'tadhg@linenhall.example' },
			{ first_name: '山田', last_name: '太郎', EMAIL: 'taro@example.com', diet: 'None' },
		];
		const { out, error } = await run('create', { ...event, ...(await details(null)) }, input);
		expect(error).toBeUndefined();
		expect(out.map(({ LastName, CustomFields }) => [LastName, CustomFields])).toEqual([
			['Lindqvist', [{ Name: 'Company', Value: 'Tarnvale' }]],
			["O'Brien", []],
			['太郎', [{ Name: 'Diet', Value: 'None' }]],
		]);
		expect(out.map(({ Email }) => Email)).toEqual(input.map((item) => Object.values(item)[2]));
	});

	it('reads the form of each event once when every item may mean another event', async () => {
		settings().formShape = 'array';
		const stored = await details(null);
		house.sandbox.journal.clear();
		const input = [1001, 1003, 1001, 1003].map((eventId) => ({ eventId, ...zoe, Company: 'T' }));
		const { out, failed } = await run(
			'create',
			{ eventId: { __rl: true, mode: 'id', value: '={{ $json.eventId }}' }, ...stored },
			input,
			{ onError: 'continueErrorOutput' },
		);
		expect(out).toHaveLength(2);
		expect(failed.map(({ json }) => json.error)).toEqual([
			'Country of residence is missing',
			'Country of residence is missing',
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(count('getRegistrationForm')).toBe(2);
	});

	it('mails once, however the answer is lost', async () => {
		house.sandbox.weather.set({
			service: 'eventRegistration',
			operation: 'createRegistration',
			kind: 'drop',
			after: true,
			times: 1,
		});
		const { error } = await run('create', { ...event, details: mapped(zoe) });
		expect((error as unknown as { description: string }).description).toContain(
			'It is not known whether the person was registered, so it was not sent again',
		);
		expect(count('createRegistration')).toBe(1);
	});
});

describe('Update', () => {
	it('changes what was added and leaves the rest', async () => {
		const before = await raw();
		const changes = { details: mapped({ LastName: 'Øster', Diet: 'Vegan', FirstName: null }) };
		const { error } = await run('update', { ...registration, ...changes });
		expect(error).toBeUndefined();
		const custom = (before.CustomFields as Array<{ Name: string }>).map((field) =>
			field.Name === 'Diet' ? { Name: 'Diet', Value: 'Vegan' } : field,
		);
		expect(await raw()).toEqual({
			...before,
			LastName: 'Øster',
			CustomFields: custom,
			LastUpdated: expect.any(String),
		});
	});

	it('does not empty a field by accident, but does so on request', async () => {
		const changes = { details: mapped({ MobilePhone: '={{ "" }}', LastName: 'Øster' }) };
		const { MobilePhone } = await raw();
		expect(MobilePhone).not.toBe('');
		await run('update', { ...registration, ...changes });
		expect((await raw()).MobilePhone).toBe(MobilePhone);
		await run('update', { ...registration, ...changes, options: { clearBlank: true } });
		expect((await raw()).MobilePhone).toBe('');
	});

	it('refuses to change nothing', async () => {
		const { error } = await run('update', { ...registration, details: mapped({ LastName: null }) });
		expect(error?.message).toBe('There is nothing to change');
		expect(count('updateRegistration')).toBe(0);
	});

	it('changes only the type, if only that is chosen', async () => {
		const { out } = await run('update', {
			...registration,
			details: mapped({}),
			registrationTypeId: byId(2003),
		});
		expect(out[0]).toMatchObject({ RegistrationTypeId: 2003 });
	});
});

describe('Get and Get Many', () => {
	it('simplify: ten fields, custom ones by their names', async () => {
		const { out } = await run('get', registration);
		const full = await raw();
		expect(Object.keys(out[0]!)).toHaveLength(10);
		expect(Object.keys(full)).toHaveLength(15);
		const [first] = full.CustomFields as Array<{ Name: string; Value: string }>;
		expect((out[0]!.CustomFields as IDataObject)[first!.Name]).toBe(first!.Value);
	});

	it('return all, or as many as the limit says, from either way of counting pages', async () => {
		const { out: events } = await house.run('eventRegistration', {
			resource: 'event',
			operation: 'get',
			eventId: byId(1010),
		});
		const total = events[0]!.RegistrationCount as number;
		expect(total).toBeGreaterThan(200);
		for (const firstPage of [0, 1]) {
			settings().firstPage = firstPage;
			const { out } = await run('getMany', { eventId: byId(1010), returnAll: true });
			expect(new Set(out.map(({ RegistrationId }) => RegistrationId)).size).toBe(total);
			expect(out).toHaveLength(total);
		}
		expect((await run('getMany', { eventId: byId(1010), limit: 7 })).out).toHaveLength(7);
		expect((await run('getMany', { eventId: byId(1010) })).out).toHaveLength(50);
	});

	it('take a date without a time zone to be in the zone of the workflow', async () => {
		const filters = { filters: { changedAfter: '2026-03-01T00:00:00' } };
		await run('getMany', { ...event, ...filters }, [{}], { timezone: 'America/New_York' });
		const entries = house.sandbox.journal.entries({ operationId: 'getManyRegistrations' });
		expect(entries[0]!.query).toMatchObject({ lastUpdatedAfter: '2026-03-01T05:00:00.000Z' });
	});

	it('read ids that come as texts, and pass them on as they are', async () => {
		settings().idsAs = 'string';
		const { out } = await run('getMany', { eventId: byId(1010), returnAll: true });
		expect(typeof out[0]!.RegistrationId).toBe('string');
		expect(new Set(out.map(({ RegistrationId }) => RegistrationId)).size).toBe(out.length);
	});
});

describe('Search', () => {
	it('finds by email, type and any other field of the form together', async () => {
		const full = await raw();
		const custom = full.CustomFields as Array<{ Name: string; Value: string }>;
		const diet = custom.find(({ Name }) => Name === 'Diet')!.Value;
		const { out } = await run('search', {
			...event,
			criteria: {
				email: (full.Email as string).toUpperCase(),
				registrationTypeId: byId(full.RegistrationTypeId as number),
				changedAfter: '2000-01-01',
				changedBefore: '2100-01-01',
			},
			otherFields: {
				fields: [
					{ name: 'Diet', value: diet },
					{ name: '', value: 'unused row' },
				],
			},
		});
		expect(out.map(({ RegistrationId }) => RegistrationId)).toContain(full.RegistrationId);
		for (const { Email } of out) expect(Email).toBe(full.Email);
	});

	it('refuses a criterion that an expression left blank: it would find everybody', async () => {
		const { error } = await run('search', { ...event, criteria: { email: '={{ $json.none }}' } });
		const other = await run('search', {
			...event,
			otherFields: { fields: [{ name: 'Diet', value: '={{ $json.none }}' }] },
		});
		expect(error?.message).toBe('Email is missing');
		expect(other.error?.message).toBe('Diet is missing');
		expect(count('searchRegistrations')).toBe(0);
	});

	it('says that the form has no such field', async () => {
		const { error } = await run('search', {
			...event,
			otherFields: { fields: [{ name: 'Shoe.Size', value: '44' }] },
		});
		expect(error?.message).toContain('There is no field Shoe.Size on the form.');
	});
});

describe('Get Form', () => {
	it.each(['captionToName', 'nameToCaption', 'array', 'object'])(
		'lists the fields when the service answers as %s',
		async (formShape) => {
			settings().formShape = formShape;
			const { out } = await run('getForm', event);
			expect(out).toHaveLength(9);
			expect(out).toContainEqual(
				expect.objectContaining({ name: 'Diet', caption: 'Dietary needs', required: false }),
			);
		},
	);

	it('gives the answer of the service when Simplify is off', async () => {
		const { out } = await run('getForm', { ...event, simplify: false });
		expect(out).toHaveLength(1);
		expect(out[0]).toMatchObject({ 'First name': 'FirstName' });
	});
});

describe('Replace Options', () => {
	const options = (rows: object[]) => ({ registrationOptions: { options: rows } });

	it('sets what the registration includes, and tells what was ordered', async () => {
		const { out, error } = await run('replaceOptions', {
			...registration,
			...options([
				{ optionId: '41001', quantity: 1, additionalInfo: '', more: {} },
				{
					optionId: '41021',
					quantity: 2,
					additionalInfo: 'Vegetarian',
					more: { groupId: '4003', price: 80, total: 160 },
				},
			]),
			additionalFields: { paymentAmount: 100 },
		});
		expect(error).toBeUndefined();
		expect(out[0]).toMatchObject({ RegistrationId: known.registrationId, OrderTotal: 850 });
		const items = await run('getOptions', registration);
		expect(
			items.out.map(({ RegistrationOptionId, Quantity, Price, AdditionalInfo }) => [
				RegistrationOptionId,
				Quantity,
				Price,
				AdditionalInfo,
			]),
		).toEqual([
			[41_001, 1, 690, ''],
			[41_021, 2, 80, 'Vegetarian'],
		]);
	});

	it('charges once, even when the answer is lost', async () => {
		house.sandbox.weather.set({
			service: 'eventRegistration',
			operation: 'replaceRegistrationOptions',
			kind: '500',
			after: true,
			times: 1,
		});
		const { error } = await run('replaceOptions', {
			...registration,
			...options([{ optionId: '41011', quantity: 1 }]),
			options: { tries: 5, longestWait: 1 },
		});
		expect((error as unknown as { description: string }).description).toContain(
			'It is not known whether the options were replaced and charged',
		);
		expect(count('replaceRegistrationOptions')).toBe(1);
	});

	it('refuses an empty list, which would take everything away', async () => {
		for (const none of [{}, { registrationOptions: {} }, options([])]) {
			const { error } = await run('replaceOptions', { ...registration, ...none });
			expect(error?.message).toBe('There are no options');
		}
		expect(count('replaceRegistrationOptions')).toBe(0);
	});

	it('says which row is wrong', async () => {
		const { error } = await run('replaceOptions', {
			...registration,
			...options([
				{ optionId: '41001', quantity: 1 },
				{ optionId: '41021', quantity: 9, additionalInfo: 'None' },
			]),
		});
		expect(error?.message).toContain('RegistrationOptions[1].Quantity: At most 2 per attendee.');
	});
});
