import type { ServiceFault, IdReport, WatchOptions } from './types';

/** The next fault is reported again only after the service has worked, and has accepted the credential, for this long. */
export const REPORT_AGAIN_AFTER_MS = 10 * 60_000;
/** This many faults without a good result in between are reported. A single failed request is not. */
const FAULTS_UNTIL_REPORTED = 3;
/** How long IDs must be polled late, while the service works, before overload is reported. */
const LATE_UNTIL_OVERLOADED_MS = 30_000;
/** Upper limit of the gap between requests, as a multiple of the needed gap. Pauses may be longer. */
const MAX_SLOWDOWN = 16;
/** A pause that the service requests is reported at once if it is longer than this. */
const REPORTED_PAUSE_MS = 10 * 60_000;
/** Upper limit of the service's Retry-After. A wrong clock can make it far too long, and the user would not notice. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;
const GAP_DECAY = 0.8;
const JITTER = 0.2;

/**
 * Rate control of the whole watcher. After a fault, the watcher sends nothing for a pause. The pause doubles with each fault
 * and is never shorter than the service's Retry-After, which counts up to `MAX_RETRY_AFTER_MS`. Then requests are sequential
 * until one gets a good result. After that, a gap separates requests; it shrinks step by step.
 */
export class Pace {
	private pausedUntil = -Infinity;
	private gap = 0;
	private faults = 0;
	private lastFaultAt = -Infinity;
	private lastGood = { id: '', at: -Infinity };
	/** Time of the last good result about an ID other than `lastGood.id`. */
	private otherGoodAt = -Infinity;
	/**
	 * Number of bad results (`BadResult`) about single IDs since the last good result. `hasRegression` is true if one
	 * of these IDs had good results before.
	 */
	private badResults = 0;
	private hasRegression = false;
	private gapChangedAt = -Infinity;
	private lastSentAt = -Infinity;
	private hasReportedFault = false;
	private lateSince: number | undefined;
	private hasReportedOverload = false;
	private lastFaultMessage: string | undefined;

	constructor(
		private readonly options: Pick<WatchOptions, 'intervalMs' | 'maxInFlight' | 'longestPauseMs'>,
		private readonly random: () => number,
	) {}

	/** The earliest time of the next request. */
	get readyAt(): number {
		return Math.max(this.pausedUntil, this.lastSentAt + this.gap);
	}

	/** The concurrency limit that applies now. */
	get maxInFlight(): number {
		return this.faults > 0 ? 1 : this.options.maxInFlight;
	}

	/** The message of the present fault, if there is one. */
	get currentFaultMessage(): string | undefined {
		return this.faults > 0 ? this.lastFaultMessage : undefined;
	}

	/** Returns when the service last gave a good result about another ID than this one. */
	lastGoodAtOfOthers(id: string): number {
		return id === this.lastGood.id ? this.otherGoodAt : this.lastGood.at;
	}

	/** Whether another ID got a good result a moment ago, so that a failure does not concern the whole service. */
	hadOtherGoodResultRecently(id: string, monotonicMs: number): boolean {
		return monotonicMs - this.lastGoodAtOfOthers(id) <= 2 * this.options.intervalMs;
	}

	/** Whether anything since the last good result shows that the service has degraded, and not only some of the IDs. */
	get hasDegraded(): boolean {
		return this.faults > 0 || this.hasRegression;
	}

	/**
	 * Counts a bad result (`BadResult`) about one ID. Returns whether there were as many of them as watched IDs since
	 * the last good result. Until then, the next ID may still get a good result.
	 */
	recordBadResult(hadGoodResult: boolean, watchedCount: number): boolean {
		this.hasRegression ||= hadGoodResult;
		return ++this.badResults >= watchedCount;
	}

	/** Records that a request is sent, for an ID that was due `lateByMs` ago. */
	recordSent(monotonicMs: number, lateByMs: number, watchedCount: number): IdReport | undefined {
		this.lastSentAt = monotonicMs;
		const isLate = lateByMs > this.options.intervalMs && this.gap === 0 && this.faults === 0;
		this.lateSince = isLate ? (this.lateSince ?? monotonicMs) : undefined;
		if (this.lateSince === undefined || this.hasReportedOverload) return undefined;
		if (monotonicMs - this.lateSince < LATE_UNTIL_OVERLOADED_MS) return undefined;
		this.hasReportedOverload = true;
		return { kind: 'overloaded', watched: watchedCount, lateByMs };
	}

	/**
	 * Records a good result. If the request was sent before the last fault, its result does not show that the service has
	 * recovered.
	 */
	recordGoodPoll(id: string, sentAt: number, monotonicMs: number, watchedCount: number): void {
		if (id !== this.lastGood.id) this.otherGoodAt = this.lastGood.at;
		this.lastGood = { id, at: monotonicMs };
		this.badResults = 0;
		this.hasRegression = false;
		if (sentAt <= this.lastFaultAt) return;
		this.faults = 0;
		if (monotonicMs - this.gapChangedAt < this.options.intervalMs) return;
		this.gapChangedAt = monotonicMs;
		this.gap *= GAP_DECAY;
		if (this.gap < this.neededGap(watchedCount) / 2) this.gap = 0;
	}

	/**
	 * Records a fault. Among concurrent requests only the first fault lengthens the pause. Returns whether the service
	 * worked until now, and a report if one is due.
	 */
	recordFault(
		{ message = 'The service asks to slow down', retryAfterMs = 0 }: Omit<ServiceFault, 'kind'>,
		sentAt: number,
		monotonicMs: number,
		watchedCount: number,
	): { isFirst: boolean; report?: IdReport } {
		const { intervalMs, longestPauseMs } = this.options;
		const pauseMs = Number.isFinite(retryAfterMs) ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) : 0;
		this.pausedUntil = Math.max(this.pausedUntil, monotonicMs + pauseMs);
		this.lastFaultMessage = message;
		if (sentAt <= this.lastFaultAt) return { isFirst: false };

		if (monotonicMs - this.lastFaultAt >= REPORT_AGAIN_AFTER_MS && this.faults === 0)
			this.hasReportedFault = false;
		this.lastFaultAt = monotonicMs;
		this.gapChangedAt = monotonicMs;
		this.faults++;
		const doubled = intervalMs * 2 ** Math.min(this.faults - 1, 30);
		const backoffMs = Math.min(longestPauseMs, doubled) * (1 + JITTER * this.random());
		this.pausedUntil = Math.max(this.pausedUntil, monotonicMs + backoffMs);
		const needed = this.neededGap(watchedCount);
		this.gap = Math.min(intervalMs, MAX_SLOWDOWN * needed, 2 * Math.max(this.gap, needed));

		const isFirst = this.faults === 1;
		const isWorthReporting = this.faults >= FAULTS_UNTIL_REPORTED || pauseMs > REPORTED_PAUSE_MS;
		if (this.hasReportedFault || !isWorthReporting) return { isFirst };
		this.hasReportedFault = true;
		return { isFirst, report: { kind: 'unavailable', message } };
	}

	/** Returns the gap between requests at which every ID is polled exactly once per interval. */
	private neededGap(watchedCount: number): number {
		return this.options.intervalMs / Math.max(1, watchedCount);
	}
}
