import type { FieldProblems } from '../controlError';
import { RejectedRequest } from '../rejectedRequest';
import type { HandlerResponse, ErrorDetails, ErrorKind, Settings } from '../service';

/** 404 that names the missing record. */
export const notFound = (detail: string) =>
	new RejectedRequest(
		{ status: 404, body: { Message: 'The resource was not found.', MessageDetail: detail } },
		detail,
	);

/** 400 with the problems of each field. */
export function invalid(problems: FieldProblems): RejectedRequest {
	const count = Object.keys(problems).length;
	const body = {
		Message: 'The request is invalid.',
		MessageDetail: `${count} field${count === 1 ? ' is' : 's are'} not valid.`,
		ModelState: problems,
	};
	return new RejectedRequest(
		{ status: 400, body },
		Object.values(problems).flat().join(' '),
		problems,
	);
}

/** 409 with the reason why the record's current state does not allow the operation. */
export const conflict = (detail: string) =>
	new RejectedRequest({ status: 409, body: { Message: detail } }, detail);

const messages: Partial<Record<ErrorKind, string>> = {
	contract: 'The request is invalid.',
	'bad-json': 'The request is invalid.',
	internal: 'An error has occurred.',
	'rate-limit': 'Too many requests.',
};

/** Formats errors of the core as the service does. */
export function errorBody(
	status: number,
	kind: ErrorKind,
	message: string,
	{ violations = [], fields = [] }: ErrorDetails = {},
): HandlerResponse {
	const fixedMessage = messages[kind];
	if (!fixedMessage) return { status, body: { Message: message } };
	const problems: FieldProblems = {};
	for (const field of fields) {
		const name = field.split('.').at(-1)!;
		const fieldViolations = violations.filter((violation) => violation.includes(name));
		problems[field] = fieldViolations.length > 0 ? fieldViolations : violations;
	}
	const detail = fixedMessage.startsWith(message) ? {} : { MessageDetail: message };
	const modelState = fields.length > 0 ? { ModelState: problems } : {};
	return { status, body: { Message: fixedMessage, ...detail, ...modelState } };
}

function withTextIds<T>(record: T): T {
	const entries = Object.entries(record as object).map(([key, value]) =>
		key.endsWith('Id') && typeof value === 'number' ? [key, String(value)] : [key, value],
	);
	return Object.fromEntries(entries) as T;
}

/** Returns a record, with IDs in the form that the settings choose. */
export function createRecordResponse(settings: Settings, record: object): HandlerResponse {
	return { status: 200, body: settings.idsAs === 'string' ? withTextIds(record) : record };
}

/** Returns a record, or an array of one if the settings say so, as the service may do. */
export function createRecordOrArrayResponse(settings: Settings, record: object): HandlerResponse {
	const response = createRecordResponse(settings, record);
	return settings.singleAs === 'array' ? { ...response, body: [response.body] } : response;
}

/** Query parameters of every list. */
export interface PageQuery {
	page?: number;
	pageSize?: number;
}

/** Returns the records of one page. A page number below the first means the first. */
function slicePage<T>(settings: Settings, query: PageQuery, list: readonly T[]): T[] {
	const pageSize = query.pageSize ?? Number(settings.defaultPageSize);
	const firstPage = Number(settings.firstPage);
	const page =
		settings.paging === 'ignored' ? firstPage : Math.max(firstPage, query.page ?? firstPage);
	let start = (page - firstPage) * pageSize;
	if (settings.paging === 'repeatsLast' && start >= list.length) {
		start = Math.floor(Math.max(0, list.length - 1) / pageSize) * pageSize;
	}
	return list.slice(start, start + pageSize);
}

/** Returns one page of records; only these are converted to their final form. */
export function createPageResponse<T extends object>(
	settings: Settings,
	query: PageQuery,
	list: readonly T[],
	show: (record: T) => object = (record) => record,
): HandlerResponse {
	const body = slicePage(settings, query, list).map(show);
	return { status: 200, body: settings.idsAs === 'string' ? body.map(withTextIds) : body };
}

/**
 * Returns the records whose time is later than `after`, or all of them without it. Records of exactly that time are
 * excluded. Times have milliseconds, and several records may have the same one.
 */
export function filterNewer<T>(
	list: readonly T[],
	after: string | undefined,
	getTime: (record: T) => string,
): readonly T[] {
	if (after === undefined) return list;
	const afterTimestamp = new Date(after).toISOString();
	return list.filter((record) => getTime(record) > afterTimestamp);
}
