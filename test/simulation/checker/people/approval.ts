import type { ChosenPolicy, History } from '../../history';
import { readExecutions } from '../executionRecords';
import type { ExecutionRecord } from '../executionRecords';
import { eventsOf } from '../verdict';
import type { EventOf } from '../verdict';

/** A level as it applies: without the requester, with the number of approvals. */
interface AppliedLevel {
	name: string;
	people: string[];
	deputies: string[];
	needed: number;
	deputiesAfterMs?: number;
}

/** A request that a person got. */
export interface AskedRequest {
	id: string;
	person: string;
	at: number;
	expiresInMs: number;
	/** Whether the process that sent it got the response, so that its ID is known. */
	isKnown: boolean;
	/** The answer of the person who was asked. */
	decision?: { outcome: string; at: number };
	/** When another person answered, which counts for nothing. */
	answeredByAnotherAt?: number;
	reads: Reading[];
}

/** A request that reads an approval request. */
interface Reading {
	request: number;
	/** When the service carried it out, if it did. */
	executedAt?: number;
	respondedAt?: number;
	fault?: string;
}

/** Everything that a history says about one item that several people decide. */
export interface Approval {
	question: string;
	policy: ChosenPolicy;
	levels: AppliedLevel[];
	execution: ExecutionRecord;
	/** Position of the item in its execution. */
	index: number;
	/** All requests, in the order in which the people got them. */
	requests: AskedRequest[];
	/** Attempts to ask, with those that failed, of all items of the history. */
	attempts: Attempt[];
	/** Questions whether a person has the app. The node asks them before the first request to the person. */
	appReads: AppRead[];
	/** When the service first asked to wait with further requests. */
	rateLimitedAt: number;
}

interface AppRead {
	person: string;
	at: number;
}

interface Attempt {
	request: number;
	person: string;
	at: number;
	hasFailed: boolean;
}

/** Returns the items of the executions that have started. */
export function readApprovals(history: History): Approval[] {
	const policies = new Map(
		eventsOf(history, 'policyChosen').map(({ question, policy }) => [question, policy]),
	);
	const readings = readReadings(history);
	const attempts = readAttempts(history);
	const appReads = eventsOf(history, 'requested').flatMap(({ path, at }) => {
		const person = /\/users\/(\d+)\/status/.exec(path)?.[1];
		return person === undefined ? [] : [{ person, at }];
	});
	const known = readKnownIds(history);
	const limited = eventsOf(history, 'responded').find(({ status }) => status === 429);
	const rateLimitedAt = limited?.at ?? Infinity;
	return readExecutions(history).flatMap((execution) =>
		execution.items.flatMap(({ question }, index) => {
			const policy = policies.get(String(question));
			if (!policy) return [];
			const requests = eventsOf(history, 'asked')
				.filter((asked) => asked.question === question)
				.map(({ id, at, person = '', expiresInMs = Infinity }) => ({
					id,
					person,
					at,
					expiresInMs,
					isKnown: known.has(id),
					...answersOf(history, id, person),
					reads: readings.get(id) ?? [],
				}));
			const levels = policy.levels.map((level) => applyLevel(level, policy.requester));
			const item = { question: String(question), policy, levels, execution, index };
			return [{ ...item, requests, attempts, appReads, rateLimitedAt }];
		}),
	);
}

function applyLevel(
	{ people, deputies, needed, ...level }: ChosenPolicy['levels'][number],
	requester: string | undefined,
): AppliedLevel {
	const left = people.filter((person) => person !== requester);
	const count = needed === 'all' ? left.length : needed === 'any' ? 1 : needed;
	return {
		...level,
		people: left,
		deputies: deputies.filter((person) => person !== requester),
		needed: count,
	};
}

function answersOf(
	history: History,
	id: string,
	person: string,
): Pick<AskedRequest, 'decision' | 'answeredByAnotherAt'> {
	const decided = eventsOf(history, 'decided').find((event) => event.id === id);
	if (!decided) return {};
	if (decided.person !== undefined && decided.person !== person && decided.outcome !== 'expired')
		return { answeredByAnotherAt: decided.at };
	return { decision: decided };
}

/** Returns the requests that read an approval request, by its ID. */
function readReadings(history: History): Map<string, Reading[]> {
	const byRequest = new Map<number, Reading>();
	const byId = new Map<string, Reading[]>();
	for (const event of history) {
		if (event.type === 'requested' && event.method === 'GET') {
			const id = event.path.split(/[/?]/).at(-1)!;
			const reading: Reading = { request: event.request };
			byRequest.set(event.request, reading);
			byId.set(id, [...(byId.get(id) ?? []), reading]);
		}
		if (event.type === 'executed') {
			const reading = byRequest.get(event.request);
			if (reading) reading.executedAt = event.at;
		}
		if (event.type === 'responded') {
			const reading = byRequest.get(event.request);
			if (reading) Object.assign(reading, { respondedAt: event.at, fault: event.fault });
		}
	}
	return byId;
}

/** A rejected key ends the attempt at the question whether the person has the app. */
function readAttempts(history: History): Attempt[] {
	const responses = new Map(eventsOf(history, 'responded').map((event) => [event.request, event]));
	return eventsOf(history, 'requested').flatMap(({ request, method, path, at }) => {
		const [, person, read] = /\/users\/(\d+)\/(approval_requests|status)/.exec(path) ?? [];
		const response = responses.get(request);
		const isAttempt = method === 'POST' || (read === 'status' && response?.status === 401);
		if (!isAttempt || person === undefined) return [];
		const { fault, status = 0 } = response ?? {};
		const hasFailed = !response || status >= 400 || (fault !== undefined && fault !== 'delayed');
		return [{ request, person, at, hasFailed }];
	});
}

/** Returns the IDs that a process learned from the response to its request. */
function readKnownIds(history: History): Set<string> {
	const arrived = new Set(
		eventsOf(history, 'responded')
			.filter(({ fault }) => fault === undefined || fault === 'delayed')
			.map(({ request }) => request),
	);
	const idOf = ({ body }: EventOf<'executed'>) =>
		(body as { approval_request?: { uuid?: string } } | null)?.approval_request?.uuid;
	return new Set(
		eventsOf(history, 'executed')
			.filter(({ request }) => arrived.has(request))
			.flatMap((event) => idOf(event) ?? []),
	);
}

/** Returns the index of the level in which a person may decide; -1 if in none. */
export const levelOf = ({ levels }: Approval, person: string): number =>
	levels.findIndex(({ people, deputies }) => [...people, ...deputies].includes(person));

/** Returns the requests to the people of a level. */
export const requestsOf = (approval: Approval, level: number): AskedRequest[] =>
	approval.requests.filter(({ person }) => levelOf(approval, person) === level);

/** Returns when the first request of a level was sent, if one was. */
export const levelStart = (approval: Approval, level: number): number | undefined =>
	requestsOf(approval, level)[0]?.at;

/** Returns the people of a level who have given an answer by a time, each with the time of the first one. */
export function answersBy(
	approval: Approval,
	level: number,
	outcome: 'approved' | 'denied',
	before: number,
): Map<string, number> {
	const answers = new Map<string, number>();
	for (const { person, decision } of requestsOf(approval, level))
		if (decision?.outcome === outcome && decision.at <= before)
			answers.set(person, Math.min(decision.at, answers.get(person) ?? Infinity));
	return answers;
}

/** Whether the last complete reading of a request before a time shows the person's answer. */
export function wasAnswerRead({ decision, reads, isKnown }: AskedRequest, before: number): boolean {
	const last = reads.findLast(({ respondedAt = Infinity }) => respondedAt <= before);
	if (!decision || !isKnown || last?.executedAt === undefined || last.fault !== undefined)
		return false;
	return last.executedAt > decision.at;
}

/** Returns the people of a level whose answer was read by a time. */
export const readAnswersBy = (
	approval: Approval,
	level: number,
	outcome: 'approved' | 'denied',
	before: number,
): Set<string> =>
	new Set(
		requestsOf(approval, level)
			.filter((request) => request.decision?.outcome === outcome && wasAnswerRead(request, before))
			.map(({ person }) => person),
	);

/** Returns when the first request of a level may have been about to be sent. After a 429 it waits before it leaves the process. */
export function firstAttempt(approval: Approval, index: number, before: number): number {
	const from = levelStart(approval, index - 1) ?? approval.execution.startedAt;
	const { people = [] } = approval.levels[index] ?? {};
	const times = [...approval.appReads, ...approval.attempts]
		.filter(({ person, at }) => people.includes(person) && at >= from)
		.map(({ at }) => at);
	const first = Math.min(...times, before);
	return approval.rateLimitedAt <= first ? from : first;
}
