import { APP_ID, APP_PHONE, DEMO_ID, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const operateCode = (operation: string, parameters: object = {}) =>
	rig.operate('oneTimeCode', operation, { twofactorId: DEMO_ID, ...parameters });
const sendCode = async () => {
	await operateCode('sendBySms');
	return rig.readMessages(DEMO_PHONE).at(-1)!.code;
};
/** A code of the right form that is not the right one. */
const wrongCodeFor = (right: string) =>
	right.replace(/./g, (digit) => `${(Number(digit) + 1) % 10}`);

describe.each([
	['sendBySms', 'sendCodeBySms', 'sms'],
	['sendByCall', 'sendCodeByCall', 'call'],
])('%s', (operation, operationId, kind) => {
	it('sends a code and outputs that it was sent', async () => {
		const { outputItems, error } = await operateCode(operation);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
		expect(outputItems[0]).toMatchObject({
			twofactor_id: Number(DEMO_ID),
			sent: true,
			cellphone: '+1-XXX-XXX-XX43',
			message: expect.any(String),
		});
		expect(outputItems[0]).not.toHaveProperty('reason');
		expect(rig.readMessages(DEMO_PHONE).map((message) => message.kind)).toEqual([kind]);
	});

	it('outputs that nothing was sent if the service held the code back', async () => {
		const { outputItems } = await operateCode(operation, { twofactorId: APP_ID });
		expect(outputItems[0]).toMatchObject({ sent: false, reason: 'userHasApp', device: 'android' });
		expect(outputItems[0]!.message).toMatch(/ignored/i);
		expect(rig.readMessages(APP_PHONE)).toHaveLength(0);
	});

	it('sends to a user with the app if forced', async () => {
		const { outputItems } = await operateCode(operation, {
			twofactorId: APP_ID,
			options: { force: true },
		});
		expect(outputItems[0]).toMatchObject({ sent: true });
		expect(rig.readMessages(APP_PHONE)).toHaveLength(1);
	});

	it.each(['+49 151 2345678', '0151/2345678', '(202) 555-0143'])(
		'rejects the phone number %s with a reference to Phone Verification, and sends nothing',
		async (twofactorId) => {
			const { error } = await operateCode(operation, { twofactorId });
			expect(error?.message).toBe(`'User ID' must be a number, not "${twofactorId}"`);
			expect((error as { description?: string }).description).toMatch(
				/looks like a phone number.*Phone Verification: Start.*Nothing was sent/,
			);
			expect(rig.sandbox.requestLog.entries({ service: 'twoFactor', operationId })).toEqual([]);
		},
	);

	it('adds the same reference if a phone number of digits alone is not found', async () => {
		const { error } = await operateCode(operation, { twofactorId: '491512345678' });
		expect(error?.message).toContain('User not found');
		expect((error as { description?: string }).description).toContain('use Phone Verification');
	});

	it('sends language and purpose', async () => {
		await operateCode(operation, {
			options: { locale: 'de', action: 'login', actionMessage: 'Einlass & mehr' },
		});
		const [message] = rig.readMessages(DEMO_PHONE);
		expect(message!.text).toMatch(/^Einlass & mehr: Ihr Gatehouse-Code lautet/);
		const [entry] = rig.sandbox.requestLog.entries({ service: 'twoFactor', operationId });
		expect(entry!.query).toEqual({
			locale: 'de',
			action: 'login',
			action_message: 'Einlass & mehr',
		});
	});
});

describe('Verify', () => {
	it('accepts the right code', async () => {
		const right = await sendCode();
		const { outputItems, error } = await operateCode('verify', { code: right });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ twofactor_id: Number(DEMO_ID), valid: true, message: 'Token is valid.', device: {} },
		]);
	});

	it('accepts the code with spaces, and as a number', async () => {
		const right = await sendCode();
		const spaced = ` ${right.slice(0, 3)} ${right.slice(3)} `;
		expect((await operateCode('verify', { code: spaced })).outputItems[0]!.valid).toBe(true);
		rig.sandbox.clock.advance(11 * 60_000);
		const next = await sendCode();
		if (next.startsWith('0')) throw new Error('The seed gives a code that is not a number');
		const { outputItems } = await rig.operate(
			'oneTimeCode',
			'verify',
			{ twofactorId: DEMO_ID, code: '={{ $json.code }}' },
			[{ code: Number(next) }],
		);
		expect(outputItems[0]!.valid).toBe(true);
	});

	it('outputs that a wrong code is wrong, without an error', async () => {
		const right = await sendCode();
		const { outputItems, error } = await operateCode('verify', { code: wrongCodeFor(right) });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ twofactor_id: Number(DEMO_ID), valid: false, reason: 'wrong', message: 'Token is invalid' },
		]);
	});

	it('sends one request for a wrong code, though n8n alone would send two', async () => {
		const right = await sendCode();
		await operateCode('verify', { code: wrongCodeFor(right) });
		expect(rig.countRequests('verifyCode')).toBe(1);
	});

	it('outputs that a code was already used', async () => {
		const right = await sendCode();
		await operateCode('verify', { code: right });
		const { outputItems } = await operateCode('verify', { code: right });
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'usedAlready' });
	});

	it('rejects an expired code', async () => {
		const right = await sendCode();
		rig.sandbox.clock.advance(10 * 60_000 + 1000);
		const { outputItems } = await operateCode('verify', { code: right });
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'wrong' });
	});

	it("accepts the app's own code", async () => {
		const [{ code: shown }] = rig.control('tokens', { twofactor_id: APP_ID });
		const { outputItems } = await operateCode('verify', { twofactorId: APP_ID, code: shown });
		expect(outputItems[0]).toMatchObject({ valid: true, device: { os_type: 'android' } });
	});

	it('accepts a code for its action only', async () => {
		await operateCode('sendBySms', { options: { action: 'login' } });
		const right = rig.readMessages(DEMO_PHONE).at(-1)!.code;
		expect((await operateCode('verify', { code: right })).outputItems[0]!.valid).toBe(false);
		const { outputItems } = await operateCode('verify', {
			code: right,
			options: { action: 'login' },
		});
		expect(outputItems[0]!.valid).toBe(true);
	});

	it('forces the check by default, so that an unconfirmed user does not pass with any code', async () => {
		const { outputItems } = await operateCode('verify', { code: '1234567' });
		expect(outputItems[0]!.valid).toBe(false);
		const [entry] = rig.sandbox.requestLog.entries({ operationId: 'verifyCode' });
		expect(entry!.query.force).toBe('true');
	});

	it.each(['={{ undefined }}', '={{ null }}', '={{ "" }}', '={{ "yes" }}'])(
		'forces the check if the switch is %s',
		async (force) => {
			expect(
				(await operateCode('verify', { code: '1234567', options: { force } })).outputItems[0]!
					.valid,
			).toBe(false);
		},
	);

	it('accepts any code of an unconfirmed user if force is off', async () => {
		const { outputItems } = await operateCode('verify', {
			code: '1234567',
			options: { force: false },
		});
		expect(outputItems[0]!.valid).toBe(true);
	});

	it.each(['boolean', 'string'])('reads success as a %s', async (form) => {
		rig.sandbox.settings.twoFactor.successForm = form;
		const right = await sendCode();
		expect((await operateCode('verify', { code: wrongCodeFor(right) })).outputItems[0]!.valid).toBe(
			false,
		);
		expect((await operateCode('verify', { code: right })).outputItems[0]!.valid).toBe(true);
	});
});
