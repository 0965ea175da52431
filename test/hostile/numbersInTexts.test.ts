// Protects workflows that fill text fields from sheets: the service receives a number or a boolean as a string.
import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { decodeUnverified } from '../../nodes/engine/token/jwt';
import type { Job } from '../../sandbox/passwordlessIdentity/jobs';
import { locateById } from '../support/locators';
import { useRig } from '../support/sandboxRig';
import { startToyServer } from '../support/toy';

/** Numbers and a boolean, as a sheet or a database returns them for rooms, phones and names. */
const input: IDataObject[] = [{ room: 204, yes: true, half: 0.5, long: 491512345678, huge: 1e21 }];

const rig = useRig({ registrations: 2000 });

/** Runs one operation, which must succeed. */
async function runSuccessfully(
	type: string,
	resource: string,
	operation: string,
	parameters: object,
): Promise<IDataObject> {
	const allParameters = { resource, operation, ...parameters } as INodeParameters;
	const { outputItems, error } = await rig.run(type, allParameters, input);
	expect(error).toBeUndefined();
	return outputItems[0]!;
}

/** Reads from the sandbox without the node. */
async function readDirectly<T = IDataObject>(
	service: 'eventData' | 'eventRegistration',
	path: string,
): Promise<T> {
	const { addresses, demo } = rig.sandbox;
	const { headerName, apiKey } = demo[service];
	const { data } = await axios.get<T>(addresses[service] + path, {
		headers: { [headerName]: apiKey },
	});
	return data;
}

describe('numbers and booleans in text fields of the event data service', () => {
	it('are sent as strings for a session', async () => {
		const [event] = (await readDirectly<{ data: IDataObject[] }>('eventData', '/events')).data;
		const texts = { description: '={{ $json.huge }}', location: '={{ $json.room }}' };
		const { id } = await runSuccessfully('eventData', 'session', 'create', {
			eventId: locateById(event!.id),
			title: '={{ $json.half }}',
			startTime: '2026-12-01T09:00:00Z',
			endTime: '2026-12-01T10:00:00Z',
			additionalFields: { ...texts, speaker: '={{ $json.yes }}' },
		});
		expect(await readDirectly('eventData', `/sessions/${id}`)).toMatchObject({
			title: '0.5',
			description: '1000000000000000000000',
			location: '204',
			speaker: 'true',
		});
		await runSuccessfully('eventData', 'session', 'update', {
			sessionId: locateById(id),
			changes: { title: '={{ $json.room }}', speaker: '={{ $json.long }}' },
		});
		expect(await readDirectly('eventData', `/sessions/${id}`)).toMatchObject({
			title: '204',
			location: '204',
			speaker: '491512345678',
		});
	});

	it('are sent as strings for an attendee', async () => {
		const [{ id }] = (await readDirectly<IDataObject[]>('eventData', '/attendees')) as [
			IDataObject,
		];
		await runSuccessfully('eventData', 'attendee', 'update', {
			attendeeId: locateById(id),
			changes: {
				company: '={{ $json.room }}',
				firstName: '={{ $json.yes }}',
				lastName: '={{ $json.half }}',
			},
		});
		expect(await readDirectly('eventData', `/attendees/${id}`)).toMatchObject({
			company: '204',
			firstName: 'true',
			lastName: '0.5',
		});
	});

	it('are sent as strings for IDs in bodies', async () => {
		// The IDs of the service contain letters, so another server receives this request.
		const parameters = {
			resource: 'registration',
			operation: 'create',
			eventId: locateById('={{ $json.room }}'),
			attendeeId: locateById('={{ $json.long }}'),
		};
		const server = await startToyServer();
		const { baseUrl } = rig.kit.credentialData.eventDataApi!;
		rig.kit.credentialData.eventDataApi!.baseUrl = server.url;
		await rig.run('eventData', parameters, input);
		rig.kit.credentialData.eventDataApi!.baseUrl = baseUrl!;
		await server.close();
		expect(JSON.parse(server.requests[0]!.body)).toEqual({
			eventId: '204',
			attendeeId: '491512345678',
		});
	});
});

describe('numbers and booleans in text fields of the event registration service', () => {
	it('are sent as strings for the name of a contact list', async () => {
		const { ContactListId } = await runSuccessfully('eventRegistration', 'contactList', 'create', {
			name: '={{ $json.room }}',
		});
		const path = `/api/v1/contactlists/${ContactListId}`;
		expect(await readDirectly('eventRegistration', path)).toMatchObject({ Name: '204' });
		await runSuccessfully('eventRegistration', 'contactList', 'update', {
			contactListId: locateById(ContactListId),
			name: '={{ $json.huge }}',
		});
		expect(await readDirectly('eventRegistration', path)).toMatchObject({
			Name: '1000000000000000000000',
		});
	});

	it('are sent as strings for the fields of a form', async () => {
		const value = {
			FirstName: '={{ $json.room }}',
			LastName: '={{ $json.yes }}',
			Email: 'zoe@tarnvale.example',
			MobilePhone: '={{ $json.long }}',
			Company: '={{ $json.huge }}',
		};
		const { RegistrationId } = await runSuccessfully(
			'eventRegistration',
			'registration',
			'create',
			{
				eventId: locateById(1001),
				details: { mappingMode: 'defineBelow', value, schema: [] },
			},
		);
		const path = `/api/v1/events/1001/registrations/${RegistrationId}`;
		expect(await readDirectly('eventRegistration', path)).toMatchObject({
			FirstName: '204',
			LastName: 'true',
			MobilePhone: '491512345678',
			CustomFields: expect.arrayContaining([{ Name: 'Company', Value: '1000000000000000000000' }]),
		});
	});

	it('are sent as a string for the address of a manager, which the service validates', async () => {
		const { error } = await rig.run(
			'eventRegistration',
			{
				resource: 'registration',
				operation: 'create',
				eventId: locateById(1001),
				details: {
					mappingMode: 'defineBelow',
					value: { FirstName: 'Z', LastName: 'L', Email: 'z@tarnvale.example' },
					schema: [],
				},
				additionalFields: { managerEmail: '={{ $json.room }}' },
			},
			input,
		);
		expect(
			`${error?.message} ${(error as { description?: string } | undefined)?.description}`,
		).toMatch(/email/i);
		expect(error?.message).not.toMatch(/must be string/);
	});
});

describe('numbers and booleans in text fields of the two-factor service', () => {
	it('are sent as strings for an approval request', async () => {
		const rows = (value: string) => ({ rows: [{ name: '={{ $json.room }}', value }] });
		await runSuccessfully('twoFactor', 'approvalRequest', 'create', {
			twofactorId: '100001',
			message: '={{ $json.long }}',
			details: rows('={{ $json.half }}'),
			options: {
				hiddenDetails: rows('={{ $json.yes }}'),
				hiddenDetailsJson: '={{ ({ order: $json.long }) }}',
			},
		});
		expect(rig.sandbox.control('twoFactor', 'approvals', {})).toMatchObject([
			{
				message: '491512345678',
				details: { '204': '0.5' },
				hidden_details: { '204': 'true', order: '491512345678' },
			},
		]);
	});

	it.each(['details', 'hidden_details'])(
		'are rejected by the service if they are not strings in %s',
		async (name) => {
			const { addresses, demo } = rig.sandbox;
			const createAndReadStatus = async (seats: unknown) => {
				const { status } = await axios.post(
					`${addresses.twoFactor}/onetouch/json/users/100001/approval_requests`,
					{ message: 'Yes?', [name]: { Seats: seats } },
					{
						headers: { [demo.twoFactor.headerName]: demo.twoFactor.apiKey },
						validateStatus: () => true,
					},
				);
				return status;
			};
			expect(await createAndReadStatus('3')).toBe(200);
			for (const invalidValue of [3, true, null, ['3'], { a: '3' }])
				expect(await createAndReadStatus(invalidValue)).toBe(400);
		},
	);

	it('are sent as strings for addresses and languages, which the service validates', async () => {
		for (const [resource, operation, parameters] of [
			['user', 'enroll', { email: '={{ $json.room }}' }],
			['phoneVerification', 'start', { options: { locale: '={{ $json.room }}' } }],
		] as const) {
			const { error } = await rig.run(
				'twoFactor',
				{ resource, operation, phoneNumber: '+12025550143', ...parameters },
				input,
			);
			expect(error?.message).toMatch(/\(600\d\d\)/);
			expect(error?.message).not.toMatch(/must be string/);
		}
	});
});

describe('numbers and booleans in text fields of the identity issuer', () => {
	it('are sent as strings in claims', async () => {
		const { fingerprint } = rig.sandbox.demo.user;
		const server = await startToyServer();
		const credential = rig.kit.credentialData.passwordlessIdentityApi!;
		const { baseUrl } = credential;
		const claimParameters = {
			additionalClaims: {
				email: '={{ $json.half }}',
				phone: '={{ $json.long }}',
				type: '={{ $json.room }}',
			},
		};
		const issueParameters = {
			resource: 'scopeJob',
			operation: 'issue',
			subject: fingerprint,
			...claimParameters,
		};
		credential.baseUrl = server.url;
		await rig.run('passwordlessIdentity', issueParameters, input);
		credential.baseUrl = baseUrl!;
		await server.close();
		expect(decodeUnverified(server.requests[0]!.body).claims).toMatchObject({
			sub: fingerprint,
			email: '0.5',
			phone: '491512345678',
			type: '204',
		});
	});

	it('are sent as strings in the request', async () => {
		const { fingerprint } = rig.sandbox.demo.user;
		const { id: job } = await runSuccessfully('passwordlessIdentity', 'scopeJob', 'issue', {
			subject: fingerprint,
			scopes: { entries: [{ name: 'other', other: '={{ $json.room }}' }] },
			additionalClaims: { type: '={{ $json.yes }}' },
		});
		const jobs = rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[];
		expect(jobs).toMatchObject([{ job, scope: '204' }]);
	});
});
