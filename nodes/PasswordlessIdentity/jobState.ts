import type { IDataObject } from 'n8n-workflow';

import { isHtml, isWebPage } from '../engine/http/failures';
import { isNotFound } from '../engine/http/statuses';
import type { ServiceResponse } from '../engine/http/types';
import { looksLikeToken, MAX_TOKEN_LENGTH } from '../engine/token/jwt';
import { shorten } from '../engine/values/convert';
import { isRecord } from '../engine/values/isRecord';
import { isBlank } from '../engine/values/texts';
import { statesJobAbsence } from './absence';

/** States of a scope job, as a response reports them. The node outputs all of them except `unrecognized` and `unstated`. */
export const JOB_STATES = [
	'outstanding',
	'completed',
	'unrecognized',
	// A 404 or 410 that is not the issuer's own statement about the job.
	'unstated',
	'cancelled',
	'timedOut',
	'gone',
] as const;

type JobState = (typeof JOB_STATES)[number];

/**
 * State of a job as one response reports it, with its token or its unsigned claims. Nothing here is verified: `completed` means
 * that the service says so.
 */
export interface JobReading {
	state: JobState;
	token?: string;
	claims?: IDataObject;
	/** Other fields of the response, for a job without a result. */
	rest?: IDataObject;
	/** Says that the service reports an unknown status, so that the job only counts as outstanding. */
	trouble?: string;
}

const STATE_BY_STATUS: Record<string, JobState> = {
	waiting: 'outstanding',
	pending: 'outstanding',
	outstanding: 'outstanding',
	confirmed: 'outstanding',
	completed: 'completed',
	complete: 'completed',
	done: 'completed',
	finished: 'completed',
	ready: 'completed',
	cancelled: 'cancelled',
	canceled: 'cancelled',
	deleted: 'cancelled',
	denied: 'cancelled',
	rejected: 'cancelled',
	declined: 'cancelled',
	expired: 'timedOut',
	timeout: 'timedOut',
	timedout: 'timedOut',
};

/** Maps a status of the service to a state, ignoring case and punctuation. */
function readStatus(word: unknown): JobState | undefined {
	if (typeof word !== 'string' || word.length > 64) return undefined;
	const letters = word.toLowerCase().replace(/[^a-z]/g, '');
	return Object.hasOwn(STATE_BY_STATUS, letters) ? STATE_BY_STATUS[letters] : undefined;
}

const isClaims = ({ sub }: IDataObject) => sub !== undefined && sub !== null && sub !== '';

const asToken = (value: unknown): string | undefined => {
	const text = typeof value === 'string' ? value.trim() : undefined;
	return looksLikeToken(text) ? text : undefined;
};

const unwrapSingle = (body: unknown): unknown =>
	Array.isArray(body) && body.length === 1 ? body[0] : body;

/**
 * Returns the token that a body is or contains. A claims set may contain other tokens as claims, so only its members `token`
 * and `jwt` count.
 */
export function findToken(body: unknown): string | undefined {
	const value = unwrapSingle(body);
	if (!isRecord(value)) return asToken(value);
	const namedToken = asToken(value.token) ?? asToken(value.jwt);
	if (namedToken !== undefined || isClaims(value)) return namedToken;
	for (const nested of Object.values(value)) {
		const token = asToken(nested) ?? (isRecord(nested) ? asToken(nested.token) : undefined);
		if (token !== undefined) return token;
	}
	return undefined;
}

/**
 * Whether a text starts with a JSON header like a token. It may still be malformed: too many parts, no algorithm or characters
 * outside base64url.
 */
function hasTokenHeader(text: string): boolean {
	const [head = ''] = text.split('.', 1);
	if (head.length > MAX_TOKEN_LENGTH || text.split('.', 3).length < 3) return false;
	try {
		return isRecord(JSON.parse(Buffer.from(head, 'base64url').toString('utf8')));
	} catch {
		return false;
	}
}

/** Returns the malformed token in a body, so that verification rejects it with the reason. */
function findMalformedToken(value: unknown, isCompleted: boolean): string | undefined {
	if (typeof value === 'string') return hasTokenHeader(value) ? value.trim() : undefined;
	const token = isRecord(value) ? (value.token ?? value.jwt ?? undefined) : undefined;
	if (token === undefined || (token === '' && !isCompleted)) return undefined;
	return typeof token === 'string' ? token : JSON.stringify(token);
}

/**
 * Whether a response about a job is valid although it is not JSON or not a success: a token, a status in plain text, or the
 * issuer's statement that it does not know the job. Any other text is truncated or comes from another server.
 */
export const isJobResponse = (response: ServiceResponse): boolean =>
	statesJobAbsence(response) ||
	(isSuccess(response) &&
		typeof unwrapSingle(response.body) === 'string' &&
		readJob(response).state !== 'unrecognized');

/**
 * Whether a response that is not a web page leaves the state of the job open: an unrecognized success, or a 404 or 410 that is
 * not the issuer's own statement. The problem may concern this job only.
 */
export const leavesStateOpen = (response: ServiceResponse): boolean =>
	!isWebPage(response) &&
	!isHtml(response) &&
	['unrecognized', 'unstated'].includes(readJob(response).state);

const isSuccess = ({ status }: ServiceResponse) => status >= 200 && status < 300;

/**
 * Reads the state of a job from any form that services use. A job counts as finished only with a status, a result, or the
 * issuer's statement that it does not know the job. An object without a known status means outstanding; an unknown text, or any
 * other value, means unrecognized.
 */
export function readJob(response: ServiceResponse): JobReading {
	const { status, body } = response;
	if (isNotFound(response)) return { state: statesJobAbsence(response) ? 'gone' : 'unstated' };
	const isEmpty = status === 204 || body === undefined;
	if (status < 200 || status >= 300 || isEmpty) return { state: 'outstanding' };
	const value = unwrapSingle(body);
	const reportedState = readStatus(isRecord(value) ? value.status : value);
	const rest = isRecord(value) ? withoutReservedFields(value) : undefined;
	if (reportedState !== undefined && reportedState !== 'completed') {
		return { state: reportedState, rest };
	}
	const token = findToken(value) ?? findMalformedToken(value, reportedState === 'completed');
	if (token !== undefined) return { state: 'completed', token };
	const claims = isRecord(value) && [value, value.claims].filter(isRecord).find(isClaims);
	if (claims) return { state: 'completed', claims };
	if (reportedState !== undefined || !isRecord(value))
		return { state: reportedState ?? 'unrecognized', rest };
	const { status: word } = value;
	const trouble = isBlank(word) ? undefined : unknownStatusMessage(word);
	return { state: 'outstanding', rest, ...(trouble !== undefined && { trouble }) };
}

const unknownStatusMessage = (word: unknown) =>
	`The identity issuer reports the unknown status "${shorten(word)}", which counts as outstanding`;

/** Returns what identifies a body as the result of a job: its token, or the subject of its claims. */
export const identifyResult = (body: IDataObject): unknown => findToken(body) ?? body.sub;

/** Whether the service reports a job as completed without a result, which may follow a moment later. */
export const lacksResult = ({ state, token, claims }: JobReading): boolean =>
	state === 'completed' && token === undefined && claims === undefined;

/** Output fields of the node, some of which mean "verified". A field of the service must not replace them. */
const RESERVED_FIELDS = [
	'id',
	'job',
	'state',
	'outcome',
	'verified',
	'subject',
	'subjectChecked',
	'claims',
	'unverifiedClaims',
	'token',
	'key',
];

export const withoutReservedFields = (value: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(value).filter(([name]) => !RESERVED_FIELDS.includes(name)));
