import { adviceOf, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

// A valid code lets a person in. It counts only if the response says so without a contradiction.
const { against } = useFakeTwoFactor(useTwoFactorRig());

const verify = async (body: unknown, status?: number) =>
	await against(
		body,
		'oneTimeCode',
		'verify',
		{ twofactorId: DEMO_ID, code: '1234567', options: { tries: 1 } },
		status,
	);
const check = async (body: unknown, status?: number) =>
	await against(
		body,
		'phoneVerification',
		'check',
		{ phoneNumber: '+12025550143', code: '1234', options: { tries: 1 } },
		status,
	);

const right = { token: 'is valid', message: 'Token is valid.', success: true };

/** Members that contradict a valid answer beside them, so that it must not count. */
const CONTRADICTIONS: Array<[string, object]> = [
	['an error code', { error_code: '60020' }],
	['an error code that is a number', { error_code: 60_022 }],
	['an error code in other letters', { Error_Code: '60020' }],
	['errors', { errors: { message: 'Token is invalid' } }],
	['an error', { error: 'expired' }],
	['an error code under its short name', { code: '60020' }],
	['valid that is false', { valid: false }],
	['words that deny it', { token: 'is invalid' }],
	['success twice', { Success: false }],
	['success in a list', { success: [true] }],
	['a list of words as success', { success: ['true'] }],
	['no success', { success: undefined }],
];
const EMPTY: Array<[string, object]> = [
	['nothing', {}],
	['an empty error code', { error_code: '' }],
	['an error code of null', { error_code: null, errors: {} }],
	['success as a text', { success: 'true' }],
];

describe.each([
	['One-Time Code: Verify', verify],
	['Phone Verification: Check', check],
])('%s', (_, run) => {
	it.each(CONTRADICTIONS)('does not accept a code beside %s', async (__, fields) => {
		const { outputItems, error } = await run({ ...right, ...fields });
		expect(outputItems.filter(({ valid }) => valid !== false)).toEqual([]);
		if (outputItems.length === 0) expect(adviceOf(error)).not.toBe('');
	});

	it('does not accept a code if the response is a list', async () => {
		for (const body of [[right], [right, right], []]) {
			const { outputItems, error } = await run(body);
			expect(outputItems).toEqual([]);
			expect(error).toBeDefined();
		}
	});

	it.each(EMPTY)('accepts a right code beside %s', async (__, fields) => {
		const { outputItems, error } = await run({ ...right, ...fields });
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ valid: true }]);
	});

	it('fails with advice if the response contradicts itself', async () => {
		const { error } = await run({ ...right, error_code: '60020' });
		expect(error?.message).toBe("The two-factor service didn't say whether the code is valid");
		expect(adviceOf(error)).toMatch(/^Treat this as not verified\./);
	});
});

it.each([
	['a list', ['is valid']],
	['a list of two', ['is valid', 'is invalid']],
	['an object', { toString: 'is valid' }],
	['true', true],
	['another word', 'is validated'],
	['nothing', undefined],
	['twice', 'is valid'],
])('One-Time Code: Verify does not accept a code with a token that is %s', async (name, token) => {
	const { outputItems, error } = await verify({
		...right,
		token,
		...(name === 'twice' && { Token: 'is invalid' }),
	});
	expect(outputItems).toEqual([]);
	expect(error?.message).toBe("The two-factor service didn't say whether the code is valid");
});

it('One-Time Code: Verify fails if the response is a list', async () => {
	for (const status of [200, 401]) {
		const { outputItems, error } = await verify({ token: ['is invalid'], success: false }, status);
		expect(outputItems).toEqual([]);
		expect(error).toBeDefined();
	}
});

it('fields of the service do not replace fields of the pack', async () => {
	const packFields = { valid: 'true', reason: 'wrong', twofactor_id: 7, phone: '+1' };
	expect((await verify({ ...right, ...packFields })).outputItems).toMatchObject([
		{ valid: true, twofactor_id: Number(DEMO_ID) },
	]);
	expect((await check({ ...right, ...packFields })).outputItems).toMatchObject([
		{ valid: true, phone: '+12025550143' },
	]);
});
