import type { IDataObject } from 'n8n-workflow';

import { isHtml, isPage } from '../engine/http/failures';
import type { Answer } from '../engine/http/types';
import { looksLikeToken, MAX_TOKEN_LENGTH } from '../engine/token/jwt';
import { isRecord } from '../engine/values/convert';
import { isAbsent } from './keyRecord';

/** The states of a scope job, in the words that we report. */
export const JOB_STATES = [
	'outstanding',
	'completed',
	'unverified',
	'cancelled',
	'timedOut',
	'gone',
] as const;

/** One of those words. */
export type JobState = (typeof JOB_STATES)[number];

/**
 * What an answer says about a job: its state, and what it brings as a token or as unsigned claims. Nothing of that is checked:
 * `completed` means that the service says so, and `unverified` that nobody can tell what it says.
 */
export interface JobReading {
	state: JobState;
	token?: string;
	claims?: IDataObject;
	/** What else the service says about a job without a result. */
	rest?: IDataObject;
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

/** The state that a word of the service stands for, whatever its case and punctuation. */
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

/** The token that a body is or holds. Claims can hold tokens of their own, so there only `token` counts. */
export function findToken(body: unknown): string | undefined {
	const value = unwrapSingle(body);
	if (!isRecord(value)) return asToken(value);
	const named = asToken(value.token) ?? asToken(value.jwt);
	if (named !== undefined || isClaims(value)) return named;
	for (const nested of Object.values(value)) {
		const token = asToken(nested) ?? (isRecord(nested) ? asToken(nested.token) : undefined);
		if (token !== undefined) return token;
	}
	return undefined;
}

/** Whether a text is meant as a token, though it may have more parts, no algorithm or other letters than one may have. */
function hasTokenHeader(text: string): boolean {
	const [head = ''] = text.split('.', 1);
	if (head.length > MAX_TOKEN_LENGTH || text.split('.', 3).length < 3) return false;
	try {
		return isRecord(JSON.parse(Buffer.from(head, 'base64url').toString('utf8')));
	} catch {
		return false;
	}
}

/** What a body gives as a token and that is none: whoever checks it will say why. */
function findMalformedToken(value: unknown, isCompleted: boolean): string | undefined {
	if (typeof value === 'string') return hasTokenHeader(value) ? value.trim() : undefined;
	const given = isRecord(value) ? (value.token ?? value.jwt ?? undefined) : undefined;
	if (given === undefined || (given === '' && !isCompleted)) return undefined;
	return typeof given === 'string' ? given : JSON.stringify(given);
}

/**
 * Whether an answer to a question about a job can be read although it is no JSON or no success: a token, a status in plain
 * text, or that the job is gone. Any other text is damaged, or comes from elsewhere.
 */
export const isJobAnswer = (answer: Answer): boolean =>
	isAbsent(answer) ||
	(isSuccess(answer) &&
		typeof unwrapSingle(answer.body) === 'string' &&
		readJob(answer).state !== 'unverified');

/** Whether an answer cannot be read, yet is no web page: the result of one job may look so. */
export const isUnrecognizedAnswer = (answer: Answer): boolean =>
	isSuccess(answer) && !isPage(answer) && !isHtml(answer) && readJob(answer).state === 'unverified';

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

/**
 * Reads the state of a job from any form that the service may use. Never calls a job finished without a word, a result or
 * a 404 or 410 that says so: an object that is not understood is outstanding.
 */
export function readJob({ status, body }: Answer): JobReading {
	if (status === 404 || status === 410) return { state: 'gone' };
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
	return { state: reportedState ?? (isRecord(value) ? 'outstanding' : 'unverified'), rest };
}

/** Whether a job is said to be finished, without any result: that may come a moment later. */
export const lacksResult = ({ state, token, claims }: JobReading): boolean =>
	state === 'completed' && token === undefined && claims === undefined;

/** Names that stand for something checked in our output: the service's own fields must not pass for it. */
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

/** What else the service says. */
export const withoutReservedFields = (value: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(value).filter(([name]) => !RESERVED_FIELDS.includes(name)));
