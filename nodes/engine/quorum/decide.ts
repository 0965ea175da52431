import type {
	RequestKey,
	QuorumDecision,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
} from './types';
import { isOpen, isUnread, LAST_MINUTE_MS, overdueAt, Votes } from './votes';

/**
 * Decides by the table in `docs/approvals-decision-table.md`, whose rows are numbered here. `progress` is a snapshot: every
 * open request of the current level was read after the execution resumed, or is marked as unread. `now` was taken before
 * these reads: an end at the time limit must include every answer before the limit.
 */
export function decide(
	policy: ApprovalPolicy,
	progress: QuorumProgress,
	now: number,
): QuorumDecision {
	const { levels, oneDenialEnds, limitAt = Infinity } = policy;
	const { level: levelIndex } = progress;
	const level = levels[levelIndex]!;
	const votes = new Votes(level, progress, now, limitAt);
	const isPastLimit = now >= limitAt;
	const denials = votes.answers('denied');
	const denialBy = (by: RequestKey): QuorumDecision => ({
		kind: 'end',
		outcome: 'denied',
		level: levelIndex,
		by,
	});
	// 1
	if (oneDenialEnds && denials[0]) return denialBy(denials[0]);
	// 2
	if (votes.size - votes.count('unreached') < level.needed)
		return { kind: 'fail', level: levelIndex };
	// 3: a request that was not read may have been denied.
	if (votes.requests.some(isUnread)) {
		const givesUpAt = Math.min(limitAt, unreadDeadline(votes.requests));
		return now >= givesUpAt ? endAsOutstanding(levelIndex) : waitUntil(givesUpAt);
	}
	// 4: deputies first replace silent people. The decisive denial is the one after which too few possible approvals
	// remained.
	const reachable = votes.count('approved') + votes.possibleApprovals();
	const decisive = denials[Math.max(0, reachable + denials.length - level.needed)];
	if (reachable < level.needed && decisive) return denialBy(decisive);
	// 5
	const by = votes.answers('approved')[level.needed - 1];
	const next = levels[levelIndex + 1];
	if (by && !next) return { kind: 'end', outcome: 'approved', level: levelIndex, by };
	// 6: rows 2 and 4 exclude a level in which no request has expired or is gone.
	if (!by && votes.count('open') + votes.count('unasked') === 0) {
		const hasExpired = votes.requests.some(({ status }) => status === 'expired');
		return { kind: 'end', outcome: hasExpired ? 'expired' : 'gone', level: levelIndex };
	}
	// 7
	if (isPastLimit) return endAsOutstanding(levelIndex);
	// 8
	if (by && next)
		return { kind: 'ask', level: levelIndex + 1, requests: next.people.map(toFirstRequest) };
	// 9
	const deputiesAt = progress.levelStartedAt + (level.deputiesAfterMs ?? Infinity);
	const reminders = remindersOf(policy, progress, votes);
	const requests: RequestKey[] = [
		...votes.people('unasked').map(toFirstRequest),
		...(now >= deputiesAt ? votes.deputies('unasked').map(toFirstRequest) : []),
		...(now >= reminders.from && now <= reminders.to ? reminders.requests : []),
	];
	if (requests.length > 0) return { kind: 'ask', level: levelIndex, requests };
	// 10
	const isReminderAhead = now < reminders.from && reminders.requests.length > 0;
	return waitUntil(
		limitAt,
		votes.count('unasked') > 0 ? deputiesAt : Infinity,
		isReminderAhead ? reminders.from : Infinity,
		...votes.requests.filter(isOpen).map(overdueAt),
	);
}

const toFirstRequest = (person: string): RequestKey => ({ person, reminder: false });

const endAsOutstanding = (level: number): QuorumDecision => ({
	kind: 'end',
	outcome: 'stillOutstanding',
	level,
});

const waitUntil = (...times: number[]): QuorumDecision => ({
	kind: 'wait',
	until: Math.min(...times),
});

/**
 * Returns when to stop waiting for requests that cannot be read: when the last open request has expired. An unavailable
 * service gets more time, since it may report an answer later. A service that rejects the credential gets no more time.
 */
function unreadDeadline(requests: PersonRequest[]): number {
	const isRejected = requests.some(({ status }) => status === 'credentialRejected');
	const openRequests = requests.filter(isOpen);
	return Math.max(
		...openRequests.map((request) => (isRejected ? request.expiresAt : overdueAt(request))),
	);
}

/**
 * Returns the reminders of the level, and the period in which to send them. Returns no reminders if that period is empty.
 */
function remindersOf(
	{ remindAfterMs, expiresAfterMs, limitAt = Infinity }: ApprovalPolicy,
	{ levelStartedAt }: QuorumProgress,
	votes: Votes,
): { from: number; to: number; requests: RequestKey[] } {
	const from = levelStartedAt + (remindAfterMs ?? Infinity);
	const to = Math.min(levelStartedAt + expiresAfterMs, limitAt) - LAST_MINUTE_MS;
	const wereReminded = votes.requests.some(({ reminder }) => reminder);
	const requests = votes.people('open').map((person) => ({ person, reminder: true }));
	return { from, to, requests: wereReminded || from > to ? [] : requests };
}
