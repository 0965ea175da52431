// Protects writes of registrations: the service stores what was entered, other fields stay, and invalid input sends nothing.
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { locateById } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { demoIds, mapperValue } from './demoIds';
import { useResource } from './resourceRig';

const { rig, settings, countRequests, run } = useResource('registration', { registrations: 2000 });
const event = { eventId: locateById(demoIds.eventId) };
const registration = { ...event, registrationId: locateById(demoIds.registrationId) };
const getFullRegistration = async (id: unknown = demoIds.registrationId) =>
	(await run('get', { ...event, registrationId: locateById(id), simplify: false })).outputItems[0]!;
const zoe = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };

/** Builds the value that the editor stores for a form: its inputs, and values or automatic mapping. */
async function makeDetails(value: object | null, eventId: object = event.eventId) {
	const panel = openPanel(rig.kit, 'eventRegistration', {
		eventId,
		operation: 'create',
	} as never);
	const { fields: schema } = await panel.inputs('getRegistrationForm');
	return {
		details: { mappingMode: value ? 'defineBelow' : 'autoMapInputData', value, schema },
	};
}

describe('Create', () => {
	it('sends standard fields at the top level and other form fields as custom fields', async () => {
		const values = { ...zoe, MobilePhone: '+46 70 555', Company: 'Tarnvale', Diet: 'Vegan' };
		const { outputItems, error } = await run('create', {
			...event,
			...(await makeDetails(values)),
			registrationTypeId: locateById(2002),
			additionalFields: { managerEmail: ' office@tarnvale.example ', sendEmails: false },
		});
		expect(error).toBeUndefined();
		expect(await getFullRegistration(outputItems[0]!.RegistrationId)).toMatchObject({
			...zoe,
			MobilePhone: '+46 70 555',
			RegistrationTypeId: 2002,
			RegistrationManagerEmail: 'office@tarnvale.example',
			SendEmails: false,
			CustomFields: { Company: 'Tarnvale', Diet: 'Vegan' },
		});
	});

	it('leaves the registration type to the service if none is chosen', async () => {
		const withoutType = { registrationTypeId: { __rl: true, mode: 'list', value: '' } };
		const { outputItems, error } = await run('create', {
			...event,
			...withoutType,
			details: mapperValue(zoe),
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ RegistrationTypeId: 2001 });
	});

	it('fails before any request with an error that names every missing required field', async () => {
		settings().formShape = 'object';
		const eventWithRequiredFields = locateById(1003);
		const form = await makeDetails(
			{ ...zoe, Company: '={{ $json.company }}', Country: '={{ $json.country }}' },
			eventWithRequiredFields,
		);
		const create = async (item: IDataObject) =>
			(await run('create', { eventId: eventWithRequiredFields, ...form }, [item])).error;
		expect(await create({ company: 'Tarnvale', country: ' ' })).toMatchObject({
			message: "'Country of residence' is missing",
		});
		expect(await create({})).toMatchObject({
			message: "'Company or organization' and 'Country of residence' are missing",
			description: expect.stringContaining('nothing was sent'),
		});
		expect(countRequests('createRegistration')).toBe(0);
	});

	it('does not start if a required input of the panel is blank', async () => {
		settings().formShape = 'object';
		const form = await makeDetails(zoe, locateById(1003));
		await expect(run('create', { eventId: locateById(1003), ...form })).rejects.toThrow(
			'Field "Company" is required',
		);
	});

	it('reads the form for required fields if the editor has not stored it', async () => {
		settings().formShape = 'array';
		const { error } = await run('create', { ...event, details: mapperValue({ FirstName: 'Zoë' }) });
		expect(error?.message).toBe("'Last name' and 'Email address' are missing");
		expect([countRequests('getRegistrationForm'), countRequests('createRegistration')]).toEqual([
			1, 0,
		]);
	});

	it('shows the message of the service if a value is invalid', async () => {
		const { error } = await run('create', {
			...event,
			...(await makeDetails({ ...zoe, Email: 'not an address', Diet: 'Gravel' })),
		});
		expect(error?.message).toContain('The Email address field is not a valid email address.');
		expect(error?.message).toContain('The Dietary needs field must be one of None, Vegetarian');
	});

	it('maps items by name in automatic mode, and ignores fields that are not in the form', async () => {
		const input = [
			{ ...zoe, Company: 'Tarnvale', id: 7, note: 'ignored' },
			{ 'First name': 'Tadhg', 'Last name': "O'Brien", 'Email address': 'tadhg@linenhall.example' },
			{ first_name: '山田', last_name: '太郎', EMAIL: 'taro@example.com', diet: 'None' },
		];
		const { outputItems, error } = await run(
			'create',
			{ ...event, ...(await makeDetails(null)) },
			input,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ LastName, CustomFields }) => [LastName, CustomFields])).toEqual([
			['Lindqvist', { Company: 'Tarnvale' }],
			["O'Brien", {}],
			['太郎', { Diet: 'None' }],
		]);
		expect(outputItems.map(({ Email }) => Email)).toEqual(
			// The address is the third value of each item.
			input.map((item) => Object.values(item)[2]),
		);
	});

	it('reads the form of each event once if items use several events', async () => {
		settings().formShape = 'array';
		const autoMapped = await makeDetails(null);
		rig.sandbox.requestLog.clear();
		const input = [1001, 1003, 1001, 1003].map((eventId) => ({ eventId, ...zoe, Company: 'T' }));
		const { outputItems, errorItems } = await run(
			'create',
			{ eventId: locateById('={{ $json.eventId }}'), ...autoMapped },
			input,
			{ onError: 'continueErrorOutput' },
		);
		expect(outputItems).toHaveLength(2);
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			[1, 3].map(() => expect.stringContaining("'Country of residence' is missing")),
		);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(countRequests('getRegistrationForm')).toBe(2);
	});
});

describe('Update', () => {
	it('changes the given fields only', async () => {
		const before = await getFullRegistration();
		const changes = { details: mapperValue({ LastName: 'Øster', Diet: 'Vegan', FirstName: null }) };
		const { error } = await run('update', { ...registration, ...changes });
		expect(error).toBeUndefined();
		expect(before.CustomFields).toHaveProperty('Diet');
		const expectedCustomFields = { ...(before.CustomFields as object), Diet: 'Vegan' };
		expect(await getFullRegistration()).toEqual({
			...before,
			LastName: 'Øster',
			CustomFields: expectedCustomFields,
			LastUpdated: expect.any(String),
		});
	});

	it('clears a field with a blank value only if Clear Blank Fields is on', async () => {
		const changes = { details: mapperValue({ MobilePhone: '={{ "" }}', LastName: 'Øster' }) };
		const { MobilePhone } = await getFullRegistration();
		expect(MobilePhone).not.toBe('');
		await run('update', { ...registration, ...changes });
		expect((await getFullRegistration()).MobilePhone).toBe(MobilePhone);
		await run('update', { ...registration, ...changes, options: { clearBlank: true } });
		expect((await getFullRegistration()).MobilePhone).toBe('');
	});

	it('fails if there is nothing to change', async () => {
		const { error } = await run('update', {
			...registration,
			details: mapperValue({ LastName: null }),
		});
		expect(error?.message).toBe('No fields to update');
		expect(countRequests('updateRegistration')).toBe(0);
	});

	it('changes only the type if no field is given', async () => {
		const { outputItems } = await run('update', {
			...registration,
			details: mapperValue({}),
			registrationTypeId: locateById(2003),
		});
		expect(outputItems[0]).toMatchObject({ RegistrationTypeId: 2003 });
	});
});

describe('Replace Options', () => {
	const makeOptions = (rows: object[]) => ({ registrationOptions: { options: rows } });

	it('sets the options of the registration, and outputs what was ordered', async () => {
		const { outputItems, error } = await run('replaceOptions', {
			...registration,
			...makeOptions([
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
		expect(outputItems[0]).toMatchObject({
			RegistrationId: demoIds.registrationId,
			OrderTotal: 850,
		});
		const items = await run('getOptions', registration);
		expect(
			items.outputItems.map(({ RegistrationOptionId, Quantity, Price, AdditionalInfo }) => [
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

	it('shows a price, a total or a payment that the user adds as empty', () => {
		const { properties } = new EventRegistration().description;
		const flattenOptions = ({ options: children = [] }: INodeProperties): INodeProperties[] =>
			children.flatMap((option) =>
				'values' in option
					? option.values.flatMap((value) => [value, ...flattenOptions(value)])
					: 'type' in option
						? [option, ...flattenOptions(option)]
						: [],
			);
		const amountFields = properties
			.flatMap(flattenOptions)
			.filter(({ name }) => ['price', 'total', 'paymentAmount'].includes(name));
		expect(amountFields.map((field) => [field.name, field.default])).toEqual([
			['price', ''],
			['total', ''],
			['paymentAmount', ''],
		]);
	});

	it('rejects an empty list, since it would remove all options', async () => {
		for (const emptyOptions of [{}, { registrationOptions: {} }, makeOptions([])]) {
			const { error } = await run('replaceOptions', { ...registration, ...emptyOptions });
			expect(error?.message).toBe("'Registration Options' is empty");
		}
		expect(countRequests('replaceRegistrationOptions')).toBe(0);
	});

	it.each([
		[-1, `'Quantity' must be 0 or more, not "-1"`],
		['-2', `'Quantity' must be 0 or more, not "-2"`],
		[1.5, `'Quantity' must be a whole number, not "1.5"`],
		['two', `'Quantity' must be a whole number, not "two"`],
	])('rejects the quantity %j', async (quantity, message) => {
		const { error } = await run('replaceOptions', {
			...registration,
			...makeOptions([{ optionId: '41001', quantity }]),
		});
		expect(error?.message).toBe(message);
		expect(countRequests('replaceRegistrationOptions')).toBe(0);
	});

	it('fails with an error that names the invalid row', async () => {
		const { error } = await run('replaceOptions', {
			...registration,
			...makeOptions([
				{ optionId: '41001', quantity: 1 },
				{ optionId: '41021', quantity: 9, additionalInfo: 'None' },
			]),
		});
		expect(error?.message).toContain('RegistrationOptions[1].Quantity: At most 2 per attendee.');
	});
});
