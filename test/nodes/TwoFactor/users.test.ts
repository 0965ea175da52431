// Protects Enroll, Get Status and Delete of users: a phone number in any notation gives the ID of its one user.
import { sendJson, startToyServer } from '../../support/toy';
import { APP_ID, DEMO_ID, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const GERMANY = { __rl: true, mode: 'list', value: 'DE', cachedResultName: 'Germany (+49)' };
const locateByCode = (value: unknown) => ({ __rl: true, mode: 'code', value });

describe('Enroll', () => {
	const enroll = (parameters: object, input?: never) =>
		rig.operate('user', 'enroll', { email: 'ada@example.com', ...parameters }, input);
	const findUser = (phone: string) => rig.control('users', { phone })[0];

	it('outputs the ID of a new user', async () => {
		const { outputItems, error } = await enroll({ phoneNumber: '0151 2345-678', country: GERMANY });
		expect(error).toBeUndefined();
		const user = findUser('+491512345678');
		expect(outputItems).toEqual([
			{
				twofactor_id: user.twofactor_id,
				email: 'ada@example.com',
				phone: '+491512345678',
				message: 'User created successfully.',
			},
		]);
		expect(user.email).toBe('ada@example.com');
	});

	it.each([
		['a full international number', { phoneNumber: '+49 (0)151 2345-678' }],
		[
			'a full number with another country',
			{ phoneNumber: '0049 151 2345678', country: locateByCode('1') },
		],
		[
			'a country code that was typed',
			{ phoneNumber: '0151/2345678', country: locateByCode('+49') },
		],
		['a country code that is a number', { phoneNumber: '01512345678', country: locateByCode(49) }],
		[
			'an expression',
			{ phoneNumber: '={{ $json.phone }}', country: locateByCode('={{ $json.code }}') },
		],
	])('accepts %s', async (_, parameters) => {
		const input = [{ phone: '0151 2345678', code: 49 }];
		const { outputItems, error } = await enroll(parameters, input as never);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
		expect(findUser('+491512345678')).toBeDefined();
	});

	it('outputs the existing ID for a known phone, without isNew', async () => {
		const { outputItems } = await enroll({ phoneNumber: DEMO_PHONE, email: ' ada@example.com ' });
		expect(outputItems).toMatchObject([
			{ twofactor_id: Number(DEMO_ID), email: 'ada@example.com', phone: DEMO_PHONE },
		]);
		expect(outputItems[0]).not.toHaveProperty('isNew');
		expect(findUser(DEMO_PHONE).email).toBe('ada@example.com');
	});

	it('outputs an ID that the service returns as a string as a number', async () => {
		rig.sandbox.settings.twoFactor.idForm = 'string';
		const { outputItems } = await enroll({ phoneNumber: DEMO_PHONE });
		expect(outputItems[0]!.twofactor_id).toBe(Number(DEMO_ID));
	});

	it('sends the link to the app only if the option is on', async () => {
		await enroll({ phoneNumber: DEMO_PHONE });
		expect(rig.readMessages(DEMO_PHONE)).toHaveLength(0);
		await enroll({ phoneNumber: DEMO_PHONE, options: { sendInstallLink: true } });
		expect(rig.readMessages(DEMO_PHONE)).toHaveLength(1);
	});

	it.each([
		['={{ "false" }}', false],
		['={{ "True" }}', true],
	])(
		'reads the expression %s as the boolean %s for the link to the app',
		async (sendInstallLink, expectedBoolean) => {
			const server = await startToyServer();
			server.respondWith((_, response) =>
				sendJson(response, 200, { success: true, user: { id: 7 } }),
			);
			rig.changeCredential({ baseUrl: server.url });
			const { outputItems } = await enroll({
				phoneNumber: DEMO_PHONE,
				options: { sendInstallLink },
			});
			await server.close();
			expect(outputItems).toMatchObject([{ twofactor_id: 7 }]);
			expect(JSON.parse(server.requests[0]!.body)).toMatchObject({
				send_install_link_via_sms: expectedBoolean,
			});
		},
	);

	it('fails without a request if a national number has no country', async () => {
		const { error } = await enroll({ phoneNumber: '0151 2345678' });
		expect(error?.message).toBe("'Country' is missing");
		expect(rig.countRequests('enrollUser')).toBe(0);
	});

	it('enrolls several users in order, and continues after an item that fails', async () => {
		const input = ['+49 151 2345601', 'nonsense', '+49 151 2345603'].map((phone) => ({ phone }));
		const { outputItems, errorItems } = await rig.operate(
			'user',
			'enroll',
			{ email: 'ada@example.com', phoneNumber: '={{ $json.phone }}' },
			input,
			{ onError: 'continueErrorOutput' },
		);
		expect(outputItems.map(({ twofactor_id }) => twofactor_id)).toEqual([
			findUser('+491512345601').twofactor_id,
			findUser('+491512345603').twofactor_id,
		]);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]!.pairedItem).toEqual({ item: 1 });
	});
});

describe('Get Status', () => {
	it('outputs whether the user has the app, and on which devices', async () => {
		const { outputItems } = await rig.operate('user', 'getStatus', { twofactorId: APP_ID });
		expect(outputItems).toEqual([
			{
				twofactor_id: Number(APP_ID),
				confirmed: true,
				registered: true,
				country_code: 1,
				phone_number: 'XXX-XXX-0144',
				devices: ['android'],
				has_hard_token: false,
				account_disabled: false,
			},
		]);
	});

	it('accepts the ID as a number', async () => {
		const { outputItems } = await rig.operate(
			'user',
			'getStatus',
			{ twofactorId: '={{ $json.id }}' },
			[{ id: Number(DEMO_ID) }],
		);
		expect(outputItems[0]).toMatchObject({ confirmed: false, registered: true });
	});
});

describe('Delete', () => {
	it('deletes the user, whom the service then does not know', async () => {
		const { outputItems } = await rig.operate('user', 'delete', { twofactorId: DEMO_ID });
		expect(outputItems).toEqual([{ deleted: true, twofactor_id: Number(DEMO_ID) }]);
		const { error } = await rig.operate('oneTimeCode', 'sendBySms', { twofactorId: DEMO_ID });
		expect(error?.message).toBe('Two-factor service: User not found (60026)');
	});

	it('sends the IP address from the option, which the service rejects if it is invalid', async () => {
		const parameters = { twofactorId: DEMO_ID, options: { userIp: '203.0.113.7' } };
		const { error } = await rig.operate('user', 'delete', parameters);
		expect(error).toBeUndefined();
		const invalidIp = { twofactorId: DEMO_ID, options: { userIp: 'the moon' } };
		expect((await rig.operate('user', 'delete', invalidIp)).error?.message).toContain('(60004)');
	});
});
