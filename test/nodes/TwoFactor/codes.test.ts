// Protects one-time codes: a code reaches its user, or the output says why not, and only the right code is valid.
import { APP_ID, APP_PHONE, DEMO_ID, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const operateCode = (operation: string, parameters: object = {}) =>
	rig.operate('oneTimeCode', operation, { twofactorId: DEMO_ID, ...parameters });
/** Sends a code by SMS and returns the code that reached the phone. */
const sendCode = async () => {
	await operateCode('sendBySms');
	return rig.readMessages(DEMO_PHONE).at(-1)!.code;
};
/** Returns a well-formed code that differs from the right one in each digit. */
const makeWrongCode = (rightCode: string) =>
	rightCode.replace(/./g, (digit) => `${(Number(digit) + 1) % 10}`);

describe.each([
	['sendBySms', 'sendCodeBySms', 'sms'],
	['sendByCall', 'sendCodeByCall', 'call'],
])('%s', (operation, operationId, kind) => {
	it('sends a code and outputs that the code was sent', async () => {
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

	it('outputs that nothing was sent if the service held the code back from a user with the app', async () => {
		const { outputItems } = await operateCode(operation, { twofactorId: APP_ID });
		expect(outputItems[0]).toMatchObject({ sent: false, reason: 'userHasApp', device: 'android' });
		expect(outputItems[0]!.message).toMatch(/ignored/i);
		expect(rig.readMessages(APP_PHONE)).toHaveLength(0);
	});

	it("sends a code to a user with the app if 'Send Even if the User Has the App' is on", async () => {
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

	it('refers to Phone Verification if a phone number of digits alone is not found', async () => {
		const { error } = await operateCode(operation, { twofactorId: '491512345678' });
		expect(error?.message).toContain('User not found');
		expect((error as { description?: string }).description).toContain('use Phone Verification');
	});

	it('sends the language and the purpose of the code', async () => {
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
		const rightCode = await sendCode();
		const { outputItems, error } = await operateCode('verify', { code: rightCode });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ twofactor_id: Number(DEMO_ID), valid: true, message: 'Token is valid.', device: {} },
		]);
	});

	it('accepts the code with spaces, and as a number', async () => {
		const rightCode = await sendCode();
		const spacedCode = ` ${rightCode.slice(0, 3)} ${rightCode.slice(3)} `;
		expect((await operateCode('verify', { code: spacedCode })).outputItems[0]!.valid).toBe(true);
		rig.sandbox.clock.advance(11 * 60_000);
		const nextCode = await sendCode();
		if (nextCode.startsWith('0')) throw new Error('The seed gives a code that is not a number');
		const { outputItems } = await rig.operate(
			'oneTimeCode',
			'verify',
			{ twofactorId: DEMO_ID, code: '={{ $json.code }}' },
			[{ code: Number(nextCode) }],
		);
		expect(outputItems[0]!.valid).toBe(true);
	});

	it('outputs a wrong code as not valid, without an error', async () => {
		const rightCode = await sendCode();
		const { outputItems, error } = await operateCode('verify', { code: makeWrongCode(rightCode) });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ twofactor_id: Number(DEMO_ID), valid: false, reason: 'wrong', message: 'Token is invalid' },
		]);
	});

	it('sends only one request for a wrong code', async () => {
		const rightCode = await sendCode();
		await operateCode('verify', { code: makeWrongCode(rightCode) });
		expect(rig.countRequests('verifyCode')).toBe(1);
	});

	it('outputs a code that was already used as not valid', async () => {
		const rightCode = await sendCode();
		await operateCode('verify', { code: rightCode });
		const { outputItems } = await operateCode('verify', { code: rightCode });
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'usedAlready' });
	});

	it('outputs an expired code as not valid', async () => {
		const rightCode = await sendCode();
		rig.sandbox.clock.advance(10 * 60_000 + 1000);
		const { outputItems } = await operateCode('verify', { code: rightCode });
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'wrong' });
	});

	it('accepts the code that the app shows', async () => {
		const [{ code: appCode }] = rig.control('tokens', { twofactor_id: APP_ID });
		const { outputItems } = await operateCode('verify', { twofactorId: APP_ID, code: appCode });
		expect(outputItems[0]).toMatchObject({ valid: true, device: { os_type: 'android' } });
	});

	it('accepts a code only with the action that it was sent for', async () => {
		await operateCode('sendBySms', { options: { action: 'login' } });
		const rightCode = rig.readMessages(DEMO_PHONE).at(-1)!.code;
		expect((await operateCode('verify', { code: rightCode })).outputItems[0]!.valid).toBe(false);
		const { outputItems } = await operateCode('verify', {
			code: rightCode,
			options: { action: 'login' },
		});
		expect(outputItems[0]!.valid).toBe(true);
	});

	it('checks the code of an unconfirmed user by default', async () => {
		const { outputItems } = await operateCode('verify', { code: '1234567' });
		expect(outputItems[0]!.valid).toBe(false);
		const [entry] = rig.sandbox.requestLog.entries({ operationId: 'verifyCode' });
		expect(entry!.query.force).toBe('true');
	});

	it.each(['={{ undefined }}', '={{ null }}', '={{ "" }}', '={{ "yes" }}'])(
		"checks the code if 'Always Check the Code' is %s",
		async (force) => {
			expect(
				(await operateCode('verify', { code: '1234567', options: { force } })).outputItems[0]!
					.valid,
			).toBe(false);
		},
	);

	it("accepts any code of an unconfirmed user if 'Always Check the Code' is off", async () => {
		const { outputItems } = await operateCode('verify', {
			code: '1234567',
			options: { force: false },
		});
		expect(outputItems[0]!.valid).toBe(true);
	});

	it.each(['boolean', 'string'])(
		'accepts the right code and no wrong code if the service returns success as a %s',
		async (form) => {
			rig.sandbox.settings.twoFactor.successForm = form;
			const rightCode = await sendCode();
			expect(
				(await operateCode('verify', { code: makeWrongCode(rightCode) })).outputItems[0]!.valid,
			).toBe(false);
			expect((await operateCode('verify', { code: rightCode })).outputItems[0]!.valid).toBe(true);
		},
	);
});
