// Protects whole workflows of organizers: reading changes, registering by form, a large import and attendance work.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';

const rig = useRig({ registrations: 3000 });

const makeNode = (
	name: string,
	resource: string,
	operation: string,
	parameters: object,
	overrides: object = {},
) => ({
	name,
	type: 'eventRegistration',
	parameters: { resource, operation, ...parameters } as INodeParameters,
	...overrides,
});
const autoMapDetails = { details: { mappingMode: 'autoMapInputData', value: null, schema: [] } };
const countRequests = (request: string) =>
	rig.sandbox.requestLog.count('eventRegistration', request);
const event = { eventId: locateById(1010) };

it('a workflow reads only the registrations of an event that changed in the last hour', async () => {
	const getRegistrations = async (parameters: object) =>
		(
			await rig.run('eventRegistration', {
				resource: 'registration',
				operation: 'getMany',
				...event,
				returnAll: true,
				...parameters,
			})
		).outputItems;
	const allRegistrations = await getRegistrations({});
	rig.sandbox.clock.advance(24 * 60 * 60 * 1000);
	const anHourAgo = new Date(rig.sandbox.clock.now() - 60 * 60 * 1000).toISOString();
	const changedRegistrations = allRegistrations.filter((_, index) => index % 40 === 3).slice(0, 5);

	// A user changes a few registrations. The next run reads these and no others.
	const { error } = await rig.run(
		'eventRegistration',
		{
			resource: 'registration',
			operation: 'update',
			...event,
			registrationId: locateById('={{ $json.RegistrationId }}'),
			details: {
				mappingMode: 'defineBelow',
				value: { LastName: '={{ $json.LastName + " (changed)" }}' },
				schema: [],
			},
		},
		changedRegistrations,
	);
	expect(error).toBeUndefined();
	const syncedRegistrations = await getRegistrations({ filters: { changedAfter: anHourAgo } });
	expect(
		syncedRegistrations.map(({ RegistrationId, LastName }) => [RegistrationId, LastName]),
	).toEqual(
		changedRegistrations.map(({ RegistrationId, LastName }) => [
			RegistrationId,
			`${LastName as string} (changed)`,
		]),
	);
});

describe('registering a person after reading the form', () => {
	const eventWithRequiredFields = { eventId: locateById(1003) };
	/** Runs a workflow that reads the form, then registers a person with these answers. */
	const runFormAndRegister = (answers: IDataObject) =>
		rig.runSequence(
			[
				makeNode('Form', 'registration', 'getForm', eventWithRequiredFields),
				makeNode(
					'Register',
					'registration',
					'create',
					{
						...eventWithRequiredFields,
						details: {
							mappingMode: 'defineBelow',
							schema: [],
							value: Object.fromEntries(
								['FirstName', 'LastName', 'Email', 'Company', 'Country'].map((name) => [
									name,
									`={{ $('Start').first().json['${name}'] }}`,
								]),
							),
						},
					},
					{ executeOnce: true },
				),
			],
			[answers],
		);
	const answers = {
		FirstName: 'Zoë',
		LastName: 'Lindqvist',
		Email: 'zoe@example.com',
		Country: 'Sweden',
	};

	it('a missing required field fails without a request, and with all fields the person is registered', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const incompleteRun = await runFormAndRegister(answers);
		const requiredNames = incompleteRun
			.json('Form')
			.filter((field) => field.required)
			.map(({ name }) => name);
		expect(requiredNames).toEqual(['FirstName', 'LastName', 'Email', 'Company', 'Country']);
		expect(incompleteRun.error).toMatchObject({
			message: "'Company or organization' is missing",
			description: expect.stringContaining('nothing was sent'),
		});
		expect(countRequests('createRegistration')).toBe(0);

		const completeRun = await runFormAndRegister({ ...answers, Company: 'Tarnvale Systems' });
		expect(completeRun.error).toBeUndefined();
		expect(completeRun.json('Register')).toEqual([
			expect.objectContaining({ RegistrationId: expect.any(Number), LastName: 'Lindqvist' }),
		]);
		expect(countRequests('createRegistration')).toBe(1);
	});
});

it.each(['allOrNothing', 'validOnly'])(
	'a workflow adds 5,000 contacts of which 7 are invalid: 4,993 are added, 7 go to the error output (%s)',
	async (contactAddMode) => {
		rig.sandbox.settings.eventRegistration.contactAddMode = contactAddMode;
		const invalidIndexes = [0, 99, 100, 1234, 1235, 3999, 4999];
		const input = Array.from({ length: 5000 }, (_, index) => ({
			FirstName: `Person ${index}`,
			LastName: 'Ωmega',
			Email: invalidIndexes.includes(index) ? `nobody ${index}` : `person.${index}@example.com`,
		}));
		const { outputItems: lists } = await rig.run('eventRegistration', {
			resource: 'contactList',
			operation: 'create',
			name: 'Imported',
		});
		const contactListId = locateById(lists[0]!.ContactListId);
		const addRun = await rig.run(
			'eventRegistration',
			{ resource: 'contact', operation: 'add', contactListId, ...autoMapDetails },
			input,
			{ onError: 'continueErrorOutput' },
		);
		expect(addRun.outputItems).toHaveLength(4993);
		expect(addRun.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			invalidIndexes.map((item) => ({ item })),
		);
		expect(addRun.errorItems.map(({ json }) => json.error)).toEqual(
			invalidIndexes.map(
				(item) =>
					`Event registration service: The Email address field is not a valid email address. The value was "nobody ${item}".`,
			),
		);
		const listRun = await rig.run('eventRegistration', {
			resource: 'contactList',
			operation: 'get',
			contactListId,
		});
		expect(listRun.outputItems[0]!.ContactCount).toBe(4993);
		const contactRun = await rig.run('eventRegistration', {
			resource: 'contact',
			operation: 'getMany',
			contactListId,
			returnAll: true,
		});
		expect(new Set(contactRun.outputItems.map(({ Email }) => Email)).size).toBe(4993);
		// 50 batches of 100. Each invalid contact costs two requests per halving, and 100 can be halved 7 times.
		expect(countRequests('addContacts')).toBeLessThanOrEqual(50 + 7 * 14 + 1);
	},
	60_000,
);

it('a workflow reports who attended each session of an event', async () => {
	const pastEvent = { eventId: locateById(1001) };
	const run = await rig.runSequence([
		makeNode('Sessions', 'session', 'getMany', { ...pastEvent, returnAll: true }),
		makeNode('Attendance', 'attendance', 'getManyForSession', {
			...pastEvent,
			sessionId: locateById('={{ $json.SessionId }}'),
			returnAll: true,
		}),
	]);
	expect(run.error).toBeUndefined();
	const sessions = run.json('Sessions');
	const visits = run.items('Attendance');
	expect(sessions).toHaveLength(16);
	expect(visits.length).toBeGreaterThan(sessions.length);
	for (const { json, pairedItem } of visits) {
		const { item } = pairedItem as { item: number };
		expect(json.SessionTitle).toBe(sessions[item]!.Title);
		expect(Date.parse(json.CheckInDateTime as string)).not.toBeNaN();
	}
	const itemOrder = visits.map(({ pairedItem }) => (pairedItem as { item: number }).item);
	expect(itemOrder).toEqual([...itemOrder].sort((a, b) => a - b));
	expect(countRequests('getManySessionAttendance')).toBeGreaterThanOrEqual(16);
});
