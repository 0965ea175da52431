import type { IDataObject } from 'n8n-workflow';

import { looksLikeToken } from '../engine/jwt';
import type { Answer } from '../engine/request';
import { isAbsent } from './keyRecord';

/** The states of a scope job, in the words that we report. */
export const JOB_STATES = ['outstanding', 'completed', 'cancelled', 'timedOut', 'gone'] as const;

/** One of those words. */
export type JobState = (typeof JOB_STATES)[number];

/** What an answer says about a job: its state, and the token or the unsigned claims that it brings. */
export interface JobReading {
	state: JobState;
	token?: string;
	claims?: IDataObject;
	/** What else the service says about a job without a result. */
	rest?: IDataObject;
}

const WORDS: Record<string, JobState> = {
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
function meaning(word: unknown): JobState | undefined {
	if (typeof word !== 'string' || word.length > 64) return undefined;
	const letters = word.toLowerCase().replace(/[^a-z]/g, '');
	return Object.hasOwn(WORDS, letters) ? WORDS[letters] : undefined;
}

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isClaims = (value: IDataObject) => typeof value.sub === 'string' && value.sub !== '';

const asToken = (value: unknown): string | undefined => {
	const text = typeof value === 'string' ? value.trim() : undefined;
	return looksLikeToken(text) ? text : undefined;
};

/** The token that a body is or holds. Claims can hold tokens of their own, so there only `token` counts. */
export function tokenIn(body: unknown): string | undefined {
	const value: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (!isObject(value)) return asToken(value);
	const named = asToken(value.token) ?? asToken(value.jwt);
	if (named !== undefined || isClaims(value)) return named;
	for (const held of Object.values(value)) {
		const token = asToken(held) ?? (isObject(held) ? asToken(held.token) : undefined);
		if (token !== undefined) return token;
	}
	return undefined;
}

/**
 * Whether an answer to a question about a job can be read although it is no JSON or no success: a token, a status in plain
 * text, or that the job is gone. Any other text is damaged, or comes from elsewhere.
 */
export const isJobAnswer = (answer: Answer): boolean =>
	isAbsent(answer) ||
	(answer.status < 300 &&
		typeof answer.body === 'string' &&
		(asToken(answer.body) !== undefined || meaning(answer.body) !== undefined));

/**
 * Reads the state of a job from any form that the service may use. Never calls a job finished without a word, a result or
 * a 404 or 410 that says so: what is not understood is outstanding.
 */
export function readJob(answer: Answer): JobReading {
	const { status, body } = answer;
	if (status === 404 || status === 410) return { state: 'gone' };
	if (status < 200 || status >= 300 || status === 204) return { state: 'outstanding' };
	const value: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	const said = meaning(isObject(value) ? value.status : value);
	const rest = isObject(value) ? restOf(value) : undefined;
	if (said !== undefined && said !== 'completed') return { state: said, rest };
	const token = tokenIn(value);
	if (token !== undefined) return { state: 'completed', token };
	if (isObject(value) && isClaims(value)) return { state: 'completed', claims: value };
	return { state: said ?? 'outstanding', rest };
}

/** Names that stand for something checked in our output: the service's own fields must not pass for it. */
const OURS = ['job', 'state', 'outcome', 'verified', 'subjectChecked', 'claims', 'token', 'key'];

/** What else the service says. */
export const restOf = (value: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(value).filter(([name]) => !OURS.includes(name)));
