// A second implementation of the decision, written from the table in docs/approvals-decision-table.md without knowledge of the
// first one. The property tests compare both. "The page" in the comments is that document.
import type {
	RequestKey,
	QuorumDecision,
	ApprovalLevel,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
} from '../../../nodes/engine/quorum/types';

/** Times of the page. */
const OVERDUE_MS = 600_000;
const REMINDER_CUTOFF_MS = 60_000;
const LIMIT_NEAR_MS = 60_000;

type Vote = 'denied' | 'approved' | 'open' | 'silent' | 'unreached' | 'unasked';

function isOpen(request: PersonRequest): boolean {
	return ['pending', 'unread', 'credentialRejected'].includes(request.status);
}

function readVote(person: string, requests: PersonRequest[]): Vote {
	const personRequests = requests.filter((request) => request.person === person);
	if (personRequests.some((request) => request.status === 'denied')) return 'denied';
	if (personRequests.some((request) => request.status === 'approved')) return 'approved';
	if (personRequests.some(isOpen)) return 'open';
	if (personRequests.some((request) => ['expired', 'gone'].includes(request.status)))
		return 'silent';
	if (personRequests.length > 0) return 'unreached';
	return 'unasked';
}

/** Compares two times. A missing time comes last. */
function compareTimes(a: number | undefined, b: number | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return a - b;
}

/** Returns the answers with this status, one per person with this vote, in the order of the page. */
function sortAnswers(
	status: 'approved' | 'denied',
	level: ApprovalLevel,
	requests: PersonRequest[],
): PersonRequest[] {
	const answers: PersonRequest[] = [];
	for (const person of [...level.people, ...level.deputies]) {
		if (readVote(person, requests) !== status) continue;
		const personAnswers = requests.filter(
			(request) => request.person === person && request.status === status,
		);
		personAnswers.sort(
			(a, b) =>
				compareTimes(a.respondedAt, b.respondedAt) || Number(a.reminder) - Number(b.reminder),
		);
		answers.push(personAnswers[0]!);
	}
	// Open on the page: the order among people at equal times. Chosen: as listed in `people`,
	// then as listed in `deputies` (the sort is stable).
	return answers.sort((a, b) => compareTimes(a.respondedAt, b.respondedAt));
}

function toPlanned(request: PersonRequest): RequestKey {
	return { person: request.person, reminder: request.reminder };
}

/** A request that is `pending` too long after its expiry counts as `expired`. */
function expireOverdue(request: PersonRequest, now: number, limitAt?: number): PersonRequest {
	const time = limitAt !== undefined && limitAt < now ? limitAt : now;
	if (request.status !== 'pending' || time < request.expiresAt + OVERDUE_MS) return request;
	return { ...request, status: 'expired' };
}

/** For the vote, a request that ended because of the limit counts as `pending`. */
function reopenAtLimit(request: PersonRequest, now: number, limitAt?: number): PersonRequest {
	if (limitAt === undefined || now <= limitAt - LIMIT_NEAR_MS) return request;
	if (request.expiresAt < limitAt || !['expired', 'gone'].includes(request.status)) return request;
	return { ...request, status: 'pending' };
}

/** Returns the result of the first row of the table that fits. */
export function decideByTable(
	policy: ApprovalPolicy,
	progress: QuorumProgress,
	now: number,
): QuorumDecision {
	const { oneDenialEnds, expiresAfterMs, limitAt, remindAfterMs } = policy;
	const { levelStartedAt } = progress;
	const index = progress.level;
	const level = policy.levels[index]!;
	const { people, deputies, deputiesAfterMs } = level;
	// Open on the page: requests of someone who is neither in `people` nor in `deputies`.
	// Chosen: they have no vote, but count where the page says "any request" (rows 3, 6, 9 and 10).
	const requests = progress.requests
		.filter((request) => request.level === index)
		.map((request) => expireOverdue(request, now, limitAt));

	const requestsForVotes = requests.map((request) => reopenAtLimit(request, now, limitAt));
	const voteBy = (person: string) => readVote(person, requestsForVotes);
	const everyone = [...people, ...deputies];
	const count = (wantedVote: Vote) =>
		everyone.filter((person) => voteBy(person) === wantedVote).length;
	// The letters are those of the page.
	const A = count('approved');
	const D = count('denied');
	const U = count('unreached');
	const unaskedPeople = people.filter((person) => voteBy(person) === 'unasked').length;
	const O = count('open') + unaskedPeople;
	const S = count('silent') + count('unreached');
	const Qu = deputies.filter((person) => voteBy(person) === 'unasked').length;
	const R = S < Qu ? S : Qu;
	const N = level.needed;
	const P = people.length;
	const Q = deputies.length;

	let levelEnd = levelStartedAt + expiresAfterMs;
	if (limitAt !== undefined && limitAt < levelEnd) levelEnd = limitAt;
	const isLimitOver = limitAt !== undefined && now >= limitAt;
	const isLastLevel = index === policy.levels.length - 1;

	// Row 1
	if (oneDenialEnds && D >= 1) {
		const by = toPlanned(sortAnswers('denied', level, requests)[0]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}

	// Row 2
	if (P + Q - U < N) return { kind: 'fail', level: index };

	// Row 3
	if (requests.some(({ status }) => status === 'unread' || status === 'credentialRejected')) {
		let until = Math.max(...requests.filter(isOpen).map(({ expiresAt }) => expiresAt));
		if (!requests.some(({ status }) => status === 'credentialRejected')) until += OVERDUE_MS;
		if (limitAt !== undefined && limitAt < until) until = limitAt;
		if (now >= until) return { kind: 'end', outcome: 'stillOutstanding', level: index };
		return { kind: 'wait', until };
	}

	// Row 4
	if (!oneDenialEnds && D >= 1 && A + O + R < N) {
		let position = A + O + R + D - N + 1;
		if (position < 1) position = 1;
		const by = toPlanned(sortAnswers('denied', level, requests)[position - 1]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}

	// Row 5
	if (A >= N && isLastLevel) {
		const by = toPlanned(sortAnswers('approved', level, requests)[N - 1]!);
		return { kind: 'end', outcome: 'approved', level: index, by };
	}

	// Row 6
	const votes = everyone.map(voteBy);
	if (A < N && !votes.includes('open') && !votes.includes('unasked')) {
		// Open on the page: "any request" may mean only those of people whose vote is `silent`.
		// Chosen: literally any request of the level, also of people who answered another one.
		const hasExpired = requests.some((request) => request.status === 'expired');
		return { kind: 'end', outcome: hasExpired ? 'expired' : 'gone', level: index };
	}

	// Row 7
	if (isLimitOver) return { kind: 'end', outcome: 'stillOutstanding', level: index };

	// Row 8
	if (A >= N) {
		// The table leaves two points open. Decided here: these are no reminders, and a person who already has a request of
		// the next level is asked as well.
		const nextRequests = policy.levels[index + 1]!.people.map((person) => ({
			person,
			reminder: false,
		}));
		return { kind: 'ask', level: index + 1, requests: nextRequests };
	}

	// Row 9
	const plannedRequests: RequestKey[] = [];
	const hasReminder = requests.some((request) => request.reminder);
	for (const person of people) {
		if (voteBy(person) === 'unasked') plannedRequests.push({ person, reminder: false });
	}
	// Open on the page: deputies without `deputiesAfterMs`. Chosen: they are never asked.
	if (deputiesAfterMs !== undefined && now >= levelStartedAt + deputiesAfterMs) {
		for (const person of deputies) {
			if (voteBy(person) === 'unasked') plannedRequests.push({ person, reminder: false });
		}
	}
	if (
		remindAfterMs !== undefined &&
		!hasReminder &&
		now >= levelStartedAt + remindAfterMs &&
		now <= levelEnd - REMINDER_CUTOFF_MS
	) {
		for (const person of people) {
			if (voteBy(person) === 'open') plannedRequests.push({ person, reminder: true });
		}
	}
	if (plannedRequests.length > 0) return { kind: 'ask', level: index, requests: plannedRequests };

	// Row 10
	const wakeTimes: number[] = [];
	if (limitAt !== undefined) wakeTimes.push(limitAt);
	for (const request of requests) {
		if (request.status === 'pending') wakeTimes.push(request.expiresAt + OVERDUE_MS);
	}
	if (Qu > 0 && deputiesAfterMs !== undefined) {
		wakeTimes.push(levelStartedAt + deputiesAfterMs);
	}
	if (remindAfterMs !== undefined) {
		const remindAt = levelStartedAt + remindAfterMs;
		const isAnyPersonOpen = people.some((person) => voteBy(person) === 'open');
		if (
			remindAt > now &&
			remindAt <= levelEnd - REMINDER_CUTOFF_MS &&
			!hasReminder &&
			isAnyPersonOpen
		) {
			wakeTimes.push(remindAt);
		}
	}
	return { kind: 'wait', until: Math.min(...wakeTimes) };
}
