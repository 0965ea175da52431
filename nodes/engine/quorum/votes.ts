import type {
	RequestKey,
	ApprovalLevel,
	PersonRequest,
	QuorumProgress,
	RequestStatus,
} from './types';

/**
 * The vote of one person in a level. `silent`: the request expired or is gone. `unreached`: the request failed, or it is unclear
 * whether it was sent, so no answer can be read.
 */
type Vote = 'denied' | 'approved' | 'open' | 'silent' | 'unreached' | 'unasked';

const OPEN: RequestStatus[] = ['pending', 'unread', 'credentialRejected'];

/** Votes and their statuses. The first vote that matches a request of the person counts, so a denial beats an approval. */
const VOTES: Array<[Vote, RequestStatus[]]> = [
	['denied', ['denied']],
	['approved', ['approved']],
	['open', OPEN],
	['silent', ['expired', 'gone']],
	['unreached', ['failed', 'unclear']],
];

/** Whether a request may still be answered. */
export const isOpen = ({ status }: PersonRequest): boolean => OPEN.includes(status);

/** Whether the status of a request could not be read. */
export const isUnread = ({ status }: PersonRequest): boolean =>
	status === 'unread' || status === 'credentialRejected';

/** How long after its expiry a request may be reported as pending. Covers delays of the service and different clocks. */
const OVERDUE_MS = 600_000;

/** Returns when a request that is still pending counts as expired, because the service may never report the expiry. */
export const overdueAt = ({ expiresAt }: PersonRequest): number => expiresAt + OVERDUE_MS;

/** The end of a wait, in which no reminder is sent and a request counts as open until the time limit (`withLimit`). */
export const LAST_MINUTE_MS = 60_000;

/** Returns a request with its status at the time `now`, or at the time limit: an overdue request counts as expired. */
export function withExpiry<R extends PersonRequest>(request: R, now: number, limitAt: number): R {
	const isOverdue = request.status === 'pending' && Math.min(now, limitAt) >= overdueAt(request);
	return isOverdue ? { ...request, status: 'expired' } : request;
}

/**
 * Returns a request as pending if it ended only because of the time limit, with which it expires. The service may report that
 * end shortly before the limit or after it, so the outcome would depend on the time of the last poll.
 */
export function withLimit<R extends PersonRequest>(request: R, now: number, limitAt: number): R {
	const { status, expiresAt } = request;
	const endsWithLimit = expiresAt >= limitAt && now > limitAt - LAST_MINUTE_MS;
	const hasEnded = status === 'expired' || status === 'gone';
	return endsWithLimit && hasEnded ? { ...request, status: 'pending' } : request;
}

function voteOf(requests: PersonRequest[]): Vote {
	const match = VOTES.find(([, statuses]) =>
		requests.some(({ status }) => statuses.includes(status)),
	);
	return match?.[0] ?? 'unasked';
}

/** The votes in the current level: one for each person and deputy, in the order of the level. */
export class Votes {
	/** The requests of the current level. An overdue request counts as expired. */
	readonly requests: PersonRequest[];
	private readonly votes = new Map<string, Vote>();

	constructor(
		private readonly level: ApprovalLevel,
		progress: QuorumProgress,
		now: number,
		limitAt: number,
	) {
		this.requests = progress.requests
			.filter((request) => request.level === progress.level)
			.map((request) => withExpiry(request, now, limitAt));
		for (const person of [...level.people, ...level.deputies])
			this.votes.set(
				person,
				voteOf(this.requestsTo(person).map((request) => withLimit(request, now, limitAt))),
			);
	}

	/** Number of people and deputies. */
	get size(): number {
		return this.votes.size;
	}

	/** Returns how many people and deputies have this vote. */
	count(vote: Vote): number {
		return [...this.votes.values()].filter((one) => one === vote).length;
	}

	/**
	 * Returns how many approvals may still come. Deputies who were not asked yet replace people who stayed silent or could
	 * not be asked, but not people who denied.
	 */
	possibleApprovals(): number {
		const silent = this.count('silent') + this.count('unreached');
		const replaced = Math.min(silent, this.deputies('unasked').length);
		return this.count('open') + this.people('unasked').length + replaced;
	}

	/** Returns the people with this vote, without deputies. */
	people(vote: Vote): string[] {
		return this.level.people.filter((person) => this.votes.get(person) === vote);
	}

	/** Returns the deputies with this vote. */
	deputies(vote: Vote): string[] {
		return this.level.deputies.filter((person) => this.votes.get(person) === vote);
	}

	/** Returns the answers with this vote, one for each person, in the order in which people gave them. */
	answers(vote: 'approved' | 'denied'): RequestKey[] {
		return [...this.people(vote), ...this.deputies(vote)]
			.map((person) => {
				const requests = this.requestsTo(person).filter(({ status }) => status === vote);
				return requests.sort((a, b) => byTime(a, b) || Number(a.reminder) - Number(b.reminder))[0]!;
			})
			.sort(byTime)
			.map(({ person, reminder }) => ({ person, reminder }));
	}

	private requestsTo(person: string): PersonRequest[] {
		return this.requests.filter((request) => request.person === person);
	}
}

/** Compares by time of answer; an answer without a time is last. Uses `MAX_VALUE`, since `Infinity - Infinity` is NaN. */
const byTime = (a: PersonRequest, b: PersonRequest): number =>
	(a.respondedAt ?? Number.MAX_VALUE) - (b.respondedAt ?? Number.MAX_VALUE);
