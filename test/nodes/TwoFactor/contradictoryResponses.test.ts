// Protects logins: a valid code lets a person in, so it counts only if the response says so without a contradiction.
import { adviceOf, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

const { operateAgainst } = useFakeTwoFactor(useTwoFactorRig());

const verifyCode = async (body: unknown, status?: number) =>
	await operateAgainst(
		body,
		'oneTimeCode',
		'verify',
		{ twofactorId: DEMO_ID, code: '1234567', options: { tries: 1 } },
		status,
	);
const checkPhoneCode = async (body: unknown, status?: number) =>
	await operateAgainst(
		body,
		'phoneVerification',
		'check',
		{ phoneNumber: '+12025550143', code: '1234', options: { tries: 1 } },
		status,
	);

const VALID_RESPONSE = { token: 'is valid', message: 'Token is valid.', success: true };

/** Fields that contradict the valid response to which they are added. */
const CONTRADICTIONS: Array<[string, object]> = [
	['an error code', { error_code: '60020' }],
	['an error code that is a number', { error_code: 60_022 }],
	['an error code in other letters', { Error_Code: '60020' }],
	['errors', { errors: { message: 'Token is invalid' } }],
	['an error', { error: 'expired' }],
	['an error code under its short name', { code: '60020' }],
	['a token text that denies it', { token: 'is invalid' }],
	['success twice', { Success: false }],
	['success in a list', { success: [true] }],
	['a list of words as success', { success: ['true'] }],
	['no success', { success: undefined }],
];
/** Fields that do not contradict the valid response to which they are added. */
const HARMLESS_FIELDS: Array<[string, object]> = [
	['nothing', {}],
	['an empty error code', { error_code: '' }],
	['an error code of null', { error_code: null, errors: {} }],
	['success as a text', { success: 'true' }],
];

describe.each([
	['One-Time Code: Verify', verifyCode],
	['Phone Verification: Check', checkPhoneCode],
])('%s', (_, runOperation) => {
	it.each(CONTRADICTIONS)(
		'does not accept a code if the response also has %s',
		async (__, fields) => {
			const { outputItems, error } = await runOperation({ ...VALID_RESPONSE, ...fields });
			expect(outputItems.filter(({ valid }) => valid !== false)).toEqual([]);
			if (outputItems.length === 0) expect(adviceOf(error)).not.toBe('');
		},
	);

	it('does not accept a code if the response is a list', async () => {
		for (const body of [[VALID_RESPONSE], [VALID_RESPONSE, VALID_RESPONSE], []]) {
			const { outputItems, error } = await runOperation(body);
			expect(outputItems).toEqual([]);
			expect(error).toBeDefined();
		}
	});

	it.each(HARMLESS_FIELDS)('accepts a code if the response also has %s', async (__, fields) => {
		const { outputItems, error } = await runOperation({ ...VALID_RESPONSE, ...fields });
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ valid: true }]);
	});

	it('fails with advice if the response contradicts itself', async () => {
		const { error } = await runOperation({ ...VALID_RESPONSE, error_code: '60020' });
		expect(error?.message).toBe("The two-factor service didn't say whether the code is valid");
		expect(adviceOf(error)).toMatch(/^Treat this as not verified;/);
	});
});

it.each([
	['in a list', ['is valid']],
	['in a list of two', ['is valid', 'is invalid']],
	['an object', { toString: 'is valid' }],
	['true', true],
	['another word', 'is validated'],
	['missing', undefined],
	['there twice', 'is valid'],
])('One-Time Code: Verify does not accept a code if the field token is %s', async (name, token) => {
	const { outputItems, error } = await verifyCode({
		...VALID_RESPONSE,
		token,
		...(name === 'there twice' && { Token: 'is invalid' }),
	});
	expect(outputItems).toEqual([]);
	expect(error?.message).toBe("The two-factor service didn't say whether the code is valid");
});

it('One-Time Code: Verify fails if the field token is a list that denies the code', async () => {
	for (const status of [200, 401]) {
		const { outputItems, error } = await verifyCode(
			{ token: ['is invalid'], success: false },
			status,
		);
		expect(outputItems).toEqual([]);
		expect(error).toBeDefined();
	}
});

it('fields of the service do not replace output fields of the node', async () => {
	const packFields = { valid: 'true', reason: 'login', twofactor_id: 7, phone: '+1' };
	expect((await verifyCode({ ...VALID_RESPONSE, ...packFields })).outputItems).toMatchObject([
		{ valid: true, twofactor_id: Number(DEMO_ID) },
	]);
	expect((await checkPhoneCode({ ...VALID_RESPONSE, ...packFields })).outputItems).toMatchObject([
		{ valid: true, phone: '+12025550143' },
	]);
});
