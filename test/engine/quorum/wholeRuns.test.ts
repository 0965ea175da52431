// Protects decisions by several people over whole runs: the requester never decides, and the answers justify every end.
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
/** Maximum number of random polls in a run. Later polls succeed, in steps of ten minutes. */
const MAX_POLLS = 25;
const MAX_STEPS = 600;

/** Rows of the parameter Levels. */
const anyLevelRows = fc
	.array(
		fc.record({
			people: fc.integer({ min: 1, max: 4 }),
			withRequester: fc.boolean(),
			needed: fc.constantFrom('all', 'any', 'number'),
			number: fc.integer({ min: 1, max: 4 }),
			deputies: fc.integer({ min: 0, max: 2 }),
			/** Time until deputies get requests, as a fraction of the time that a request has. */
			deputiesFraction: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
			skipIf: fc.constantFrom(false, false, true, 'true'),
		}),
		{ minLength: 1, maxLength: 3 },
	)
	.map((sizes) => {
		let nextId = 101;
		const createIds = (count: number) => Array.from({ length: count }, () => `${nextId++}`);
		return sizes.map(({ people, withRequester, number, deputies, deputiesFraction, ...level }) => ({
			...level,
			people: [...createIds(people), ...(withRequester ? [REQUESTER] : [])],
			neededNumber: Math.min(number, people),
			deputies: createIds(deputies),
			deputiesFraction,
		}));
	});

const anyPolicy: fc.Arbitrary<ApprovalPolicy> = fc
	.record({
		rows: anyLevelRows,
		oneDenialEnds: fc.boolean(),
		expiresAfterMs: fc.integer({ min: 5 * MINUTE, max: 3 * HOUR }),
		limitMs: fc.option(fc.integer({ min: 5 * MINUTE, max: 5 * HOUR }), { nil: undefined }),
		remindFraction: fc.option(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { nil: undefined }),
	})
	.filter(({ rows }) => rows.some(({ skipIf }) => skipIf !== true))
	.map(({ rows, remindFraction, ...options }) => {
		const endMs = Math.min(options.expiresAfterMs, options.limitMs ?? Infinity);
		const level = rows.map(({ deputiesFraction, ...row }) => ({
			...row,
			deputiesAfter: (deputiesFraction * endMs) / MINUTE,
			deputiesAfterUnit: 'minutes',
		}));
		const remindAfterMs = remindFraction === undefined ? undefined : remindFraction * endMs;
		const settings = { requester: REQUESTER, neverExpires: false, remindAfterMs, ...options };
		return resolvePolicy({ levels: { level }, ...settings }, START).policy;
	});

/** The reaction of a person to one request. */
interface Reaction {
	status: 'approved' | 'denied' | 'gone' | 'none';
	afterMs: number;
}
const anyReaction: fc.Arbitrary<Reaction> = fc.record({
	status: fc.constantFrom('approved', 'approved', 'approved', 'denied', 'gone', 'none'),
	afterMs: fc.integer({ min: 0, max: 4 * HOUR }),
});

/** One poll of all open requests, and the failures of the requests that are read or sent in it. */
interface Poll {
	/** Time since the previous poll. */
	passedMs: number;
	/** By how much the wall clock is set forward or back. */
	jumpMs: number;
	/** Requests that cannot be read, by their position, and how. */
	unread: Array<'unread' | 'credentialRejected' | undefined>;
	/** Requests that cannot be sent, by their position, and how. */
	unsent: Array<'failed' | 'unclear' | undefined>;
}
/** Failures of five requests: mostly undefined, rarely one of these. */
const rareFailures = <T>(...failures: T[]) => {
	const noFailures = Array.from({ length: 12 }, () => undefined);
	const anyFailure = fc.constantFrom<T | undefined>(...noFailures, ...failures);
	return fc.array(anyFailure, { minLength: 5, maxLength: 5 });
};
const anyPoll: fc.Arbitrary<Poll> = fc.record({
	// After 0 ms the poll is repeated.
	passedMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 * MINUTE })),
	jumpMs: fc.constantFrom(0, 0, 0, 0, 0, 0, HOUR, -HOUR),
	unread: rareFailures('unread' as const, 'credentialRejected' as const),
	unsent: rareFailures('failed' as const, 'unclear' as const),
});
/** The poll after the random ones. */
const LATER_POLL: Poll = { passedMs: 10 * MINUTE, jumpMs: 0, unread: [], unsent: [] };

/** Everything that happens in a run. */
interface Script {
	policy: ApprovalPolicy;
	reactions: Reaction[];
	polls: Poll[];
	/** Whether the service reports that requests have expired. */
	reportsExpiry: boolean;
}
const anyScript: fc.Arbitrary<Script> = fc.record({
	policy: anyPolicy,
	reactions: fc.array(anyReaction, { minLength: 7, maxLength: 7 }),
	polls: fc.array(anyPoll, { maxLength: MAX_POLLS }),
	reportsExpiry: fc.boolean(),
});

/** One decision of a run. */
interface Step {
	now: number;
	progress: QuorumProgress;
	decision: QuorumDecision;
}

/** Plays a script to its end, and returns its steps. The order in which requests are listed differs from step to step. */
function playScript(script: Script, decideStep: typeof decide): Step[] {
	const { policy, reactions, polls, reportsExpiry } = script;
	const progress: QuorumProgress = { level: 0, levelStartedAt: START, requests: [] };
	/** When each request was sent, by the clock of the service, and the reaction to it. */
	const sent = new Map<PersonRequest, Reaction & { sentAtMs: number; endsAt: number }>();
	const steps: Step[] = [];
	/** The clock of the service. The clock of n8n differs from it by `skewMs`. */
	let serviceTime = START;
	let skewMs = 0;

	const readStatus = (request: PersonRequest): PersonRequest['status'] => {
		const { status, afterMs, sentAtMs, endsAt } = sent.get(request)!;
		const answersAt = sentAtMs + afterMs;
		if (status !== 'none' && answersAt <= serviceTime && answersAt < endsAt) return status;
		return reportsExpiry && serviceTime >= endsAt ? 'expired' : 'pending';
	};
	const pollRequests = ({ unread }: Poll) => {
		const openRequests = progress.requests.filter(
			({ level, status }) =>
				level === progress.level && ['pending', 'unread', 'credentialRejected'].includes(status),
		);
		openRequests.forEach((request, index) => {
			request.status = unread[index] ?? readStatus(request);
			if (['approved', 'denied'].includes(request.status))
				request.respondedAt = sent.get(request)!.sentAtMs + sent.get(request)!.afterMs;
		});
	};
	const sendRequests = (
		{ level, requests }: Extract<QuorumDecision, { kind: 'ask' }>,
		{ unsent }: Poll,
	) => {
		const now = serviceTime + skewMs;
		if (level !== progress.level || progress.requests.length === 0)
			Object.assign(progress, { level, levelStartedAt: now });
		requests.forEach((planned, index) => {
			const leftMs = Math.min(policy.expiresAfterMs, (policy.limitAt ?? Infinity) - now);
			const status = unsent[index] ?? 'pending';
			const request: PersonRequest = { ...planned, level, status, expiresAt: now + leftMs };
			const position = sent.size;
			sent.set(request, {
				...reactions[position % reactions.length]!,
				sentAtMs: serviceTime,
				endsAt: serviceTime + leftMs,
			});
			// Before or after the others, as if other processes had stored them.
			if (position % 2 === 0) progress.requests.push(request);
			else progress.requests.unshift(request);
		});
	};

	for (let index = 0; index < MAX_STEPS; index++) {
		const currentPoll = polls[index] ?? LATER_POLL;
		serviceTime += currentPoll.passedMs;
		skewMs += currentPoll.jumpMs;
		pollRequests(currentPoll);
		// The policy is evaluated until it has nothing more to do, as the node does.
		for (;;) {
			const now = serviceTime + skewMs;
			const decision = decideStep(policy, progress, now);
			steps.push({ now, progress: structuredClone(progress), decision });
			if (decision.kind === 'end' || decision.kind === 'fail') return steps;
			if (decision.kind === 'wait') break;
			sendRequests(decision, currentPoll);
		}
	}
	throw new Error('The run does not end');
}

const checkRuns = (property: (script: Script) => void): void =>
	fc.assert(fc.property(anyScript, property), { numRuns: scaleRunCount(300) });

/** Returns the requests of the current level in a step. */
const levelRequests = ({ progress }: Step) =>
	progress.requests.filter(({ level }) => level === progress.level);

/** Returns the people who have approved and not denied in the level of a step. */
function findApprovers(step: Step): Set<string> {
	const peopleWith = (status: string) =>
		levelRequests(step)
			.filter((request) => request.status === status)
			.map(({ person }) => person);
	const denied = peopleWith('denied');
	return new Set(peopleWith('approved').filter((person) => !denied.includes(person)));
}

test('whole runs have the steps of a second implementation of the decision table', () => {
	checkRuns((script) => {
		expect(playScript(script, decideByTable)).toEqual(playScript(script, decide));
	});
});

test('no request is sent twice, and the requester never gets one', () => {
	checkRuns((script) => {
		const { requests } = playScript(script, decide).at(-1)!.progress;
		const requestKeys = requests.map(
			({ level, person, reminder }) => `${level} ${person} ${reminder}`,
		);
		expect(new Set(requestKeys).size).toBe(requestKeys.length);
		expect(requests.map(({ person }) => person)).not.toContain(REQUESTER);
	});
});

test('a level begins, or a run ends as approved, only if enough approvals were read', () => {
	checkRuns((script) => {
		for (const step of playScript(script, decide)) {
			const { decision, progress } = step;
			const isApproval = decision.kind === 'end' && decision.outcome === 'approved';
			if (!isApproval && !(decision.kind === 'ask' && decision.level > progress.level)) continue;
			const statuses = levelRequests(step).map(({ status }) => status);
			expect(findApprovers(step).size).toBeGreaterThanOrEqual(
				script.policy.levels[progress.level]!.needed,
			);
			expect(statuses).not.toContain('unread');
			expect(statuses).not.toContain('credentialRejected');
			if (script.policy.oneDenialEnds) expect(statuses).not.toContain('denied');
			if (isApproval) expect(decision.level).toBe(script.policy.levels.length - 1);
			else expect(decision.level).toBe(progress.level + 1);
		}
	});
});

test('the statuses of the last step justify an end without an approval', () => {
	checkRuns((script) => {
		const lastStep = playScript(script, decide).at(-1)!;
		const { decision, now } = lastStep;
		const statuses = levelRequests(lastStep).map(({ status }) => status);
		const isEnd = decision.kind === 'end';
		if (isEnd && decision.outcome === 'denied') {
			const { by } = decision;
			expect(levelRequests(lastStep)).toContainEqual(
				expect.objectContaining({ ...by, status: 'denied' }),
			);
		}
		if (isEnd && ['expired', 'gone'].includes(decision.outcome)) {
			const approvers = findApprovers(lastStep);
			expect(approvers.size).toBeLessThan(script.policy.levels[decision.level]!.needed);
			// The reminder of a person who has approved the first request may still be open.
			const isAnswerable = levelRequests(lastStep).some(
				({ person, status, expiresAt }) =>
					status === 'pending' && now < expiresAt && !approvers.has(person),
			);
			expect(isAnswerable).toBe(false);
		}
		if (isEnd && decision.outcome === 'stillOutstanding') {
			const hasUnread = statuses.some((status) =>
				['unread', 'credentialRejected'].includes(status),
			);
			expect(hasUnread || now >= (script.policy.limitAt ?? Infinity)).toBe(true);
		}
		if (decision.kind === 'fail')
			expect(statuses.some((status) => ['failed', 'unclear'].includes(status))).toBe(true);
	});
});

test('the random runs reach every outcome', () => {
	const outcomes = new Set<string>();
	for (const script of fc.sample(anyScript, { numRuns: 600, seed: 7 })) {
		const { decision } = playScript(script, decide).at(-1)!;
		outcomes.add(decision.kind === 'end' ? decision.outcome : decision.kind);
	}
	const allOutcomes = ['approved', 'denied', 'expired', 'fail', 'gone', 'stillOutstanding'];
	expect([...outcomes].sort()).toEqual(allOutcomes);
});
