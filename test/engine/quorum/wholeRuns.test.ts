import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import type {
	QuorumDecision,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
} from '../../../nodes/engine/quorum/types';
import { resolvePolicy } from '../../../nodes/TwoFactor/approvalRequest/severalPeople/resolvePolicy';
import { scaleRunCount } from '../../support/scaleRunCount';
import { decideByTable } from './decideByTable';
import { HOUR, MINUTE, START } from './policies';

// Whole runs, from the first request to the end: people answer early, late, twice and in contradiction, polls fail or are
// repeated, and the clock jumps.

const REQUESTER = '100';
/** Random polls of a run; after these, all polls succeed, in steps of ten minutes. */
const MAX_POLLS = 25;
const MAX_STEPS = 600;

const levels = fc
	.array(
		fc.record({
			people: fc.integer({ min: 1, max: 4 }),
			withRequester: fc.boolean(),
			needed: fc.constantFrom('all', 'any', 'number'),
			number: fc.integer({ min: 1, max: 4 }),
			deputies: fc.integer({ min: 0, max: 2 }),
			/** Time for deputies, as a part of the time that a request has. */
			deputiesPart: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
			skipIf: fc.constantFrom(false, false, true, 'true'),
		}),
		{ minLength: 1, maxLength: 3 },
	)
	.map((sizes) => {
		let id = 101;
		const ids = (count: number) => Array.from({ length: count }, () => `${id++}`);
		return sizes.map(({ people, withRequester, number, deputies, deputiesPart, ...level }) => ({
			...level,
			people: [...ids(people), ...(withRequester ? [REQUESTER] : [])],
			neededNumber: Math.min(number, people),
			deputies: ids(deputies),
			deputiesPart,
		}));
	});

const policies: fc.Arbitrary<ApprovalPolicy> = fc
	.record({
		rows: levels,
		oneDenialEnds: fc.boolean(),
		expiresAfterMs: fc.integer({ min: 5 * MINUTE, max: 3 * HOUR }),
		limitMs: fc.option(fc.integer({ min: 5 * MINUTE, max: 5 * HOUR }), { nil: undefined }),
		remindPart: fc.option(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { nil: undefined }),
	})
	.filter(({ rows }) => rows.some(({ skipIf }) => skipIf !== true))
	.map(({ rows, remindPart, ...rest }) => {
		const endMs = Math.min(rest.expiresAfterMs, rest.limitMs ?? Infinity);
		const level = rows.map(({ deputiesPart, ...row }) => ({
			...row,
			deputiesAfter: (deputiesPart * endMs) / MINUTE,
			deputiesAfterUnit: 'minutes',
		}));
		const remindAfterMs = remindPart === undefined ? undefined : remindPart * endMs;
		const settings = {
			levels: { level },
			requester: REQUESTER,
			neverExpires: false,
			remindAfterMs,
		};
		return resolvePolicy({ ...settings, ...rest }, START).policy;
	});

/** The reaction of a person to one request. */
interface Reaction {
	status: 'approved' | 'denied' | 'gone' | 'none';
	afterMs: number;
}
const reaction: fc.Arbitrary<Reaction> = fc.record({
	status: fc.constantFrom('approved', 'approved', 'approved', 'denied', 'gone', 'none'),
	afterMs: fc.integer({ min: 0, max: 4 * HOUR }),
});

interface Poll {
	passedMs: number;
	/** By how much the wall clock is set forward or back. */
	jumpMs: number;
	/** Requests that cannot be read, by their position, and how. */
	unread: Array<'unread' | 'credentialRejected' | undefined>;
	/** Requests that cannot be sent. */
	unsent: Array<'failed' | 'unclear' | undefined>;
}
/** For each of five requests: mostly undefined, seldom one of these. */
const seldom = <T>(...values: T[]) => {
	const usual = Array.from({ length: 12 }, () => undefined);
	return fc.array(fc.constantFrom<T | undefined>(...usual, ...values), {
		minLength: 5,
		maxLength: 5,
	});
};
const poll: fc.Arbitrary<Poll> = fc.record({
	// No time at all: the same poll, repeated.
	passedMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 * MINUTE })),
	jumpMs: fc.constantFrom(0, 0, 0, 0, 0, 0, HOUR, -HOUR),
	unread: seldom('unread' as const, 'credentialRejected' as const),
	unsent: seldom('failed' as const, 'unclear' as const),
});
const LATER: Poll = { passedMs: 10 * MINUTE, jumpMs: 0, unread: [], unsent: [] };

interface Script {
	policy: ApprovalPolicy;
	reactions: Reaction[];
	polls: Poll[];
	/** Whether the service reports that requests have expired. */
	reportsExpiry: boolean;
}
const scripts: fc.Arbitrary<Script> = fc.record({
	policy: policies,
	reactions: fc.array(reaction, { minLength: 7, maxLength: 7 }),
	polls: fc.array(poll, { maxLength: MAX_POLLS }),
	reportsExpiry: fc.boolean(),
});

interface Step {
	now: number;
	progress: QuorumProgress;
	decision: QuorumDecision;
}

/** Carries a script out. The order in which requests are listed differs from step to step. */
function play(script: Script, decider: typeof decide): Step[] {
	const { policy, reactions, polls, reportsExpiry } = script;
	const progress: QuorumProgress = { level: 0, levelStartedAt: START, requests: [] };
	/** When each request was sent, by the clock of the service, and the reaction to it. */
	const sent = new Map<PersonRequest, Reaction & { sentAtMs: number; endsAt: number }>();
	const steps: Step[] = [];
	let time = START;
	let skewMs = 0;

	const read = (request: PersonRequest): PersonRequest['status'] => {
		const { status, afterMs, sentAtMs, endsAt } = sent.get(request)!;
		const answersAt = sentAtMs + afterMs;
		if (status !== 'none' && answersAt <= time && answersAt < endsAt) return status;
		return reportsExpiry && time >= endsAt ? 'expired' : 'pending';
	};
	const pollAll = ({ unread }: Poll) => {
		const open = progress.requests.filter(
			({ level, status }) =>
				level === progress.level && ['pending', 'unread', 'credentialRejected'].includes(status),
		);
		open.forEach((request, index) => {
			request.status = unread[index] ?? read(request);
			if (['approved', 'denied'].includes(request.status))
				request.respondedAt = sent.get(request)!.sentAtMs + sent.get(request)!.afterMs;
		});
	};
	const send = (
		{ level, requests }: Extract<QuorumDecision, { kind: 'ask' }>,
		{ unsent }: Poll,
	) => {
		const now = time + skewMs;
		if (level !== progress.level || progress.requests.length === 0)
			Object.assign(progress, { level, levelStartedAt: now });
		requests.forEach((planned, index) => {
			const leftMs = Math.min(policy.expiresAfterMs, (policy.limitAt ?? Infinity) - now);
			const status = unsent[index] ?? 'pending';
			const request: PersonRequest = { ...planned, level, status, expiresAt: now + leftMs };
			const number = sent.size;
			sent.set(request, {
				...reactions[number % reactions.length]!,
				sentAtMs: time,
				endsAt: time + leftMs,
			});
			// Before or after the others, as if other processes had stored them.
			if (number % 2 === 0) progress.requests.push(request);
			else progress.requests.unshift(request);
		});
	};

	for (let index = 0; index < MAX_STEPS; index++) {
		const current = polls[index] ?? LATER;
		time += current.passedMs;
		skewMs += current.jumpMs;
		pollAll(current);
		// The policy is evaluated until it has nothing more to do, as the node does.
		for (;;) {
			const now = time + skewMs;
			const decision = decider(policy, progress, now);
			steps.push({ now, progress: structuredClone(progress), decision });
			if (decision.kind === 'end' || decision.kind === 'fail') return steps;
			if (decision.kind === 'wait') break;
			send(decision, current);
		}
	}
	throw new Error('The run does not end');
}

const check = (property: (script: Script) => void): void =>
	fc.assert(fc.property(scripts, property), { numRuns: scaleRunCount(300) });

const requestsOfLevel = ({ progress }: Step) =>
	progress.requests.filter(({ level }) => level === progress.level);

/** The people who have approved and not denied in the level of a step. */
function approversIn(step: Step): Set<string> {
	const peopleWith = (status: string) =>
		requestsOfLevel(step)
			.filter((request) => request.status === status)
			.map(({ person }) => person);
	const denied = peopleWith('denied');
	return new Set(peopleWith('approved').filter((person) => !denied.includes(person)));
}

test('whole runs agree with a second implementation of the decision table', () => {
	check((script) => {
		expect(play(script, decideByTable)).toEqual(play(script, decide));
	});
});

test('no request is sent twice, and the requester never gets one', () => {
	check((script) => {
		const { requests } = play(script, decide).at(-1)!.progress;
		const keys = requests.map(({ level, person, reminder }) => `${level} ${person} ${reminder}`);
		expect(new Set(keys).size).toBe(keys.length);
		expect(requests.map(({ person }) => person)).not.toContain(REQUESTER);
	});
});

test('a level begins, and a run is approved, only if enough approvals were read', () => {
	check(({ policy, ...rest }) => {
		for (const step of play({ policy, ...rest }, decide)) {
			const { decision, progress } = step;
			const isApproval = decision.kind === 'end' && decision.outcome === 'approved';
			if (!isApproval && !(decision.kind === 'ask' && decision.level > progress.level)) continue;
			const statuses = requestsOfLevel(step).map(({ status }) => status);
			expect(approversIn(step).size).toBeGreaterThanOrEqual(policy.levels[progress.level]!.needed);
			expect(statuses).not.toContain('unread');
			expect(statuses).not.toContain('credentialRejected');
			if (policy.oneDenialEnds) expect(statuses).not.toContain('denied');
			if (isApproval) expect(decision.level).toBe(policy.levels.length - 1);
			else expect(decision.level).toBe(progress.level + 1);
		}
	});
});

test('a run that ends without an approval gives the reason', () => {
	check(({ policy, ...rest }) => {
		const last = play({ policy, ...rest }, decide).at(-1)!;
		const { decision, now } = last;
		const statuses = requestsOfLevel(last).map(({ status }) => status);
		const isEnd = decision.kind === 'end';
		if (isEnd && decision.outcome === 'denied') {
			const { by } = decision;
			expect(requestsOfLevel(last)).toContainEqual(
				expect.objectContaining({ ...by, status: 'denied' }),
			);
		}
		if (isEnd && ['expired', 'gone'].includes(decision.outcome)) {
			const approvers = approversIn(last);
			expect(approvers.size).toBeLessThan(policy.levels[decision.level]!.needed);
			// The reminder of a person who has approved the first request may still be open.
			const isAnswerable = requestsOfLevel(last).some(
				({ person, status, expiresAt }) =>
					status === 'pending' && now < expiresAt && !approvers.has(person),
			);
			expect(isAnswerable).toBe(false);
		}
		if (isEnd && decision.outcome === 'stillOutstanding') {
			const isUnread = statuses.some((status) => ['unread', 'credentialRejected'].includes(status));
			expect(isUnread || now >= (policy.limitAt ?? Infinity)).toBe(true);
		}
		if (decision.kind === 'fail')
			expect(statuses.some((status) => ['failed', 'unclear'].includes(status))).toBe(true);
	});
});

test('the generated runs reach every outcome', () => {
	const ends = new Set<string>();
	for (const script of fc.sample(scripts, { numRuns: 600, seed: 7 })) {
		const { decision } = play(script, decide).at(-1)!;
		ends.add(decision.kind === 'end' ? decision.outcome : decision.kind);
	}
	expect([...ends].sort()).toEqual([
		'approved',
		'denied',
		'expired',
		'fail',
		'gone',
		'stillOutstanding',
	]);
});
