import { DEMO_PHONE, LANDLINE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const run = (operation: string, parameters: object = {}) =>
	rig.operate('phoneVerification', operation, { phoneNumber: '+1 (202) 555-0143', ...parameters });
const startAndRead = async (parameters: object = {}) => {
	await run('start', parameters);
	return rig.readMessages(DEMO_PHONE).at(-1)!.code;
};

describe('Start', () => {
	it('sends a code by SMS', async () => {
		const { outputItems, error } = await run('start');
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

	it('calls by voice if chosen, which works for a landline', async () => {
		const { outputItems } = await run('start', { phoneNumber: LANDLINE, via: 'call' });
		expect(outputItems[0]).toMatchObject({ sent: true, is_cellphone: false });
	});

	it('sends code length, language and a custom code', async () => {
		const eight = await startAndRead({ options: { codeLength: 8, locale: 'fr' } });
		expect(eight).toHaveLength(8);
		expect(rig.readMessages(DEMO_PHONE)[0]!.text).toMatch(/^Votre code/);
		rig.sandbox.reset();
		expect(await startAndRead({ options: { customCode: 'GATE 77' } })).toBe('GATE77');
	});

	it.each([
		[{ codeLength: 3 }, "'Code Length' must be from 4 to 10"],
		[{ codeLength: 4.5 }, '\'Code Length\' must be a whole number, not "4.5"'],
		[{ customCode: 'no!' }, "'Custom Code' must be 4 to 10 letters and digits"],
	])('rejects %p before any request', async (options, message) => {
		const { error } = await run('start', { options });
		expect(error?.message).toBe(message);
		expect(rig.countRequests('startPhoneVerification')).toBe(0);
	});
});

describe('Check', () => {
	it('accepts the right code', async () => {
		const code = await startAndRead();
		const { outputItems, error } = await run('check', { code });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ phone: DEMO_PHONE, valid: true, message: 'Verification code is correct.' },
		]);
	});

	it('accepts number and country separately', async () => {
		const code = await startAndRead();
		const country = { __rl: true, mode: 'list', value: 'US' };
		const { outputItems } = await run('check', {
			phoneNumber: '202-555-0143',
			country,
			code: ` ${code} `,
		});
		expect(outputItems[0]!.valid).toBe(true);
	});

	it('rejects a wrong code with one request', async () => {
		const code = await startAndRead();
		const wrong = code === '1111' ? '2222' : '1111';
		const { outputItems, error } = await run('check', { code: wrong });
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
		['was used', async (code: string) => void (await run('check', { code }))],
		['has run out', async () => rig.sandbox.clock.advance(10 * 60_000 + 1000)],
	])('says that no verification is pending if the code %s', async (_, then) => {
		const code = await startAndRead();
		await then(code);
		const { outputItems, error } = await run('check', { code });
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'nothingPending' });
		expect(outputItems[0]!.message).toBe('No pending verifications for this phone number found.');
	});
});
