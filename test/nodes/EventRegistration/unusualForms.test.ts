// Protects users with unusual forms: fields of any name and number are shown and sent, and local times are read correctly.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { createFakeList, useFake } from './fakeService';

const fake = useFake();

const event = { eventId: locateById(1) };

describe('a form', () => {
	const unusualNames = [
		'He said "hi"',
		"O'Brien's %22 answer",
		'x["y"].z',
		'back\\slash',
		'Größe 👕',
		'اسم الشركة',
		'שם החברה',
		'__proto__',
		'constructor',
		'<b>bold</b>',
		'{{ $json.x }}',
	];
	const makeForm = (otherNames: string[]) => [
		{ name: 'Email', caption: 'Email', required: true },
		...otherNames.map((name) => ({ name, caption: `Caption of ${name}`, required: false })),
	];

	/** Opens the panel on a form, and fills in every field. Returns the inputs of the panel and the body that was sent. */
	async function fillInForm(body: unknown) {
		fake.respondWith(({ method }) => ({ body: method === 'GET' ? body : {} }));
		const panel = openPanel(fake.kit, 'eventRegistration', {
			...event,
			operation: 'create',
		});
		const { fields: schema } = await panel.inputs('getRegistrationForm');
		const value = Object.fromEntries(schema.map(({ id }) => [id, '={{ "value" }}']));
		const { error, outputItems } = await fake.operate('registration', 'create', {
			...event,
			details: { mappingMode: 'defineBelow', value, schema },
		});
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
		return { schema, sent: JSON.parse(fake.server.requests.at(-1)!.body) as IDataObject };
	}

	it('with quotes, emoji, right-to-left text and names of object properties is filled in and sent', async () => {
		const { sent } = await fillInForm(makeForm(unusualNames));
		expect(sent.CustomFields).toEqual(unusualNames.map((Name) => ({ Name, Value: 'value' })));
	});

	it('with 300 fields is shown and sent completely', async () => {
		const names = Array.from({ length: 300 }, (_, index) => `Field ${index}`);
		const { schema, sent } = await fillInForm(makeForm(names));
		expect(schema.filter(({ removed }) => !removed).length).toBeLessThanOrEqual(51);
		expect(sent.CustomFields).toHaveLength(300);
	});

	it.each([{}, [], { fields: [] }])(
		'without fields (%j) offers and sends the standard fields',
		async (body) => {
			const { schema, sent } = await fillInForm(body);
			expect(schema.map(({ id }) => id)).toEqual(['FirstName', 'LastName', 'Email', 'MobilePhone']);
			expect(sent).toEqual({
				FirstName: 'value',
				LastName: 'value',
				Email: 'value',
				MobilePhone: 'value',
			});
		},
	);

	it('with 300 fields takes less than 15 s of CPU time for 500 items', async () => {
		const list = createFakeList();
		fake.respondWith((request) => list.reply(request));
		const schema = Array.from({ length: 300 }, (_, index) => ({
			id: `Field ${index}`,
			displayName: `Field ${index}`,
			required: false,
			defaultMatch: false,
			display: true,
			type: 'string',
		}));
		const input = Array.from({ length: 500 }, (_, index) => ({ 'Field 7': `value ${index}` }));
		const cpuBefore = process.cpuUsage();
		const { outputItems } = await fake.operate(
			'contact',
			'add',
			{
				contactListId: locateById(7),
				details: { mappingMode: 'autoMapInputData', value: null, schema },
			},
			input,
		);
		expect(outputItems).toHaveLength(500);
		expect(process.cpuUsage(cpuBefore).user / 1e6).toBeLessThan(15);
	});
});

it('a date and time of a form is read in the time zone of the workflow in each mapping mode', async () => {
	const form = [{ name: 'Arrival', caption: 'Arrival', type: 'datetime', required: false }];
	fake.respondWith(({ method }) => ({ body: method === 'GET' ? form : {} }));
	const panel = openPanel(fake.kit, 'eventRegistration', {
		...event,
		operation: 'create',
	});
	const { fields: schema } = await panel.inputs('getRegistrationForm');
	const localArrival = '2026-03-01T10:00:00';
	for (const details of [
		{ mappingMode: 'defineBelow', value: { Arrival: '={{ $json.Arrival }}' }, schema },
		{ mappingMode: 'autoMapInputData', value: null, schema },
		{ mappingMode: 'autoMapInputData', value: null, schema: [] },
	]) {
		const node = { timezone: 'America/New_York' };
		await fake.operate(
			'registration',
			'create',
			{ ...event, details },
			[{ Arrival: localArrival }],
			node,
		);
		expect(JSON.parse(fake.server.requests.at(-1)!.body)).toEqual({
			CustomFields: [{ Name: 'Arrival', Value: '2026-03-01T15:00:00.000Z' }],
		});
	}
});
