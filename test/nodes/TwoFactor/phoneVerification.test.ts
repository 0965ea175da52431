// Protects phone verification: the code reaches the number, and only the right code is valid, once and before it expires.
import { DEMO_PHONE, LANDLINE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const operatePhone = (operation: string, parameters: object = {}) =>
	rig.operate('phoneVerification', operation, { phoneNumber: '+1 (202) 555-0143', ...parameters });
/** Starts a verification and returns the code that reached the phone. */
const startAndReadCode = async (parameters: object = {}) => {
	await operatePhone('start', parameters);
	return rig.readMessages(DEMO_PHONE).at(-1)!.code;
};

describe('Start', () => {
	it('sends a code by SMS', async () => {
		const { outputItems, error } = await operatePhone('start');
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{
				phone: DEMO_PHONE,
				sent: true,
				message: 'Text message sent to +1 2025550143.',
				carrier: 'Sandbox Mobile',
				is_cellphone: true,
				seconds_to_expire: expect.any(Number),
				uuid: expect.any(String),
			},
		]);
		expect(rig.readMessages(DEMO_PHONE).map(({ kind }) => kind)).toEqual(['sms']);
	});

	it('calls a landline if the user chose a voice call', async () => {
		const { outputItems } = await operatePhone('start', { phoneNumber: LANDLINE, via: 'call' });
		expect(outputItems[0]).toMatchObject({ sent: true, is_cellphone: false });
	});

	it('sends a code of the chosen length and language, or the custom code', async () => {
		const eightDigitCode = await startAndReadCode({ options: { codeLength: 8, locale: 'fr' } });
		expect(eightDigitCode).toHaveLength(8);
		expect(rig.readMessages(DEMO_PHONE)[0]!.text).toMatch(/^Votre code/);
		rig.sandbox.reset();
		expect(await startAndReadCode({ options: { customCode: 'GATE 77' } })).toBe('GATE77');
	});

	it.each([
		[{ codeLength: 3 }, "'Code Length' must be from 4 to 10"],
		[{ codeLength: 4.5 }, '\'Code Length\' must be a whole number, not "4.5"'],
		[{ customCode: 'no!' }, "'Custom Code' must be 4 to 10 letters and digits"],
	])('rejects the options %j before any request', async (options, expectedMessage) => {
		const { error } = await operatePhone('start', { options });
		expect(error?.message).toBe(expectedMessage);
		expect(rig.countRequests('startPhoneVerification')).toBe(0);
	});
});

describe('Check', () => {
	it('accepts the right code', async () => {
		const code = await startAndReadCode();
		const { outputItems, error } = await operatePhone('check', { code });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ phone: DEMO_PHONE, valid: true, message: 'Verification code is correct.' },
		]);
	});

	it('accepts a national number with a separate country', async () => {
		const code = await startAndReadCode();
		const country = { __rl: true, mode: 'list', value: 'US' };
		const { outputItems } = await operatePhone('check', {
			phoneNumber: '202-555-0143',
			country,
			code: ` ${code} `,
		});
		expect(outputItems[0]!.valid).toBe(true);
	});

	it('outputs a wrong code as not valid, with one request', async () => {
		const code = await startAndReadCode();
		const wrongCode = code === '1111' ? '2222' : '1111';
		const { outputItems, error } = await operatePhone('check', { code: wrongCode });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{
				phone: DEMO_PHONE,
				valid: false,
				reason: 'wrong',
				message: 'Verification code is incorrect',
			},
		]);
		expect(rig.countRequests('checkPhoneVerification')).toBe(1);
	});

	it.each([
		['was used', async (code: string) => void (await operatePhone('check', { code }))],
		['has expired', async () => rig.sandbox.clock.advance(10 * 60_000 + 1000)],
	])('outputs that no verification is pending if the code %s', async (_, endVerification) => {
		const code = await startAndReadCode();
		await endVerification(code);
		const { outputItems, error } = await operatePhone('check', { code });
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'nothingPending' });
		expect(outputItems[0]!.message).toBe('No pending verifications for this phone number found.');
	});
});
