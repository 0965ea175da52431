import { DEMO_ID, DEMO_PHONE } from './twoFactorFixture';

/** Every operation that is one request, with what it needs to succeed or to fail for a reason of the service's own. */
export const operations: Array<{
	resource: string;
	operation: string;
	operationId: string;
	parameters: Record<string, unknown>;
}> = [
	{
		resource: 'user',
		operation: 'enroll',
		operationId: 'enrollUser',
		parameters: { email: 'ada@example.com', phoneNumber: DEMO_PHONE },
	},
	{
		resource: 'user',
		operation: 'getStatus',
		operationId: 'getUserStatus',
		parameters: { twofactorId: DEMO_ID },
	},
	{
		resource: 'user',
		operation: 'delete',
		operationId: 'deleteUser',
		parameters: { twofactorId: DEMO_ID },
	},
	{
		resource: 'oneTimeCode',
		operation: 'sendBySms',
		operationId: 'sendCodeBySms',
		parameters: { twofactorId: DEMO_ID },
	},
	{
		resource: 'oneTimeCode',
		operation: 'sendByCall',
		operationId: 'sendCodeByCall',
		parameters: { twofactorId: DEMO_ID },
	},
	{
		resource: 'oneTimeCode',
		operation: 'verify',
		operationId: 'verifyCode',
		parameters: { twofactorId: DEMO_ID, code: '1234567' },
	},
	{
		resource: 'approvalRequest',
		operation: 'create',
		operationId: 'createApprovalRequest',
		parameters: { twofactorId: DEMO_ID, message: 'Yes?' },
	},
	{
		resource: 'approvalRequest',
		operation: 'get',
		operationId: 'getApprovalRequest',
		parameters: { uuid: '6f1c3f6e-9a55-4a0e-8f0b-2b6c4a7f7d10' },
	},
	{
		resource: 'phoneVerification',
		operation: 'start',
		operationId: 'startPhoneVerification',
		parameters: { phoneNumber: DEMO_PHONE },
	},
	{
		resource: 'phoneVerification',
		operation: 'check',
		operationId: 'checkPhoneVerification',
		parameters: { phoneNumber: DEMO_PHONE, code: '1234' },
	},
	{
		resource: 'application',
		operation: 'getDetails',
		operationId: 'getApplicationDetails',
		parameters: {},
	},
	{
		resource: 'application',
		operation: 'getStatistics',
		operationId: 'getApplicationStatistics',
		parameters: {},
	},
];

/** The codes of the service, with their status. */
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

/** Whether a code is a no about what somebody typed in, and so an answer of the operations that check it. */
export const isVerdict = (operation: string, code: string): boolean =>
	['verify', 'check'].includes(operation) && ['60019', '60020', '60022', '60023'].includes(code);
