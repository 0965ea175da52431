import type { HandlerResponse, ServiceRequest, ErrorDetails, ErrorKind, Handler } from '../service';

const titles = {
	'bad-request': 'Bad request',
	'auth-error': 'Authentication error',
	'aud-error': 'Audience error',
	'unknown-key': 'Unknown key',
	'revoked-key': 'Revoked key',
	'duplicate-key': 'Duplicate key',
	'duplicate-hash': 'Duplicate hash',
	'unknown-job': 'Unknown job',
	'expired-job': 'Expired job',
	'confirm-first': 'Confirm first',
	'finished-job': 'Finished job',
	'wrong-method': 'Method not allowed',
	'rate-limit': 'Rate limit',
	'media-type': 'Unsupported media type',
	'too-large': 'Body too large',
	'unknown-path': 'Unknown path',
	unavailable: 'Service unavailable',
	'server-error': 'Server error',
};

/** The label at the end of an error's `type`. */
export type ProblemLabel = keyof typeof titles;

/** Returns an error in the service's format. */
export function createProblemResponse(
	status: number,
	label: ProblemLabel,
	detail: string,
): HandlerResponse {
	return {
		status,
		body: {
			error: status,
			type: `https://identity.example/problems/${label}`,
			title: titles[label],
			detail,
		},
	};
}

/** An error that handlers throw and the service sends in its own format. */
export class ProblemError extends Error {
	readonly response: HandlerResponse;

	constructor(
		status: number,
		label: ProblemLabel,
		detail: string,
		headers?: Record<string, string>,
	) {
		super(detail);
		this.response = { ...createProblemResponse(status, label, detail), headers };
	}
}

/** Wraps a handler to respond with a thrown ProblemError. */
export function respondToProblems(handler: Handler): Handler {
	return async (request: ServiceRequest) => {
		try {
			return await handler(request);
		} catch (error) {
			if (error instanceof ProblemError) return error.response;
			throw error;
		}
	};
}

const labelByKind: Record<ErrorKind, ProblemLabel> = {
	'bad-json': 'bad-request',
	contract: 'bad-request',
	'media-type': 'media-type',
	'too-large': 'too-large',
	'unknown-route': 'unknown-path',
	method: 'wrong-method',
	'rate-limit': 'rate-limit',
	unavailable: 'unavailable',
	internal: 'server-error',
};

/** Formats errors of the core as the service does. A POST of a token that requires a PUT is a 405. */
export function errorBody(
	status: number,
	kind: ErrorKind,
	message: string,
	details: ErrorDetails = {},
): HandlerResponse {
	const { operationId, contentType } = details;
	if (
		kind === 'media-type' &&
		operationId === 'confirmScopeJob' &&
		contentType === 'application/jwt'
	) {
		return createProblemResponse(405, 'wrong-method', 'A signed token is sent with PUT.');
	}
	return createProblemResponse(status, labelByKind[kind], message);
}
