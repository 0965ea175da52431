// A second implementation of the decision, written from the table in docs/approvals.md without sight of the first one, which
// the property tests compare it with.
import type {
	Ask,
	Decision,
	Level,
	PersonRequest,
	Policy,
	Progress,
} from '../../../nodes/engine/quorum/types';

type Vote = 'denied' | 'approved' | 'open' | 'silent' | 'unsent' | 'unasked';

function isOpen(request: PersonRequest): boolean {
	return ['pending', 'unread', 'rejected'].includes(request.status);
}

function voteOf(person: string, requests: PersonRequest[]): Vote {
	const own = requests.filter((request) => request.person === person);
	if (own.some((request) => request.status === 'denied')) return 'denied';
	if (own.some((request) => request.status === 'approved')) return 'approved';
	if (own.some(isOpen)) return 'open';
	if (own.some((request) => ['expired', 'gone'].includes(request.status))) return 'silent';
	if (own.length > 0) return 'unsent';
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
	level: Level,
	requests: PersonRequest[],
): PersonRequest[] {
	const answers: PersonRequest[] = [];
	for (const person of [...level.people, ...level.deputies]) {
		if (voteOf(person, requests) !== status) continue;
		const own = requests.filter((r) => r.person === person && r.status === status);
		own.sort(
			(a, b) =>
				compareTimes(a.respondedAt, b.respondedAt) || Number(a.reminder) - Number(b.reminder),
		);
		answers.push(own[0]!);
	}
	// Open on the page: the order among people at equal times. Chosen: as listed in `people`,
	// then as listed in `deputies` (the sort is stable).
	return answers.sort((a, b) => compareTimes(a.respondedAt, b.respondedAt));
}

function toAsk(request: PersonRequest): Ask {
	return { person: request.person, reminder: request.reminder };
}

/** Open on the page: without a time, is `until` missing or undefined? Chosen: missing. */
function waitUntil(times: number[]): Decision {
	return times.length === 0 ? { kind: 'wait' } : { kind: 'wait', until: Math.min(...times) };
}

export function decideByTable(policy: Policy, progress: Progress, now: number): Decision {
	const { oneDenialEnds, expiresAfterMs, limitAt, remindAfterMs } = policy;
	const { levelStartedAt } = progress;
	const index = progress.level;
	const level = policy.levels[index]!;
	const { people, deputies, deputiesAfterMs } = level;
	// Open on the page: requests of someone who is neither in `people` nor in `deputies`.
	// Chosen: they have no vote, but count where the page says "any request" (rows 2, 7 and 8).
	const requests = progress.requests.filter((request) => request.level === index);

	const vote = (person: string) => voteOf(person, requests);
	const everyone = [...people, ...deputies];
	const count = (wanted: Vote) => everyone.filter((person) => vote(person) === wanted).length;
	const A = count('approved');
	const D = count('denied');
	const U = count('unsent');
	const N = level.needed;
	const P = people.length;
	const Q = deputies.length;
	const Qa = deputies.filter((person) => vote(person) !== 'unasked').length;

	let levelEnd = levelStartedAt + expiresAfterMs;
	if (limitAt !== undefined && limitAt < levelEnd) levelEnd = limitAt;
	const limitOver = limitAt !== undefined && now >= limitAt;
	const isLastLevel = index === policy.levels.length - 1;

	// Row 1
	if (P + Q - U < N) return { kind: 'fail', level: index };

	// Row 2
	if (requests.some((r) => r.status === 'unread' || r.status === 'rejected')) {
		const open = requests.filter(isOpen);
		const anyRejected = requests.some((r) => r.status === 'rejected');
		if (limitOver || (anyRejected && open.every((r) => now >= r.expiresAt))) {
			return { kind: 'end', outcome: 'stillOutstanding', level: index };
		}
		const times: number[] = [];
		if (limitAt !== undefined) times.push(limitAt);
		if (anyRejected) times.push(Math.max(...open.map((r) => r.expiresAt)));
		return waitUntil(times);
	}

	// Row 3
	if (oneDenialEnds && D >= 1) {
		const by = toAsk(answersOf('denied', level, requests)[0]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}
	if (!oneDenialEnds && P + Qa - D < N) {
		const by = toAsk(answersOf('denied', level, requests)[P + Qa - N + 1 - 1]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}

	// Row 4
	if (A >= N && isLastLevel) {
		const by = toAsk(answersOf('approved', level, requests)[N - 1]!);
		return { kind: 'end', outcome: 'approved', level: index, by };
	}

	// Row 5
	if (limitOver) return { kind: 'end', outcome: 'stillOutstanding', level: index };

	// Row 6
	if (A >= N) {
		// Open on the page: whether these are reminders, and whether someone who already has a
		// request of the next level is left out. Chosen: no reminders, nobody is left out.
		const asks = policy.levels[index + 1]!.people.map((person) => ({ person, reminder: false }));
		return { kind: 'ask', level: index + 1, asks };
	}

	// Row 7
	const asks: Ask[] = [];
	const anyReminder = requests.some((request) => request.reminder);
	for (const person of people) {
		if (vote(person) === 'unasked') asks.push({ person, reminder: false });
	}
	// Open on the page: deputies without `deputiesAfterMs`. Chosen: they are never asked.
	if (deputiesAfterMs !== undefined && now >= levelStartedAt + deputiesAfterMs) {
		for (const person of deputies) {
			if (vote(person) === 'unasked') asks.push({ person, reminder: false });
		}
	}
	if (
		remindAfterMs !== undefined &&
		!anyReminder &&
		now >= levelStartedAt + remindAfterMs &&
		now <= levelEnd - 60000
	) {
		for (const person of people) {
			if (vote(person) === 'open') asks.push({ person, reminder: true });
		}
	}
	if (asks.length > 0) return { kind: 'ask', level: index, asks };

	// Row 8
	const anyOpen = everyone.some((person) => vote(person) === 'open');
	const anyDeputyUnasked = deputies.some((person) => vote(person) === 'unasked');
	if (!anyOpen && !anyDeputyUnasked) {
		// Open on the page: "any request" may mean only those of people whose vote is `silent`.
		// Chosen: literally any request of the level, also of people who answered another one.
		if (requests.some((request) => request.status === 'expired')) {
			return { kind: 'end', outcome: 'expired', level: index };
		}
		if (requests.some((request) => request.status === 'gone')) {
			return { kind: 'end', outcome: 'gone', level: index };
		}
		const denials = answersOf('denied', level, requests);
		const by = toAsk(denials[denials.length - 1]!);
		return { kind: 'end', outcome: 'denied', level: index, by };
	}

	// Row 9
	const times: number[] = [];
	if (limitAt !== undefined) times.push(limitAt);
	if (anyDeputyUnasked && deputiesAfterMs !== undefined) {
		times.push(levelStartedAt + deputiesAfterMs);
	}
	if (remindAfterMs !== undefined) {
		const remindAt = levelStartedAt + remindAfterMs;
		const anyPersonOpen = people.some((person) => vote(person) === 'open');
		if (remindAt > now && remindAt <= levelEnd - 60000 && !anyReminder && anyPersonOpen) {
			times.push(remindAt);
		}
	}
	return waitUntil(times);
}
