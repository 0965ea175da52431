import type { IDataObject } from 'n8n-workflow';

import { useFake } from './fakeService';
import { locateById, mapperValue } from './samples';

const fake = useFake();

const zoe = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@example.com' };
const LONG = '9007199254740993123';

/** Runs an operation on registrations against a service with empty responses. Returns what was written. */
const run = async (operation: string, parameters: object, found: IDataObject[] = []) => {
	fake.respondWith(({ url }) => ({ body: url.includes('/search') ? found : {} }));
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
	const save = (sendEmails: unknown) =>
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
	])('the value %j is read as %j', async (given, meant) => {
		expect(parseBody((await save(given)).sent).SendEmails).toBe(meant);
	});

	it.each(['={{ "perhaps" }}', '={{ "" }}', '={{ [] }}'])(
		'Send Emails rejects %s before any request',
		async (given) => {
			const { error, sent } = await save(given);
			expect(error?.message).toMatch(/^'Send Emails' must be true or false, not "/);
			expect(sent).toBeUndefined();
		},
	);
});

describe('Payment Amount', () => {
	const replace = (paymentAmount: unknown) =>
		run('replaceOptions', {
			registrationOptions: { options: [{ optionId: '7', quantity: 1 }] },
			additionalFields: { paymentAmount },
		});

	it.each([
		[12.5, 12.5],
		[0, 0],
		['={{ " 12.50 " }}', 12.5],
	])('the amount %j is read as %d', async (given, meant) => {
		expect(parseBody((await replace(given)).sent).PaymentAmount).toBe(meant);
	});

	it.each(['={{ "12,50 €" }}', '={{ true }}', '={{ [7] }}'])(
		'Payment Amount rejects %s before any request',
		async (given) => {
			const { error, sent } = await replace(given);
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
	])('an ID of %s is sent exactly and output as a string', async (operation, found) => {
		const { outputItems, sent, error } = await run(
			operation,
			{ email: 'zoe@example.com', details: mapperValue(zoe), registrationTypeId: locateById(LONG) },
			found,
		);
		expect(error).toBeUndefined();
		expect(sent).toContain(`"RegistrationTypeId":${LONG}`);
		expect(outputItems[0]!.RegistrationTypeId).toBe(LONG);
		expect(() => JSON.stringify(outputItems)).not.toThrow();
	});
});

describe('a date of the form', () => {
	const column = { id: 'Arrival', displayName: 'Arrival', type: 'dateTime', required: false };
	const update = (value: unknown, clearBlank = true) =>
		run('update', {
			details: {
				mappingMode: 'defineBelow',
				value: { LastName: 'Øster', Arrival: value },
				schema: [{ ...column, defaultMatch: false, display: true }],
			},
			options: { clearBlank },
		});

	it.each(['={{ "" }}', '={{ " " }}'])(
		'a date is cleared by %j if the user sets that',
		async (blank) => {
			const { sent, error } = await update(blank);
			expect(error).toBeUndefined();
			expect(parseBody(sent).CustomFields).toEqual([{ Name: 'Arrival', Value: '' }]);
		},
	);

	it.each(['={{ "" }}', '={{ " " }}'])('is not changed by %j otherwise', async (blank) => {
		const { sent, error } = await update(blank, false);
		expect(error).toBeUndefined();
		expect(parseBody(sent)).toEqual({ LastName: 'Øster' });
	});

	it('is sent in UTC', async () => {
		const { sent } = await update('2026-11-30T09:00:00+01:00');
		expect(parseBody(sent).CustomFields).toEqual([
			{ Name: 'Arrival', Value: '2026-11-30T08:00:00.000Z' },
		]);
	});
});

describe('a response that does not name the record', () => {
	const run = async (resource: string, operation: string, parameters: object) => {
		fake.respondWith(({ url }) => ({ body: url.includes('/search') ? [] : {} }));
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
		['contactList', 'delete', {}, { deleted: true, ContactListId: 7003 }],
		['contactList', 'update', { name: '={{ 2026 }}' }, { ContactListId: 7003, Name: '2026' }],
		['contactList', 'create', { name: '={{ 2026 }}' }, { Name: '2026' }],
		['contact', 'remove', {}, { deleted: true, ContactId: 42, ContactListId: 7003 }],
		['contact', 'update', { details: mapperValue(zoe) }, { ContactId: 42, ContactListId: 7003 }],
		['contact', 'add', { details: mapperValue(zoe) }, { ContactListId: 7003 }],
		[
			'contact',
			'createOrUpdate',
			{ email: zoe.Email, details: mapperValue(zoe) },
			{ created: true, ContactListId: 7003 },
		],
		[
			'registration',
			'createOrUpdate',
			{ email: zoe.Email, details: mapperValue(zoe) },
			{ created: true, EventId: 7003 },
		],
		[
			'registration',
			'update',
			{ details: mapperValue(zoe) },
			{ RegistrationId: 42, EventId: 7003 },
		],
		[
			'registration',
			'replaceOptions',
			{ registrationOptions: { options: [{ optionId: '1', quantity: 1 }] } },
			{ RegistrationId: 42, EventId: 7003 },
		],
	])(
		'without a record in the response, %s:%s outputs what was sent',
		async (resource, operation, parameters, sent) => {
			const { outputItems, error } = await run(resource, operation, {
				...parameters,
				simplify: false,
			});
			expect(error).toBeUndefined();
			expect(outputItems).toEqual([expect.objectContaining(sent)]);
		},
	);
});

describe('the prices of options', () => {
	const replace = async (price: unknown, paymentAmount: unknown) =>
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
		'prices that were added and left empty are not sent: %j',
		async (blank) => {
			expect(await replace(blank, blank)).toEqual({
				RegistrationOptions: [{ RegistrationOptionId: 1, Quantity: 1 }],
			});
		},
	);

	it('a price of zero is sent as zero', async () => {
		expect(await replace(0, '={{ "0" }}')).toMatchObject({
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
