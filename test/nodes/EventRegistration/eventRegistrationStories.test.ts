import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useRig } from '../../support/sandboxRig';
import { locateById } from './samples';

const rig = useRig({ registrations: 3000 });

const node = (
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
const auto = { details: { mappingMode: 'autoMapInputData', value: null, schema: [] } };
const count = (request: string) => rig.sandbox.requestLog.count('eventRegistration', request);
const event = { eventId: locateById(1010) };

it('a workflow syncs all registrations of an event that changed since yesterday', async () => {
	const get = async (parameters: object) =>
		(
			await rig.run('eventRegistration', {
				resource: 'registration',
				operation: 'getMany',
				...event,
				returnAll: true,
				...parameters,
			})
		).outputItems;
	const allRegistrations = await get({});
	rig.sandbox.clock.advance(24 * 60 * 60 * 1000);
	const yesterday = new Date(rig.sandbox.clock.now() - 60 * 60 * 1000).toISOString();
	const changed = allRegistrations.filter((_, index) => index % 40 === 3).slice(0, 5);

	// A user changes a few registrations; the next run of the sync gets these and only these.
	const { error } = await rig.run(
		'eventRegistration',
		{
			resource: 'registration',
			operation: 'update',
			...event,
			registrationId: { __rl: true, mode: 'id', value: '={{ $json.RegistrationId }}' },
			details: {
				mappingMode: 'defineBelow',
				value: { LastName: '={{ $json.LastName + " (changed)" }}' },
				schema: [],
			},
		},
		changed,
	);
	expect(error).toBeUndefined();
	const synced = await get({ filters: { changedAfter: yesterday } });
	expect(synced.map(({ RegistrationId, LastName }) => [RegistrationId, LastName])).toEqual(
		changed.map(({ RegistrationId, LastName }) => [
			RegistrationId,
			`${LastName as string} (changed)`,
		]),
	);
});

describe('registering a person after reading the form', () => {
	const demanding = { eventId: locateById(1003) };
	/** A workflow that reads the form, lets a person fill in what is required, and registers. */
	const register = (answers: IDataObject) =>
		rig.runSequence(
			[
				node('Form', 'registration', 'getForm', demanding),
				node(
					'Register',
					'registration',
					'create',
					{
						...demanding,
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

	it('a missing field fails the item without a request; with all fields the person is registered', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const first = await register(answers);
		const required = first
			.json('Form')
			.filter((field) => field.required)
			.map(({ name }) => name);
		expect(required).toEqual(['FirstName', 'LastName', 'Email', 'Company', 'Country']);
		expect(first.error).toMatchObject({
			message: "'Company or organization' is missing",
			description: expect.stringContaining('nothing was sent'),
		});
		expect(count('createRegistration')).toBe(0);

		const second = await register({ ...answers, Company: 'Tarnvale Systems' });
		expect(second.error).toBeUndefined();
		expect(second.json('Register')).toEqual([
			expect.objectContaining({ RegistrationId: expect.any(Number), LastName: 'Lindqvist' }),
		]);
		expect(count('createRegistration')).toBe(1);
	});
});

it.each(['allOrNothing', 'keepGood'])(
	'a workflow adds 5,000 contacts of which 7 are invalid: 4,993 are added, 7 go to the error output (%s)',
	async (addContacts) => {
		rig.sandbox.settings.eventRegistration.addContacts = addContacts;
		const bad = [0, 99, 100, 1234, 1235, 3999, 4999];
		const input = Array.from({ length: 5000 }, (_, index) => ({
			FirstName: `Person ${index}`,
			LastName: 'Ωmega',
			Email: bad.includes(index) ? `nobody ${index}` : `person.${index}@example.com`,
		}));
		const { outputItems: lists } = await rig.run('eventRegistration', {
			resource: 'contactList',
			operation: 'create',
			name: 'Imported',
		});
		const contactListId = locateById(lists[0]!.ContactListId);
		const direct = await rig.run(
			'eventRegistration',
			{ resource: 'contact', operation: 'add', contactListId, ...auto },
			input,
			{ onError: 'continueErrorOutput' },
		);
		expect(direct.outputItems).toHaveLength(4993);
		expect(direct.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			bad.map((item) => ({ item })),
		);
		expect(direct.errorItems.map(({ json }) => json.error)).toEqual(
			bad.map(
				(item) =>
					`Event registration service: The Email address field is not a valid email address. The value was "nobody ${item}". [item ${item}]`,
			),
		);
		const list = await rig.run('eventRegistration', {
			resource: 'contactList',
			operation: 'get',
			contactListId,
		});
		expect(list.outputItems[0]!.ContactCount).toBe(4993);
		const contactRun = await rig.run('eventRegistration', {
			resource: 'contact',
			operation: 'getMany',
			contactListId,
			returnAll: true,
		});
		expect(new Set(contactRun.outputItems.map(({ Email }) => Email)).size).toBe(4993);
		// 50 arrays; each bad contact costs at most twice the halvings of a hundred.
		expect(count('addContacts')).toBeLessThanOrEqual(50 + 7 * 14 + 1);
	},
	60_000,
);

it('a workflow reports who attended each session of an event', async () => {
	const past = { eventId: locateById(1001) };
	const done = await rig.runSequence([
		node('Sessions', 'session', 'getMany', { ...past, returnAll: true }),
		node('Attendance', 'attendance', 'getManyForSession', {
			...past,
			sessionId: { __rl: true, mode: 'id', value: '={{ $json.SessionId }}' },
			returnAll: true,
		}),
	]);
	expect(done.error).toBeUndefined();
	const sessions = done.json('Sessions');
	const visits = done.items('Attendance');
	expect(sessions).toHaveLength(16);
	expect(visits.length).toBeGreaterThan(sessions.length);
	for (const { json, pairedItem } of visits) {
		const { item } = pairedItem as { item: number };
		expect(json.SessionTitle).toBe(sessions[item]!.Title);
		expect(Date.parse(json.CheckInDateTime as string)).not.toBeNaN();
	}
	const order = visits.map(({ pairedItem }) => (pairedItem as { item: number }).item);
	expect(order).toEqual([...order].sort((a, b) => a - b));
	expect(count('getManySessionAttendance')).toBeGreaterThanOrEqual(16);
});
