// Protects users when the service rejects a request: every operation shows the error code, or outputs the code as not valid.
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import {
	adviceOf,
	DEMO_ID,
	DEMO_PHONE,
	LANDLINE,
	NO_CARRIER,
	useTwoFactorRig,
} from './twoFactorRig';
import { codes, isCodeRejection, operations } from './twoFactorRows';

const rig = useTwoFactorRig();
const SHORT_RETRY_DELAY = { options: { longestWait: 1 } };

describe.each(operations)(
	'$resource $operation against the sandbox',
	({ resource, operation, operationId, parameters }) => {
		const runOperation = (overrides: object = {}) =>
			rig.operate(resource, operation, { ...parameters, ...overrides });

		it('fails after one request for a suspended account, without saying that the result is unclear', async () => {
			rig.sandbox.settings.twoFactor.suspended = true;
			const { error } = await runOperation();
			expect(error?.message).toBe('Two-factor service: Account is suspended (60060)');
			expect(adviceOf(error)).toContain('resolve it with the provider');
			expect(adviceOf(error)).not.toMatch(/not known|unclear/);
			expect(error?.message).not.toMatch(/must (match|be)|pattern/);
			expect(rig.countRequests(operationId)).toBe(1);
		});

		it('fails after one request if Retry-After exceeds the longest wait', async () => {
			rig.sandbox.faultRules.add({ service: 'twoFactor', kind: '429', retryAfter: 300 });
			const { error } = await runOperation(SHORT_RETRY_DELAY);
			expect(error?.message).toContain('(60003)');
			expect(adviceOf(error)).toContain('asks to wait 5 minutes');
			expect(rig.countRequests(operationId)).toBe(1);
		});
	},
);

/** Error code, resource, operation and parameters that the sandbox rejects with that code. */
const rejections: Array<[string, string, string, object]> = [
	['60027', 'user', 'enroll', { email: 'not an address', phoneNumber: DEMO_PHONE }],
	['60027', 'user', 'enroll', { email: 'ada@example.com', phoneNumber: '+1 2345' }],
	[
		'60082',
		'user',
		'enroll',
		{ email: 'ada@example.com', phoneNumber: LANDLINE, options: { sendInstallLink: true } },
	],
	['60004', 'oneTimeCode', 'sendBySms', { twofactorId: DEMO_ID, options: { locale: '!!' } }],
	['60004', 'oneTimeCode', 'sendByCall', { twofactorId: DEMO_ID, options: { locale: '!!' } }],
	['60033', 'phoneVerification', 'start', { phoneNumber: '+1 2345' }],
	['60004', 'phoneVerification', 'start', { phoneNumber: DEMO_PHONE, options: { locale: '!!' } }],
	['60082', 'phoneVerification', 'start', { phoneNumber: LANDLINE }],
	['60083', 'phoneVerification', 'start', { phoneNumber: NO_CARRIER }],
	['60083', 'phoneVerification', 'start', { phoneNumber: NO_CARRIER, via: 'call' }],
	['60033', 'phoneVerification', 'check', { phoneNumber: '+1 2345', code: '1234' }],
	['60004', 'application', 'getDetails', { options: { userIp: 'the moon' } }],
	['60004', 'application', 'getStatistics', { options: { userIp: 'the moon' } }],
];

it.each(rejections)(
	'the error has the code %s and advice after the sandbox rejected %s %s',
	async (code, resource, operation, parameters) => {
		const { error, outputItems } = await rig.operate(resource, operation, parameters);
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(
			new RegExp(`^Two-factor service: .+ \\(${code}\\)(\\. The value was ".+"\\.)?$`),
		);
		expect(adviceOf(error)).toMatch(/^[A-Z].{20,}/);
		expect(adviceOf(error)).not.toMatch(/not known|unclear/);
		expect(error?.message).not.toMatch(/must (match|be)|pattern/);
	},
);

it.each([
	['60082', 'sendBySms', LANDLINE],
	['60083', 'sendBySms', NO_CARRIER],
	['60083', 'sendByCall', NO_CARRIER],
])(
	'the error has the code %s after the sandbox rejected %s to the number %s',
	async (code, operation, phoneNumber) => {
		const enrollment = await rig.operate('user', 'enroll', {
			email: 'ada@example.com',
			phoneNumber,
		});
		const twofactorId = `${enrollment.outputItems[0]!.twofactor_id}`;
		const { error } = await rig.operate('oneTimeCode', operation, { twofactorId });
		expect(error?.message).toContain(`(${code})`);
	},
);

it('the error names the invalid fields', async () => {
	const { error } = await rig.operate('user', 'enroll', {
		email: 'not an address',
		phoneNumber: DEMO_PHONE,
	});
	expect(error?.message).toContain('User was not valid: email is invalid');
});

describe('every operation with every error code', () => {
	let server: ToyServer;
	beforeAll(async () => {
		server = await startToyServer();
	});
	afterAll(async () => await server.close());

	// '61999' is unknown to the node, '' is a response without a code.
	const matrix = operations.flatMap((row) =>
		[...Object.entries(codes), ['61999', 400] as const, ['', 418] as const].map(
			([code, status]) => ({ ...row, code, status: Number(status) }),
		),
	);

	it.each(matrix)(
		'$resource $operation outputs the error code "$code" as a result or as an error',
		async ({ resource, operation, parameters, code, status }) => {
			server.respondWith((_, response) =>
				sendJson(
					response,
					status,
					{ message: `Refused for ${code || 'no code'}`, success: false, error_code: code },
					{ 'retry-after': '9999' },
				),
			);
			rig.changeCredential({ baseUrl: server.url });
			const { error, outputItems } = await rig.operate(resource, operation, parameters);
			if (isCodeRejection(operation, code)) {
				expect(error).toBeUndefined();
				expect(outputItems[0]).toMatchObject({
					valid: false,
					message: `Refused for ${code || 'no code'}`,
				});
				expect(server.requests).toHaveLength(1);
				return;
			}
			expect(outputItems).toEqual([]);
			const shownCode = code === '' ? '' : ` (${code})`;
			expect(error?.message).toBe(
				`Two-factor service: Refused for ${code || 'no code'}${shownCode}`,
			);
			expect((error as { httpCode?: string }).httpCode).toBe(`${status}`);
			// Delete has another path to try where the service does not know the first. Create reads the status of the user first.
			const isSentTwice =
				(operation === 'create' && status !== 401) ||
				(operation === 'delete' && status === 404 && code !== '60026');
			expect(server.requests).toHaveLength(isSentTwice ? 2 : 1);
		},
	);
});
