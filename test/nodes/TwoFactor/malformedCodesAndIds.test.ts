// Protects the service from malformed input: codes, user IDs and details that cannot be valid are never sent.
import fc from 'fast-check';

import { adviceOf, APP_ID, DEMO_ID, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const countAllRequests = () =>
	Object.values(rig.sandbox.requestLog.counts().twoFactor ?? {}).reduce(
		(sum, count) => sum + count,
		0,
	);

describe('values that cannot be codes', () => {
	const verifyCode = (code: unknown) =>
		rig.operate('oneTimeCode', 'verify', { twofactorId: DEMO_ID, code: '={{ $json.code }}' }, [
			{ code } as never,
		]);
	const checkPhoneCode = (code: unknown) =>
		rig.operate(
			'phoneVerification',
			'check',
			{ phoneNumber: DEMO_PHONE, code: '={{ $json.code }}' },
			[{ code } as never],
		);

	it.each([
		'abcdefg',
		'12345a7',
		'123',
		'1'.repeat(13),
		'../sms',
		'..%2Fsms%2F1',
		'1234567/100002?force=false#',
		'1234567\u0000',
		'１２３４５６７',
		'٤٨٢٩١٣٧',
		'-1234567.5',
		true,
		12345.67,
		{ code: 1 },
	])('Verify outputs %p as not valid without a request', async (code) => {
		const { outputItems, error } = await verifyCode(code);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ valid: false, reason: 'malformed' }]);
		expect(countAllRequests()).toBe(0);
	});

	it.each(['12 3', 'drop table!', '12345678901', 'x'.repeat(300), '%00%00'])(
		'Check outputs %p as not valid without a request',
		async (code) => {
			const { outputItems, error } = await checkPhoneCode(code);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([{ valid: false, reason: 'malformed' }]);
			expect(countAllRequests()).toBe(0);
		},
	);

	it.each(['', '   ', null, undefined])(
		'Verify fails with the message that the code is missing for %p',
		async (code) => {
			const { error } = await verifyCode(code);
			expect(error?.message).toBe("'Code' is missing");
			expect(countAllRequests()).toBe(0);
		},
	);

	it('Verify accepts no random text as a code, and requests no unknown path', async () => {
		const randomText = fc.string({ unit: 'grapheme', maxLength: 40 });
		await fc.assert(
			// Each run verifies 40 codes, since starting n8n's engine costs more time than verifying them.
			fc.asyncProperty(fc.array(randomText, { minLength: 40, maxLength: 40 }), async (codes) => {
				const { outputItems, errorItems } = await rig.operate(
					'oneTimeCode',
					'verify',
					{ twofactorId: DEMO_ID, code: '={{ $json.code }}' },
					codes.map((code) => ({ code })),
					{ onError: 'continueErrorOutput' },
				);
				expect(outputItems.length + errorItems.length).toBe(codes.length);
				expect(outputItems.filter(({ valid }) => valid !== false)).toEqual([]);
				for (const { json } of errorItems) expect(json.error).toMatch(/^'Code' is missing\./);
			}),
			{ numRuns: 3 },
		);
		expect(Object.keys(rig.sandbox.requestLog.counts().twoFactor ?? {})).not.toContain('unknown');
	});
});

describe('user IDs', () => {
	it.each<[string, unknown, RegExp]>([
		['300 digits', '9'.repeat(300), /^'User ID' must be a number, not "9+…"$/],
		['a number that has lost digits', 1e300, /^'User ID' is too long for a number$/],
		['two dots', '..', /^'User ID' must be a number, not "\.\."$/],
		['an object', { id: 1 }, /^'User ID' must be text or a number$/],
		['nothing', '', /^'User ID' is missing$/],
	])('a user ID of %s is rejected before any request', async (_, id, expectedMessage) => {
		const { error } = await rig.operate(
			'oneTimeCode',
			'sendBySms',
			{ twofactorId: '={{ $json.id }}' },
			[{ id } as never],
		);
		expect(error?.message).toMatch(expectedMessage);
		expect(countAllRequests()).toBe(0);
	});

	it.each(['100001/../100002', '100001?force=true', '100001#', '%2e%2e', '100001%2Fdelete'])(
		'the user ID %s is rejected before any request',
		async (twofactorId) => {
			const { error } = await rig.operate('oneTimeCode', 'sendBySms', { twofactorId });
			expect(error?.message).toBe(`'User ID' must be a number, not "${twofactorId}"`);
			expect(rig.readMessages(DEMO_PHONE)).toHaveLength(0);
			expect(countAllRequests()).toBe(0);
		},
	);
});

describe('details of approval requests', () => {
	const createApproval = (parameters: object, input: object = {}) =>
		rig.operate(
			'approvalRequest',
			'create',
			{ twofactorId: APP_ID, message: 'Yes?', ...parameters },
			[input as never],
		);

	it.each<[string, unknown]>([
		['a list', [1, 2]],
		['a text', 'Lisbon'],
		['a number', 7],
		['broken JSON', '{"a": '],
		['JSON of a list', '[1]'],
		['JSON of null', 'null'],
	])('details that are %s are rejected before any request', async (_, details) => {
		const { error } = await createApproval(
			{ specifyDetails: 'json', detailsJson: '={{ $json.details }}' },
			{ details },
		);
		expect(error?.message).toMatch(/^'Details' (must be a JSON object|is not valid JSON)$/);
		expect(adviceOf(error)).toContain('Details');
		expect(countAllRequests()).toBe(0);
	});

	it('details with names of Object properties are sent unchanged', async () => {
		const rows = ['__proto__', 'constructor', 'toString'].map((name) => ({ name, value: 'x' }));
		const { error } = await createApproval({ details: { rows } });
		expect(error).toBeUndefined();
		const [{ details }] = rig.control('approvals', { twofactor_id: APP_ID });
		expect(Object.entries(details)).toEqual(rows.map(({ name, value }) => [name, value]));
	});
});
