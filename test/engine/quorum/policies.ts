import type {
	RequestKey,
	ApprovalLevel,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
	RequestStatus,
} from '../../../nodes/engine/quorum/types';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** When the levels of these tests begin. */
export const START = Date.parse('2026-03-02T09:00:00Z');

/** A level of three people, of whom two must approve, without deputies. */
export const twoOfThree: ApprovalLevel = {
	name: 'Finance',
	people: ['1', '2', '3'],
	needed: 2,
	deputies: [],
};

/** Returns a policy whose requests expire after a day. One denial ends a level unless `overrides` say otherwise. */
export const buildPolicy = (
	levels: ApprovalLevel[],
	overrides: Partial<ApprovalPolicy> = {},
): ApprovalPolicy => ({
	levels,
	oneDenialEnds: true,
	expiresAfterMs: 24 * HOUR,
	...overrides,
});

/** Returns a request of the first level, sent at its start. */
export const requestTo = (
	person: string,
	status: RequestStatus,
	overrides: Partial<PersonRequest> = {},
): PersonRequest => ({
	level: 0,
	person,
	reminder: false,
	status,
	expiresAt: START + 24 * HOUR,
	...overrides,
});

/** Returns the progress of the first level with a request to each person in `statuses`. */
export const progressWith = (
	statuses: Record<string, RequestStatus>,
	...otherRequests: PersonRequest[]
): QuorumProgress => ({
	level: 0,
	levelStartedAt: START,
	requests: [
		...Object.entries(statuses).map(([person, status]) => requestTo(person, status)),
		...otherRequests,
	],
});

/** The first requests to these people, as a decision plans them. */
export const firstRequests = (...people: string[]): RequestKey[] =>
	people.map((person) => ({ person, reminder: false }));
/** Reminders to these people, as a decision plans them. */
export const reminders = (...people: string[]): RequestKey[] =>
	people.map((person) => ({ person, reminder: true }));

/** One minute after the start of the first level. */
export const SOON = START + MINUTE;
/** The decision to wait until a time. */
export const waitUntil = (time: number) => ({ kind: 'wait', until: time });
/** The decision to wait for answers: ten minutes after their expiry, requests that are still pending count as expired. */
export const WAIT_FOR_ANSWERS = waitUntil(START + 24 * HOUR + 10 * MINUTE);
/** The decision that a level ended like this. */
export const end = (outcome: string, level = 0) => ({ kind: 'end', outcome, level });
/** The part of a decision that names the deciding request. */
export const decidedBy = (person: string, reminder = false) => ({ by: { person, reminder } });
