/**
 * How long an unconfirmed start is requested again after a restart. n8n drops a second start while it has the deduplication
 * key of the first, and deletes the key with the execution. So this assumes that n8n keeps executions for at least this
 * time.
 */
export const REPEAT_STARTS_FOR_MS = 72 * 3_600_000;

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** The trigger reports that n8n does not start the workflow after this many rejections of one start. */
const REJECTIONS_UNTIL_REPORTED = 5;

/** A start of the workflow that n8n has not confirmed. */
export interface PendingStart<Cause> {
	readonly key: string;
	/** The cause of the start; the ledger only stores it. */
	readonly cause: Cause;
	/** Wall-clock time of the first request that n8n may have carried out. */
	readonly requestedAt: number;
	/** Whether n8n has rejected every request for this start so far. */
	readonly isRejected: boolean;
	/**
	 * Whether the start is no longer requested. n8n may have deleted its key, so another request might start the workflow
	 * twice.
	 */
	readonly isExpired: boolean;
}

type Entry<Cause> = {
	-readonly [Name in keyof PendingStart<Cause>]: PendingStart<Cause>[Name];
} & {
	/**
	 * Whether the start was requested before the last restart. If so, n8n may have carried it out despite a later rejection.
	 */
	readonly isRestored: boolean;
	rejections: number;
};

/** The consequences of a rejected start. */
export interface StartRejection {
	/** How long to wait before the start is requested again. */
	retryAfterMs: number;
	/** Whether to report now that n8n does not start the workflow; true once. */
	shouldReport: boolean;
}

/**
 * Ledger of the starts that were requested from n8n and are not confirmed: when each was requested, how often it was rejected,
 * and whether it has expired since a restart. Pure: all times are passed in, and the caller requests, waits and saves.
 */
export class StartLedger<Cause> {
	private readonly entries = new Map<string, Entry<Cause>>();
	private unreported: Cause[] = [];
	private hasReportedRejection = false;

	constructor(private readonly repeatForMs: number) {}

	/** Restores a start that was requested before the last restart. If it had expired by then, it is not reported again. */
	restore(
		{ key, cause, requestedAt, isExpired }: Omit<PendingStart<Cause>, 'isRejected'>,
		now: number,
	): PendingStart<Cause> {
		const entry: Entry<Cause> = {
			key,
			cause,
			// The clock may have been ahead when the start was saved. The start would then expire too late.
			requestedAt: Math.min(requestedAt, now),
			isRejected: false,
			isExpired,
			isRestored: true,
			rejections: 0,
		};
		this.entries.set(key, entry);
		this.expireIfDue(key, now);
		return entry;
	}

	get(key: string): PendingStart<Cause> | undefined {
		return this.entries.get(key);
	}

	/** Returns all pending and expired starts, in the order in which they were added. */
	all(): Array<PendingStart<Cause>> {
		return [...this.entries.values()];
	}

	/**
	 * Records that a start is requested. `requestedAt` stays the time of the first request that n8n may have carried out,
	 * because n8n stored the key then.
	 */
	recordRequest(key: string, cause: Cause, now: number): PendingStart<Cause> {
		const pendingStart = this.entries.get(key);
		if (pendingStart) {
			pendingStart.cause = cause;
			this.recordRepeatedRequest(key, now);
			return pendingStart;
		}
		const entry: Entry<Cause> = {
			key,
			cause,
			requestedAt: now,
			isRejected: false,
			isExpired: false,
			isRestored: false,
			rejections: 0,
		};
		this.entries.set(key, entry);
		return entry;
	}

	/** Records that a start is requested once more. A start that is no longer in the ledger is not added again. */
	recordRepeatedRequest(key: string, now: number): void {
		const entry = this.entries.get(key);
		if (!entry) return;
		// If the clock was set back, n8n stores an earlier time with the key, and deletes the key earlier.
		entry.requestedAt = entry.isRejected ? now : Math.min(entry.requestedAt, now);
		entry.isRejected = false;
	}

	/** Records that n8n rejected a start. */
	recordRejection(key: string): StartRejection {
		const entry = this.entries.get(key);
		const rejections = entry ? ++entry.rejections : 1;
		if (entry && !entry.isRestored) entry.isRejected = true;
		const shouldReport = rejections >= REJECTIONS_UNTIL_REPORTED && !this.hasReportedRejection;
		this.hasReportedRejection ||= shouldReport;
		const doubled = FIRST_RETRY_MS * 2 ** Math.min(rejections - 1, 30);
		return { retryAfterMs: Math.min(MAX_RETRY_MS, doubled), shouldReport };
	}

	/** Removes a start: n8n confirmed it, or it is no longer needed. */
	remove(key: string): void {
		this.entries.delete(key);
	}

	/**
	 * Marks a start as expired if its time is over, and returns whether it has expired. Only a start from before the last
	 * restart can expire: n8n confirms or rejects every other start to this process.
	 */
	expireIfDue(key: string, now: number): boolean {
		const entry = this.entries.get(key);
		if (!entry?.isRestored) return false;
		if (!entry.isExpired && now - entry.requestedAt >= this.repeatForMs) {
			entry.isExpired = true;
			this.unreported.push(entry.cause);
		}
		return entry.isExpired;
	}

	/** Returns the causes of starts that have expired since the last call, so that each is reported once. */
	takeExpired(): Cause[] {
		const expired = this.unreported;
		this.unreported = [];
		return expired;
	}
}
