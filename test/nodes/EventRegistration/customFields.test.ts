// Protects custom fields: the output has them by name in every format of the service, and Create accepts this output.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';
import { demoIds, mapperValue } from './demoIds';
import { openFakeService } from './fakeService';
import type { FakeService } from './fakeService';

let fake: FakeService;
let rig: Rig;
beforeAll(async () => {
	fake = await openFakeService();
	rig = await openRig();
});
afterAll(async () => {
	await fake.server.close();
	await rig.close();
});

const person = { FirstName: 'Zoë', LastName: 'Lindqvist' };
const email = 'zoe@example.com';
const event = { eventId: locateById(1), registrationId: locateById(2), sessionId: locateById(3) };
const list = { contactListId: locateById(1), contactId: locateById(2) };
const details = { details: mapperValue({ ...person, Diet: 'Vegan' }) };
const operations = [
	{ resource: 'registration', operation: 'get', parameters: event },
	{ resource: 'registration', operation: 'getMany', parameters: event },
	{ resource: 'registration', operation: 'search', parameters: event },
	{ resource: 'registration', operation: 'create', parameters: { ...event, ...details } },
	{ resource: 'registration', operation: 'update', parameters: { ...event, ...details } },
	{
		resource: 'registration',
		operation: 'createOrUpdate',
		parameters: { ...event, ...details, email },
	},
	{ resource: 'contact', operation: 'get', parameters: list },
	{ resource: 'contact', operation: 'getMany', parameters: list },
	{ resource: 'contact', operation: 'search', parameters: list },
	{ resource: 'contact', operation: 'update', parameters: { ...list, ...details } },
	{ resource: 'contact', operation: 'createOrUpdate', parameters: { ...list, ...details, email } },
	{ resource: 'attendance', operation: 'getManyForEvent', parameters: event },
	{ resource: 'attendance', operation: 'getManyForSession', parameters: event },
];

/** Custom fields as a service may send them, and as the node outputs them. */
const shapes: Array<[string, unknown, unknown]> = [
	['a list', [{ Name: 'Diet', Value: 'Vegan' }], { Diet: 'Vegan' }],
	['an object', { Diet: 'Vegan' }, { Diet: 'Vegan' }],
	['an empty list', [], {}],
	['null', null, {}],
	[
		'a name that occurs several times',
		[
			{ Name: 'Diet', Value: 'Vegan' },
			{ Name: 'Size', Value: 'M' },
			{ Name: 'Diet', Value: 'Halal' },
		],
		{ Diet: ['Vegan', 'Halal'], Size: 'M' },
	],
	['property names in lower case', [{ name: 'Diet', value: 'Vegan' }], { Diet: 'Vegan' }],
	['a name without a value', [{ Name: 'Diet' }], { Diet: null }],
	['a name that every object has', [{ Name: 'constructor', Value: 'x' }], { constructor: 'x' }],
	['a list without names', ['Vegan', 7], ['Vegan', 7]],
];

describe.each(operations)('$resource: $operation', (testedOperation) => {
	it.each(shapes)(
		'custom fields that have names are output by name if the service returns %s',
		async (_, customFields, expectedFields) => {
			const record = {
				RegistrationId: 2,
				ContactId: 2,
				CheckInLogId: 9,
				...person,
				Email: email,
				CustomFields: customFields,
			};
			const returnsList = /Many|search/.test(testedOperation.operation);
			fake.respondWith(({ url }) => ({
				body: returnsList || url.includes('/search') ? [record] : record,
			}));
			for (const simplify of [true, false]) {
				const { resource, operation, parameters } = testedOperation;
				const run = await fake.run({ resource, operation, ...parameters, simplify });
				expect(run.error).toBeUndefined();
				expect(run.outputItems).toHaveLength(1);
				expect(run.outputItems[0]!.CustomFields).toEqual(expectedFields);
			}
		},
	);

	it('the output has no custom fields if the record has none', async () => {
		fake.respondWith(({ url }) => {
			const record = { RegistrationId: 2, ContactId: 2, CheckInLogId: 9, Email: email };
			return { body: /Many|search/.test(testedOperation.operation + url) ? [record] : record };
		});
		const { resource, operation, parameters } = testedOperation;
		const { outputItems } = await fake.run({ resource, operation, ...parameters, simplify: false });
		expect(outputItems[0]).not.toHaveProperty('CustomFields');
	});
});

it.each([
	{ resource: 'contact', operation: 'add', parameters: { ...list, ...details } },
	{ resource: 'contact', operation: 'createOrUpdate', parameters: { ...list, ...details, email } },
	{ resource: 'registration', operation: 'create', parameters: { ...event, ...details } },
	{
		resource: 'registration',
		operation: 'createOrUpdate',
		parameters: { ...event, ...details, email },
	},
])(
	'the custom fields that $resource: $operation sent are output by name if the service returns none',
	async ({ resource, operation, parameters }) => {
		fake.respondWith(({ url }) => ({
			body: url.includes('/search') ? [] : { ContactListId: 7 },
		}));
		const { outputItems } = await fake.run({ resource, operation, ...parameters });
		expect(outputItems).toMatchObject([{ CustomFields: { Diet: 'Vegan' } }]);
		const sentBody = fake.server.requests.at(-1)!.body;
		expect([JSON.parse(sentBody)].flat()).toMatchObject([
			{ CustomFields: [{ Name: 'Diet', Value: 'Vegan' }] },
		]);
	},
);

it('Create accepts the output of Get Many, and copies its custom fields', async () => {
	const copyRegistrations = async (simplify: boolean) => {
		const { json, error } = await rig.runSequence([
			{
				name: 'From',
				type: 'eventRegistration',
				parameters: {
					resource: 'registration',
					operation: 'getMany',
					eventId: locateById(demoIds.eventId),
					limit: 3,
					simplify,
				},
			},
			{
				name: 'To',
				type: 'eventRegistration',
				parameters: {
					resource: 'registration',
					operation: 'create',
					eventId: locateById(demoIds.eventId),
					details: { mappingMode: 'autoMapInputData', value: null, schema: [] } as never,
				},
			},
		]);
		expect(error).toBeUndefined();
		const readCustomFields = (name: string) =>
			json(name).map(({ CustomFields }) => CustomFields as IDataObject);
		expect(readCustomFields('From').some((fields) => Object.keys(fields).length > 0)).toBe(true);
		expect(readCustomFields('To')).toEqual(readCustomFields('From'));
	};
	await copyRegistrations(true);
	await copyRegistrations(false);
});
