// Protects the values of a registration: switches, amounts, IDs and dates are sent as entered, or rejected.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { mapperValue } from './demoIds';
import { useFake } from './fakeService';

const fake = useFake();

const zoe = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@example.com' };
const LONG_ID = '9007199254740993123';

/** Runs an operation on registrations against a service with empty responses. Returns the body that was written as `sent`. */
const run = async (operation: string, parameters: object, searchResult: IDataObject[] = []) => {
	fake.respondWith(({ url }) => ({ body: url.includes('/search') ? searchResult : {} }));
	const { outputItems, error } = await fake.run({
		resource: 'registration',
		operation,
		eventId: locateById(1),
		registrationId: locateById(5),
		...parameters,
	});
	const write = fake.server.requests.find(
		({ method, url }) => method !== 'GET' && !url.includes('/search'),
	);
	return { outputItems, error, sent: write?.body };
};
const parseBody = (sent: string | undefined) => JSON.parse(sent ?? '{}') as IDataObject;

describe.each(['create', 'update', 'createOrUpdate'])('Send Emails of %s', (operation) => {
	const runWithSendEmails = (sendEmails: unknown) =>
		run(operation, {
			email: 'zoe@example.com',
			details: mapperValue(zoe),
			additionalFields: { sendEmails },
		});

	it.each([
		[false, false],
		['={{ "false" }}', false],
		['={{ "No" }}', false],
		['={{ 0 }}', false],
		[true, true],
		['={{ " TRUE " }}', true],
		['={{ 1 }}', true],
	])('the value %j is sent as %j', async (value, expected) => {
		expect(parseBody((await runWithSendEmails(value)).sent).SendEmails).toBe(expected);
	});

	it.each(['={{ "perhaps" }}', '={{ "" }}', '={{ [] }}'])(
		'the value %s is rejected before any request',
		async (value) => {
			const { error, sent } = await runWithSendEmails(value);
			expect(error?.message).toMatch(/^'Send Emails' must be true or false, not "/);
			expect(sent).toBeUndefined();
		},
	);
});

describe('Payment Amount', () => {
	const replaceOptions = (paymentAmount: unknown) =>
		run('replaceOptions', {
			registrationOptions: { options: [{ optionId: '7', quantity: 1 }] },
			additionalFields: { paymentAmount },
		});

	it.each([
		[12.5, 12.5],
		[0, 0],
		['={{ " 12.50 " }}', 12.5],
	])('the amount %j is sent as %d', async (value, expected) => {
		expect(parseBody((await replaceOptions(value)).sent).PaymentAmount).toBe(expected);
	});

	it.each(['={{ "12,50 €" }}', '={{ true }}', '={{ [7] }}'])(
		'the amount %s is rejected before any request',
		async (value) => {
			const { error, sent } = await replaceOptions(value);
			expect(error?.message).toMatch(/^'Payment Amount' must be a number, not "/);
			expect(sent).toBeUndefined();
		},
	);
});

describe('a long Registration Type ID', () => {
	it.each([
		['create', []],
		['createOrUpdate', []],
		['createOrUpdate', [{ RegistrationId: 5, Email: 'zoe@example.com' }]],
	])(
		'%s sends every digit of the ID and outputs it as a string',
		async (operation, searchResult) => {
			const { outputItems, sent, error } = await run(
				operation,
				{
					email: 'zoe@example.com',
					details: mapperValue(zoe),
					registrationTypeId: locateById(LONG_ID),
				},
				searchResult,
			);
			expect(error).toBeUndefined();
			expect(sent).toContain(`"RegistrationTypeId":${LONG_ID}`);
			expect(outputItems[0]!.RegistrationTypeId).toBe(LONG_ID);
			expect(() => JSON.stringify(outputItems)).not.toThrow();
		},
	);
});

describe('a date of the form', () => {
	const arrivalColumn = {
		id: 'Arrival',
		displayName: 'Arrival',
		type: 'dateTime',
		required: false,
	};
	const updateArrival = (value: unknown, clearBlank = true) =>
		run('update', {
			details: {
				mappingMode: 'defineBelow',
				value: { LastName: 'Øster', Arrival: value },
				schema: [{ ...arrivalColumn, defaultMatch: false, display: true }],
			},
			options: { clearBlank },
		});

	it.each(['={{ "" }}', '={{ " " }}'])(
		'a date is cleared by %j if Clear Blank Fields is on',
		async (blank) => {
			const { sent, error } = await updateArrival(blank);
			expect(error).toBeUndefined();
			expect(parseBody(sent).CustomFields).toEqual([{ Name: 'Arrival', Value: '' }]);
		},
	);

	it.each(['={{ "" }}', '={{ " " }}'])(
		'a date is not changed by %j if Clear Blank Fields is off',
		async (blank) => {
			const { sent, error } = await updateArrival(blank, false);
			expect(error).toBeUndefined();
			expect(parseBody(sent)).toEqual({ LastName: 'Øster' });
		},
	);

	it('a date is sent in UTC', async () => {
		const { sent } = await updateArrival('2026-11-30T09:00:00+01:00');
		expect(parseBody(sent).CustomFields).toEqual([
			{ Name: 'Arrival', Value: '2026-11-30T08:00:00.000Z' },
		]);
	});
});

describe('a response without a record', () => {
	const runWithEmptyResponse = async (
		resource: string,
		operation: string,
		parameters: object,
		body: unknown = {},
	) => {
		fake.respondWith(({ url }) => {
			if (url.includes('/search')) return { body: [] };
			return { body: url.endsWith('form') ? {} : body };
		});
		const expressionLocator = { mode: 'id', value: '={{ 7003 }}', __rl: true };
		const typedLocator = { mode: 'id', value: ' 42 ', __rl: true };
		return await fake.run({
			resource,
			operation,
			eventId: expressionLocator,
			contactListId: expressionLocator,
			registrationId: typedLocator,
			contactId: typedLocator,
			...parameters,
		});
	};

	it.each([
		['registration', 'create', { details: mapperValue(zoe) }, zoe],
		['contactList', 'delete', {}, { deleted: true, ContactListId: 7003 }],
		['contactList', 'update', { name: '={{ 2026 }}' }, { ContactListId: 7003, Name: '2026' }],
		['contact', 'remove', {}, { deleted: true, ContactId: 42, ContactListId: 7003 }],
		[
			'contact',
			'update',
			{ details: mapperValue(zoe) },
			{ ContactId: 42, ContactListId: 7003, ...zoe },
		],
		[
			'registration',
			'createOrUpdate',
			{ email: zoe.Email, details: mapperValue(zoe) },
			{ created: true, EventId: 7003, ...zoe },
		],
		[
			'registration',
			'update',
			{ details: mapperValue(zoe) },
			{ RegistrationId: 42, EventId: 7003, ...zoe },
		],
		[
			'registration',
			'replaceOptions',
			{ registrationOptions: { options: [{ optionId: '1', quantity: 1 }] } },
			{ RegistrationId: 42, EventId: 7003 },
		],
	])(
		'after an empty response, %s: %s outputs the IDs and values that were sent',
		async (resource, operation, parameters, expected) => {
			const sentParameters = { ...parameters, simplify: false };
			for (const body of [{}, [], undefined]) {
				const { outputItems, error } = await runWithEmptyResponse(
					resource,
					operation,
					sentParameters,
					body,
				);
				expect(error).toBeUndefined();
				expect(outputItems).toEqual([expected]);
			}
		},
	);

	it.each([
		['contactList', 'create', { name: 'New' }, 'the list was created'],
		['contact', 'add', { details: mapperValue(zoe) }, 'these contacts were added'],
		[
			'contact',
			'createOrUpdate',
			{ email: zoe.Email, details: mapperValue(zoe) },
			'the contact was added',
		],
	])(
		'leaves it unclear whether %s: %s took effect, since the contract promises the list',
		async (resource, operation, parameters, effect) => {
			const { outputItems, error } = await runWithEmptyResponse(resource, operation, parameters);
			expect(outputItems).toEqual([]);
			expect(error).toMatchObject({
				message:
					'The event registration service answered with an empty record (status 200), not with the record that was written',
				description: expect.stringContaining(`It's unclear whether ${effect}`) as string,
			});
		},
	);
});

describe('the prices of options', () => {
	const replaceOptions = async (price: unknown, paymentAmount: unknown) =>
		parseBody(
			(
				await run('replaceOptions', {
					registrationOptions: {
						options: [{ optionId: '1', quantity: 1, more: { price, total: price } }],
					},
					additionalFields: { paymentAmount },
				})
			).sent,
		);

	it.each(['', ' ', null, '={{ $json.nothing }}', '={{ "" }}'])(
		'a price and a payment of %j are not sent',
		async (blank) => {
			expect(await replaceOptions(blank, blank)).toEqual({
				RegistrationOptions: [{ RegistrationOptionId: 1, Quantity: 1 }],
			});
		},
	);

	it('a price of zero is sent as zero', async () => {
		expect(await replaceOptions(0, '={{ "0" }}')).toMatchObject({
			PaymentAmount: 0,
			RegistrationOptions: [{ Price: 0, Total: 0 }],
		});
	});
});

describe('an invalid row of options', () => {
	it.each([[[null]], [['1']], [[[]]], ['={{ ["1"] }}'], ['={{ 1 }}']])(
		'an invalid row is rejected before the options are replaced: %j',
		async (options) => {
			const { error, sent } = await run('replaceOptions', { registrationOptions: { options } });
			expect(error?.message).toMatch(/^'Option' must be a number/);
			expect(sent).toBeUndefined();
		},
	);
});
