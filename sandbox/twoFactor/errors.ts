import type { HandlerResponse, ErrorDetails, ErrorKind } from '../service';

/** Every error of the service: its HTTP status and message. */
const errorDefinitions = {
	'60000': [500, 'Something went wrong'],
	'60001': [401, 'Invalid API key'],
	'60003': [429, 'Too many requests'],
	'60004': [400, 'A parameter is missing or bad'],
	'60019': [401, 'Token is invalid. Token was used recently'],
	'60020': [401, 'Token is invalid'],
	'60022': [401, 'Verification code is incorrect'],
	'60023': [404, 'No pending verifications for this phone number found.'],
	'60026': [404, 'User not found.'],
	'60027': [400, 'User was not valid'],
	'60033': [400, 'Phone number is invalid'],
	'60049': [404, 'Approval request not found'],
	'60060': [503, 'Account is suspended'],
	'60065': [403, 'Push approvals are not enabled for this application'],
	'60082': [403, 'Phone number is a landline, a text message cannot be sent'],
	'60083': [403, 'Phone number is not provisioned with any carrier'],
} as const;

export type ErrorCode = keyof typeof errorDefinitions;

/** An error that handlers throw and the service sends in its own format. */
export class TwoFactorError extends Error {
	constructor(
		readonly code: ErrorCode,
		readonly errors: Record<string, string> = {},
	) {
		super(errorDefinitions[code][1]);
	}
}

/** Returns an error in the service's format; by default with the status and message of its code. */
export function createErrorResponse(
	code: ErrorCode,
	details: { status?: number; message?: string; errors?: Record<string, string> } = {},
): HandlerResponse {
	const {
		status = errorDefinitions[code][0],
		message = errorDefinitions[code][1],
		errors,
	} = details;
	const tokenProblem = code === '60019' || code === '60020' ? { token: 'is invalid' } : {};
	return {
		status,
		body: {
			message,
			...tokenProblem,
			success: false,
			errors: { ...errors, message },
			error_code: code,
		},
	};
}

const codeByKind: Record<ErrorKind, ErrorCode> = {
	'bad-json': '60004',
	contract: '60004',
	'media-type': '60004',
	'too-large': '60004',
	'unknown-route': '60000',
	method: '60000',
	'rate-limit': '60003',
	// 60060 also has status 503, but it is permanent; this error is temporary.
	unavailable: '60000',
	internal: '60000',
};

/** Formats errors of the core as the service does. */
export function errorBody(
	status: number,
	kind: ErrorKind,
	message: string,
	{ operationId, violations = [], fields = [] }: ErrorDetails = {},
): HandlerResponse {
	if (kind !== 'contract') return createErrorResponse(codeByKind[kind], { status, message });
	const errors = Object.fromEntries(
		fields.map((field) => {
			const name = field.split('.').at(-1)!;
			const isMissing = violations.some((violation) =>
				violation.endsWith(`required property '${name}'`),
			);
			return [name, isMissing ? 'is missing' : 'is invalid'];
		}),
	);
	if (operationId === 'enrollUser') return createErrorResponse('60027', { errors });
	if (errors.phone_number === 'is invalid') return createErrorResponse('60033', { errors });
	return createErrorResponse('60004', { message, errors });
}
