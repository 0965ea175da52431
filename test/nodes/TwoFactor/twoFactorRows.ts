import { APP_ID, DEMO_ID, DEMO_PHONE } from './twoFactorRig';

/** Every operation that is one request, with parameters that the node accepts. */
export const operations = (
	[
		['user', 'enroll', 'enrollUser', { email: 'ada@example.com', phoneNumber: DEMO_PHONE }],
		['user', 'getStatus', 'getUserStatus', { twofactorId: DEMO_ID }],
		['user', 'delete', 'deleteUser', { twofactorId: DEMO_ID }],
		['oneTimeCode', 'sendBySms', 'sendCodeBySms', { twofactorId: DEMO_ID }],
		['oneTimeCode', 'sendByCall', 'sendCodeByCall', { twofactorId: DEMO_ID }],
		['oneTimeCode', 'verify', 'verifyCode', { twofactorId: DEMO_ID, code: '1234567' }],
		[
			'approvalRequest',
			'create',
			'createApprovalRequest',
			{ twofactorId: APP_ID, message: 'Yes?' },
		],
		[
			'approvalRequest',
			'get',
			'getApprovalRequest',
			{ uuid: '6f1c3f6e-9a55-4a0e-8f0b-2b6c4a7f7d10' },
		],
		['phoneVerification', 'start', 'startPhoneVerification', { phoneNumber: DEMO_PHONE }],
		[
			'phoneVerification',
			'check',
			'checkPhoneVerification',
			{ phoneNumber: DEMO_PHONE, code: '1234' },
		],
		['application', 'getDetails', 'getApplicationDetails', {}],
		['application', 'getStatistics', 'getApplicationStatistics', {}],
	] as Array<[string, string, string, Record<string, unknown>]>
).map(([resource, operation, operationId, parameters]) => ({
	resource,
	operation,
	operationId,
	parameters,
}));

/** The error codes of the service, with their HTTP status. */
export const codes: Record<string, number> = {
	'60001': 401,
	'60003': 429,
	'60004': 400,
	'60019': 401,
	'60020': 401,
	'60022': 401,
	'60023': 404,
	'60026': 404,
	'60027': 400,
	'60033': 400,
	'60049': 404,
	'60060': 503,
	'60065': 403,
	'60082': 403,
	'60083': 403,
};

/** Whether an error code means that the checked one-time code is not valid. Verify and Check output that as a result. */
export const isCodeRejection = (operation: string, code: string): boolean =>
	['verify', 'check'].includes(operation) && ['60019', '60020', '60022', '60023'].includes(code);
