// Protects Create and Get of approval requests: the user gets the message as entered, and invalid input sends nothing.
import { verifySubmission } from '../../../nodes/engine/http/signature';
import { startToyServer, sendJson } from '../../support/toy';
import { adviceOf, APP_ID, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const QUESTION = 'Approve the login to the speaker portal?';
const getApproval = (parameters: object) => rig.operate('approvalRequest', 'get', parameters);

const create = (parameters: object = {}, input?: never, settings?: object) =>
	rig.operate(
		'approvalRequest',
		'create',
		{ twofactorId: APP_ID, message: QUESTION, ...parameters },
		input,
		settings,
	);
const readApprovals = () => rig.control('approvals', { twofactor_id: APP_ID });
const makeRows = (...pairs: Array<[string, string]>) => ({
	rows: pairs.map(([name, value]) => ({ name, value })),
});

/** Creates an approval request and returns its time to expire, as Get outputs it. */
async function createAndReadExpiry(options: object) {
	const { outputItems } = await create({ options });
	const { outputItems: fetched } = await getApproval({ uuid: outputItems[0]!.id });
	return fetched[0]!.seconds_to_expire;
}

describe('Create', () => {
	it('sends the approval request to the user and outputs its ID', async () => {
		const { outputItems, error } = await create();
		expect(error).toBeUndefined();
		const [{ uuid, message, status }] = readApprovals();
		expect(outputItems).toEqual([{ id: uuid, outcome: 'pending', twofactor_id: Number(APP_ID) }]);
		expect({ message, status }).toEqual({ message: QUESTION, status: 'pending' });
	});

	it('accepts details as rows, including hidden ones', async () => {
		await create({
			details: makeRows(['Location', 'Lisbon'], ['Device', 'Laptop'], ['', '']),
			options: { hiddenDetails: makeRows(['session', 'a81f']) },
		});
		expect(readApprovals()[0]).toMatchObject({
			details: { Location: 'Lisbon', Device: 'Laptop' },
			hidden_details: { session: 'a81f' },
		});
	});

	it('accepts details as JSON text or as an object from an expression, and sends strings', async () => {
		await create(
			{
				specifyDetails: 'json',
				detailsJson: '{"Seats": 3, "VIP": true, "Row": null}',
				options: { hiddenDetailsJson: '={{ $json }}', hiddenDetails: makeRows(['a', 'b']) },
			},
			[{ order: 1042 }] as never,
		);
		expect(readApprovals()[0]).toMatchObject({
			details: { Seats: '3', VIP: 'true', Row: '' },
			hidden_details: { order: '1042', a: 'b' },
		});
	});

	it.each([
		[{ specifyDetails: 'json', detailsJson: '{"Seats": [3, 4]}' }, 'Details: Seats', 'a list'],
		[
			{ options: { hiddenDetailsJson: '{"order": {"id": 1}}' } },
			'Hidden Details (JSON): order',
			'an object',
		],
		[
			{ details: { rows: [{ name: 'Seats', value: '={{ [3, 4] }}' }] } },
			'Details: Seats',
			'a list',
		],
	])(
		'rejects the details %j, since %s is not a string, and sends nothing',
		async (parameters, label, actualType) => {
			const { error } = await create(parameters);
			expect(error?.message).toBe(`'${label}' must be text, not ${actualType}`);
			expect(adviceOf(error)).toContain(label);
			expect(rig.countRequests('createApprovalRequest')).toBe(0);
		},
	);

	it('sends no fields for empty options', async () => {
		const server = await startToyServer();
		server.respondWith((_, response) =>
			sendJson(response, 200, { approval_request: { uuid: 'u-1' }, success: true }),
		);
		rig.changeCredential({ baseUrl: server.url });
		await create({ specifyDetails: 'json', detailsJson: '{}', options: { logos: {}, expiry: {} } });
		await create({ options: { hiddenDetailsJson: '' } });
		const sent = server.requests.filter(({ method }) => method === 'POST');
		expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
			{ message: QUESTION },
			{ message: QUESTION },
		]);
		await server.close();
	});

	it.each([
		[{ unit: 'seconds', amount: 90 }, 90],
		[{ unit: 'minutes', amount: 5 }, 300],
		[{ unit: 'minutes', amount: 1.5 }, 90],
		[{ unit: 'hours', amount: 2 }, 7200],
		[{ unit: 'days', amount: 3 }, 259_200],
	])('sends a request that expires after %j', async (time, expectedSeconds) => {
		expect(await createAndReadExpiry({ expiry: { time } })).toBe(expectedSeconds);
	});

	it.each([{}, { expiry: { time: { unit: 'hours', amount: 2 } } }])(
		'sends a request that never expires if Never Expires is on, with the options %j',
		async (otherOptions) => {
			expect(await createAndReadExpiry({ ...otherOptions, neverExpires: true })).toBe(0);
		},
	);

	it('sends a request that expires after a day by default', async () => {
		expect(await createAndReadExpiry({})).toBe(86_400);
	});

	it('sends logos, without the spaces around their URLs', async () => {
		const server = await startToyServer();
		server.respondWith((_, response) =>
			sendJson(response, 200, { approval_request: { uuid: 'u-1' }, success: 'true' }),
		);
		rig.changeCredential({ baseUrl: server.url });
		const logo = [
			{ res: 'default', url: 'https://app.example.com/logo.png' },
			{ res: 'med', url: ' https://app.example.com/logo@2x.png ' },
		];
		await create({ options: { logos: { logo } } });
		expect(JSON.parse(server.requests.at(-1)!.body).logos).toEqual([
			{ res: 'default', url: 'https://app.example.com/logo.png' },
			{ res: 'med', url: 'https://app.example.com/logo@2x.png' },
		]);
		await server.close();
		rig.changeCredential({ baseUrl: rig.sandbox.addresses.twoFactor });
		const { error } = await create({ options: { logos: { logo } } });
		expect(error).toBeUndefined();
	});

	it.each([
		['nothing', '={{ $json.nothing }}', "'Message' is missing"],
		['spaces', '   ', "'Message' is missing"],
		['145 characters', 'x'.repeat(145), "'Message' is too long: 145 of 144 characters"],
		['145 emoji', '🎟'.repeat(145), "'Message' is too long: 145 of 144 characters"],
	])('rejects a message of %s before any request', async (_, message, expectedMessage) => {
		const { error } = await create({ message });
		expect(error?.message).toBe(expectedMessage);
		expect(rig.countRequests('createApprovalRequest')).toBe(0);
	});

	it.each([
		['144 characters', 'x'.repeat(144)],
		['144 emoji', '🎟'.repeat(144)],
		['one character', '?'],
	])('accepts a message of %s', async (_, message) => {
		const { error } = await create({ message });
		expect(error).toBeUndefined();
		expect(readApprovals()[0].message).toBe(message);
	});

	it.each([
		[{ expiry: { time: { unit: 'minutes', amount: 0 } } }, /^'Expires After' must be/],
		[{ expiry: { time: { unit: 'minutes', amount: -5 } } }, /^'Expires After' must be/],
		[{ expiry: { time: { unit: 'days', amount: 1e9 } } }, /^'Expires After' is longer than/],
		[{ logos: { logo: [{ res: 'low', url: 'logo.png' }] } }, /^'Logos' has a URL/],
		[
			{ logos: { logo: Array(5).fill({ res: 'low', url: 'https://a.example/' }) } },
			/^'Logos' has 5/,
		],
		[{ hiddenDetailsJson: '[1]' }, /^'Hidden Details \(JSON\)' must be a JSON object/],
		[{ hiddenDetails: makeRows(['', 'x']) }, /^'Hidden Details' has a value without a name/],
	])('rejects the options %j before any request', async (options, expectedMessage) => {
		const { error } = await create({ options });
		expect(error?.message).toMatch(expectedMessage);
		expect(rig.countRequests('createApprovalRequest')).toBe(0);
	});

	it('rejects details in which a name appears twice', async () => {
		const { error } = await create({ details: makeRows(['Location', 'A'], ['Location', 'B']) });
		expect(error?.message).toBe('\'Details\' has "Location" twice');
	});

	it('fails with advice if the application has push approvals turned off', async () => {
		rig.sandbox.settings.twoFactor.pushEnabled = false;
		const { error } = await create();
		expect(error?.message).toContain('Push approvals are not enabled for this application (60065)');
		expect(adviceOf(error)).toContain('Turn push approvals on');
	});
});

describe('Create with a trigger URL', () => {
	it('submits the new ID to the trigger, signed with the secret', async () => {
		const trigger = await startToyServer();
		trigger.respondWith((_, response) => sendJson(response, 200, { watched: 1 }));
		const { outputItems } = await create({
			options: {
				triggerUrl: `${trigger.url}/webhook/x`,
				triggerSecret: 'open sesame',
				triggerData: '{"order": 1042}',
			},
		});
		expect(outputItems).toEqual([
			{
				id: expect.any(String),
				outcome: 'pending',
				twofactor_id: Number(APP_ID),
				handedOver: true,
			},
		]);
		const [, { headers, body }] = trigger.requests as [never, never];
		expect(JSON.parse(body)).toEqual({
			ids: [{ id: outputItems[0]!.id, data: { order: 1042 }, subject: APP_ID }],
		});
		expect(verifySubmission(headers['x-gatehouse-signature'], body, 'open sesame', 'x')).toBe(
			'valid',
		);
		expect(JSON.stringify(headers)).not.toContain('open sesame');
		expect(JSON.stringify(headers)).not.toContain(rig.sandbox.demo.twoFactor.apiKey);
		await trigger.close();
	});

	it('sends no approval request if the trigger rejects the check, unless the user allows it', async () => {
		const trigger = await startToyServer();
		trigger.respondWith((_, response) => sendJson(response, 403, { message: 'Not open sesame' }));
		const options = { triggerUrl: trigger.url, triggerSecret: 'open sesame' };
		const { error } = await create({ options });
		expect(error?.message).toBe('The trigger rejected this node');
		expect(adviceOf(error)).toBe('Not •••. Nothing was sent.');
		expect(readApprovals()).toHaveLength(0);
		const { outputItems } = await create({ options: { ...options, continueWithoutTrigger: true } });
		expect(outputItems[0]).toMatchObject({ id: readApprovals()[0].uuid, handedOver: false });
		expect(outputItems[0]!.handOverReason).toMatch(/rejected this node/);
		expect(JSON.stringify(outputItems)).not.toContain('open sesame');
		await trigger.close();
	});

	it('sends no approval request if the trigger URL or the trigger data is invalid', async () => {
		expect((await create({ options: { triggerUrl: 'hello' } })).error?.message).toContain('hello');
		const options = { triggerUrl: 'http://127.0.0.1:1', triggerData: '{"order": }' };
		expect((await create({ options })).error?.message).toContain('Trigger Data');
		expect(readApprovals()).toHaveLength(0);
	});
});

describe('Get', () => {
	it('outputs the main fields of the approval request, and all fields without Simplify', async () => {
		const { outputItems } = await create({ details: makeRows(['Location', 'Lisbon']) });
		const uuid = outputItems[0]!.id as string;
		rig.control('decide', { uuid, decision: 'approved' });
		const { outputItems: fetched, error } = await getApproval({ uuid });
		expect(error).toBeUndefined();
		const simplified = {
			id: uuid,
			outcome: 'approved',
			twofactor_id: Number(APP_ID),
			message: QUESTION,
			details: { Location: 'Lisbon' },
			respondedAt: expect.any(String),
			responder: { twofactor_id: Number(APP_ID), email: 'ines.moreau@example.com' },
			created_at: expect.any(String),
			processed_at: expect.any(String),
			seconds_to_expire: 86_400,
		};
		expect(fetched).toEqual([simplified]);
		expect(fetched[0]!.respondedAt).toBe(fetched[0]!.processed_at);
		expect(Object.keys(fetched[0]!)).toEqual(Object.keys(simplified));
		const { outputItems: unsimplified } = await getApproval({ uuid, simplify: false });
		expect(unsimplified).toEqual([
			{
				id: uuid,
				outcome: 'approved',
				uuid,
				status: 'approved',
				message: QUESTION,
				details: { Location: 'Lisbon' },
				twofactor_id: Number(APP_ID),
				respondedAt: simplified.respondedAt,
				responder: simplified.responder,
				created_at: expect.any(String),
				updated_at: expect.any(String),
				processed_at: expect.any(String),
				seconds_to_expire: 86_400,
				notified: true,
				_id: expect.any(String),
				_app_name: 'Gatehouse Sandbox',
				_app_serial_id: 4711,
				_twofactor_id: Number(APP_ID),
				_user_email: 'ines.moreau@example.com',
				app_id: expect.any(String),
				user_id: expect.any(String),
			},
		]);
	});
});
