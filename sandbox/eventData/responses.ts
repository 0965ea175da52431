import { RejectedRequest } from '../rejectedRequest';
import type { HandlerResponse, ErrorDetails, ErrorKind, Settings } from '../service';

/** A problem with one field. */
export interface FieldProblem {
	field: string;
	message: string;
}

/** 404 that names the missing record. */
export function notFound(recordKind: string, id: string): RejectedRequest {
	const message = `${recordKind} ${id} was not found`;
	return new RejectedRequest({ status: 404, body: { error: 'not_found', message } }, message);
}

/** 422: well-formed, but impossible. */
export const unprocessable = (message: string, details: FieldProblem[]): RejectedRequest =>
	new RejectedRequest(
		{ status: 422, body: { error: 'unprocessable', message, details } },
		`${message}: ${details.map((detail) => `${detail.field} ${detail.message}`).join('; ')}`,
		Object.fromEntries(details.map((detail) => [detail.field, [detail.message]])),
	);

const errorNames: Record<ErrorKind, string> = {
	'bad-json': 'bad_request',
	contract: 'bad_request',
	'media-type': 'unsupported_media_type',
	'too-large': 'payload_too_large',
	'unknown-route': 'not_found',
	method: 'method_not_allowed',
	'rate-limit': 'too_many_requests',
	unavailable: 'service_unavailable',
	internal: 'internal_error',
};

/** Formats errors of the core as the service does. */
export function errorBody(
	status: number,
	kind: ErrorKind,
	message: string,
	{ violations = [], fields = [] }: ErrorDetails = {},
): HandlerResponse {
	const details = violations.map((violation) => {
		const field = fields.find((name) => violation.includes(name.split('.').at(-1)!));
		return { ...(field && { field }), message: violation };
	});
	return {
		status,
		body: { error: errorNames[kind], message, ...(details.length > 0 && { details }) },
	};
}

/** Returns a whole list, bare or wrapped as the settings say; the documented form is bare. */
export function createWholeListResponse(
	settings: Settings,
	list: readonly object[],
): HandlerResponse {
	if (settings.lists !== 'wrapped') return { status: 200, body: list };
	const pagination = { page: 1, limit: list.length, total: list.length };
	return { status: 200, body: { data: list, pagination } };
}

/** Returns one page of a list, wrapped unless the settings say bare. */
export function createPagedListResponse(
	settings: Settings,
	page: number,
	list: readonly object[],
): HandlerResponse {
	const limit = Number(settings.pageLimit);
	const data = list.slice((page - 1) * limit, page * limit);
	if (settings.lists === 'bare') return { status: 200, body: data };
	return { status: 200, body: { data, pagination: { page, limit, total: list.length } } };
}
