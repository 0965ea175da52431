// A second implementation of the decision, written from the table in docs/approvals-decision-table.md without sight of the first one, which
// the property tests compare it with.
import type {
	PlannedRequest,
	QuorumDecision,
	ApprovalLevel,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
} from '../../../nodes/engine/quorum/types';

type Vote = 'denied' | 'approved' | 'open' | 'silent' | 'unsent' | 'unasked';

function isOpen(request: PersonRequest): boolean {
	return ['pending', 'unread', 'credentialRejected'].includes(request.status);
}

function voteOf(person: string, requests: PersonRequest[]): Vote {
	const ownRequests = requests.filter((request) => request.person === person);
	if (ownRequests.some((request) => request.status === 'denied')) return 'denied';
	if (ownRequests.some((request) => request.status === 'approved')) return 'approved';
	if (ownRequests.some(isOpen)) return 'open';
	if (ownRequests.some((request) => ['expired', 'gone'].includes(request.status))) return 'silent';
	if (ownRequests.length > 0) return 'unsent';
	return 'unasked';
}

function compareTimes(a: number | undefined, b: number | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return a - b;
}

/** The answers with this status, one per person with this vote, in the order of the page. */
function answersOf(
	status: 'approved' | 'denied',
	level: ApprovalLevel,
	requests: PersonRequest[],
): PersonRequest[] {
	const answers: PersonRequest[] = [];
	for (const person of [...level.people, ...level.deputies]) {
		if (voteOf(person, requests) !== status) continue;
		const ownAnswers = requests.filter((r) => r.person === person && r.status === status);
		ownAnswers.sort(
			(a, b) =>
				compareTimes(a.respondedAt, b.respondedAt) || Number(a.reminder) - Number(b.reminder),
		);
		answers.push(ownAnswers[0]!);
	}
	// Open on the page: the order among people at equal times. Chosen: as listed in `people`,
	// then as listed in `deputies` (the sort is stable).
	return answers.sort((a, b) => compareTimes(a.respondedAt, b.respondedAt));
}

function toPlanned(request: PersonRequest): PlannedRequest {
	return { person: request.person, reminder: request.reminder };
}

/** A request that is `pending` too long after its end counts as `expired`. */
function afterItsEnd(request: PersonRequest, now: number): PersonRequest {
	if (request.status !== 'pending' || now < request.expiresAt + 600000) return request;
	return { ...request, status: 'expired' };
}

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
		.map((request) => afterItsEnd(request, now));

	const vote = (person: string) => voteOf(person, requests);
	const everyone = [...people, ...deputies];
	const count = (wanted: Vote) => everyone.filter((person) => vote(person) === wanted).length;
	const A = count('approved');
	const D = count('denied');
	const U = count('unsent');
	const unaskedPeople = people.filter((person) => vote(person) === 'unasked').length;
	const O = count('open') + unaskedPeople;
	const S = count('silent') + count('unsent');
	const Qu = deputies.filter((person) => vote(person) === 'unasked').length;
	const R = S < Qu ? S : Qu;
	const N = level.needed;
	const P = people.length;
	const Q = deputies.length;

	let levelEnd = levelStartedAt + expiresAfterMs;
	if (limitAt !== undefined && limitAt < levelEnd) levelEnd = limitAt;
	const limitOver = limitAt !== undefined && now >= limitAt;
	const isLastLevel = index === policy.levels.length - 1;

	// Row 1
	if (oneDenialEnds && D >= 1) {
		const by = toPlanned(answersOf('denied', level, requests)[0]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}

	// Row 2
	if (P + Q - U < N) return { kind: 'fail', level: index };

	// Row 3
	if (requests.some((r) => r.status === 'unread' || r.status === 'credentialRejected')) {
		let until = Math.max(...requests.filter(isOpen).map((r) => r.expiresAt));
		if (!requests.some((r) => r.status === 'credentialRejected')) until += 600000;
		if (limitAt !== undefined && limitAt < until) until = limitAt;
		if (now >= until) return { kind: 'end', outcome: 'stillOutstanding', level: index };
		return { kind: 'wait', until };
	}

	// Row 4
	if (!oneDenialEnds && D >= 1 && A + O + R < N) {
		let position = A + O + R + D - N + 1;
		if (position < 1) position = 1;
		const by = toPlanned(answersOf('denied', level, requests)[position - 1]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}

	// Row 5
	if (A >= N && isLastLevel) {
		const by = toPlanned(answersOf('approved', level, requests)[N - 1]!);
		return { kind: 'end', outcome: 'approved', level: index, by };
	}

	// Row 6
	const votesNow = everyone.map(vote);
	if (A < N && !votesNow.includes('open') && !votesNow.includes('unasked')) {
		// Open on the page: "any request" may mean only those of people whose vote is `silent`.
		// Chosen: literally any request of the level, also of people who answered another one.
		const anyExpired = requests.some((request) => request.status === 'expired');
		return { kind: 'end', outcome: anyExpired ? 'expired' : 'gone', level: index };
	}

	// Row 7
	if (limitOver) return { kind: 'end', outcome: 'stillOutstanding', level: index };

	// Row 8
	if (A >= N) {
		// The table leaves two points open. Decided here: these are no reminders, and a person who already has a request of
		// the next level is asked as well.
		const next = policy.levels[index + 1]!.people.map((person) => ({ person, reminder: false }));
		return { kind: 'ask', level: index + 1, requests: next };
	}

	// Row 9
	const planned: PlannedRequest[] = [];
	const anyReminder = requests.some((request) => request.reminder);
	for (const person of people) {
		if (vote(person) === 'unasked') planned.push({ person, reminder: false });
	}
	// Open on the page: deputies without `deputiesAfterMs`. Chosen: they are never asked.
	if (deputiesAfterMs !== undefined && now >= levelStartedAt + deputiesAfterMs) {
		for (const person of deputies) {
			if (vote(person) === 'unasked') planned.push({ person, reminder: false });
		}
	}
	if (
		remindAfterMs !== undefined &&
		!anyReminder &&
		now >= levelStartedAt + remindAfterMs &&
		now <= levelEnd - 60000
	) {
		for (const person of people) {
			if (vote(person) === 'open') planned.push({ person, reminder: true });
		}
	}
	if (planned.length > 0) return { kind: 'ask', level: index, requests: planned };

	// Row 10
	const times: number[] = [];
	if (limitAt !== undefined) times.push(limitAt);
	for (const request of requests) {
		if (request.status === 'pending') times.push(request.expiresAt + 600000);
	}
	if (Qu > 0 && deputiesAfterMs !== undefined) {
		times.push(levelStartedAt + deputiesAfterMs);
	}
	if (remindAfterMs !== undefined) {
		const remindAt = levelStartedAt + remindAfterMs;
		const anyPersonOpen = people.some((person) => vote(person) === 'open');
		if (remindAt > now && remindAt <= levelEnd - 60000 && !anyReminder && anyPersonOpen) {
			times.push(remindAt);
		}
	}
	return { kind: 'wait', until: Math.min(...times) };
}
