import type { Ask, Decision, PersonRequest, Policy, Progress } from './types';
import { isOpen, isUnread, Votes } from './votes';

/** No reminder is sent within this time of the end of a level. */
const NO_REMINDER_MS = 60_000;

/**
 * Decides by the table in `docs/approvals.md`, whose rows are numbered here. `progress` is a snapshot: every open request of
 * the current level was read after the execution resumed, or is marked as unread; `now` was taken after that.
 */
export function decide(policy: Policy, progress: Progress, now: number): Decision {
	const { levels, limitAt = Infinity } = policy;
	const { level: index } = progress;
	const level = levels[index]!;
	const votes = new Votes(level, progress);
	const isOver = now >= limitAt;
	// 1
	if (votes.size - votes.count('unsent') < level.needed) return { kind: 'fail', level: index };
	// 2: a request that was not read may have been denied.
	if (votes.requests.some(isUnread)) {
		const givesUpAt = lastExpiryIfRejected(votes.requests);
		return isOver || now >= givesUpAt ? outstanding(index) : waitUntil(limitAt, givesUpAt);
	}
	// 3
	const asked = votes.size - votes.deputies('unasked').length;
	const denials = votes.answers('denied');
	const decisive = denials[policy.oneDenialEnds ? 0 : asked - level.needed];
	if (decisive) return { kind: 'end', outcome: 'denied', level: index, by: decisive };
	// 4
	const by = votes.answers('approved')[level.needed - 1];
	const next = levels[index + 1];
	if (by && !next) return { kind: 'end', outcome: 'approved', level: index, by };
	// 5
	if (isOver) return outstanding(index);
	// 6
	if (by && next) return { kind: 'ask', level: index + 1, asks: next.people.map(toFirstAsk) };
	// 7
	const deputiesAt = progress.levelStartedAt + (level.deputiesAfterMs ?? Infinity);
	const reminders = remindersOf(policy, progress, votes);
	const asks: Ask[] = [
		...votes.people('unasked').map(toFirstAsk),
		...(now >= deputiesAt ? votes.deputies('unasked').map(toFirstAsk) : []),
		...(now >= reminders.from && now <= reminders.to ? reminders.asks : []),
	];
	if (asks.length > 0) return { kind: 'ask', level: index, asks };
	// 8
	const awaitsDeputies = votes.count('unasked') > 0;
	if (votes.count('open') === 0 && !awaitsDeputies) {
		const outcome = (['expired', 'gone'] as const).find((one) =>
			votes.requests.some(({ status }) => status === one),
		);
		if (outcome) return { kind: 'end', outcome, level: index };
		// Row 1 excludes a level without a denial here.
		return { kind: 'end', outcome: 'denied', level: index, by: denials.at(-1)! };
	}
	// 9
	const isReminderAhead = now < reminders.from && reminders.asks.length > 0;
	return waitUntil(
		limitAt,
		awaitsDeputies ? deputiesAt : Infinity,
		isReminderAhead ? reminders.from : Infinity,
	);
}

const toFirstAsk = (person: string): Ask => ({ person, reminder: false });

const outstanding = (level: number): Decision => ({
	kind: 'end',
	outcome: 'stillOutstanding',
	level,
});

function waitUntil(...times: number[]): Decision {
	const until = Math.min(...times);
	return { kind: 'wait', ...(until < Infinity && { until }) };
}

/**
 * Returns when waiting ends because the service rejects the credential: once no open request can be answered any more.
 * Otherwise `Infinity`: a service that is unavailable can report the answers later.
 */
const lastExpiryIfRejected = (requests: PersonRequest[]): number =>
	requests.some(({ status }) => status === 'rejected')
		? Math.max(...requests.filter(isOpen).map(({ expiresAt }) => expiresAt))
		: Infinity;

/** Returns the reminders of the level, and from when to when they may be sent; none if that is an empty period. */
function remindersOf(
	{ remindAfterMs, expiresAfterMs, limitAt = Infinity }: Policy,
	{ levelStartedAt }: Progress,
	votes: Votes,
): { from: number; to: number; asks: Ask[] } {
	const from = levelStartedAt + (remindAfterMs ?? Infinity);
	const to = Math.min(levelStartedAt + expiresAfterMs, limitAt) - NO_REMINDER_MS;
	const isDone = votes.requests.some(({ reminder }) => reminder);
	const asks = votes.people('open').map((person) => ({ person, reminder: true }));
	return { from, to, asks: isDone || from > to ? [] : asks };
}
