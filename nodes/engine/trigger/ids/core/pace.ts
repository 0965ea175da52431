import type { IdReport, WatchOptions } from './types';

/** For so long a service must have been well, and a credential accepted, before the next trouble is worth another report. */
export const QUIET_MS = 10 * 60_000;
/** One failed request is a hiccup; so many rounds without a good answer are a sickness. */
const FAULTS_UNTIL_REPORTED = 3;
/** How long ids must come late, with the service well, before the watcher is called overloaded. */
const LATE_UNTIL_OVERLOADED_MS = 30_000;
/** How much slower than needed the watcher becomes at most, apart from its pauses. */
const MAX_SLOWDOWN = 16;
/** A pause that is longer than this is worth telling. */
const REPORTED_PAUSE_MS = 10 * 60_000;
/** However long the service asks to wait, it is asked again after this: clocks go wrong, and nobody would notice. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;
const GAP_DECAY = 0.8;
const JITTER = 0.2;

/**
 * How fast the watcher as a whole may send. After a fault nothing is sent for a pause that doubles from fault to fault and is
 * never shorter than the service asked; then one request at a time until one is answered well, then with a gap between
 * requests that shrinks bit by bit.
 */
export class Pace {
	private pausedUntil = -Infinity;
	private gap = 0;
	private faults = 0;
	private lastFaultAt = -Infinity;
	private lastGood = { id: '', at: -Infinity };
	/** When an id other than the one answered well last was. */
	private otherGoodAt = -Infinity;
	/** How many answers since the last good one had something against their id, and whether one such id was well before. */
	private complaints = 0;
	private hasRegression = false;
	private gapChangedAt = -Infinity;
	private sentAt = -Infinity;
	private hasReportedFault = false;
	private lateSince: number | undefined;
	private hasReportedOverload = false;
	private message: string | undefined;

	constructor(
		private readonly options: Pick<WatchOptions, 'intervalMs' | 'maxInFlight' | 'longestPauseMs'>,
		private readonly random: () => number,
	) {}

	/** When the next request may be sent, as far as the service's health goes. */
	get readyAt(): number {
		return Math.max(this.pausedUntil, this.sentAt + this.gap);
	}

	/** How many requests may be under way now. */
	get maxInFlight(): number {
		return this.faults > 0 ? 1 : this.options.maxInFlight;
	}

	/** What is wrong with the service now, if anything is. */
	get currentFault(): string | undefined {
		return this.faults > 0 ? this.message : undefined;
	}

	/** When the service last answered well about another id than this one. */
	lastGoodAt(id: string): number {
		return id === this.lastGood.id ? this.otherGoodAt : this.lastGood.at;
	}

	/** Whether it did so a moment ago, so that whatever is wrong is not wrong with all of it. */
	wasGoodRecently(id: string, at: number): boolean {
		return at - this.lastGoodAt(id) <= 2 * this.options.intervalMs;
	}

	/** Whether anything since the last good answer shows that the service has fallen ill, and not just some of the ids. */
	get hasDegraded(): boolean {
		return this.faults > 0 || this.hasRegression;
	}

	/**
	 * Notes an answer that has something against its id, and says whether every id had its turn since the last good answer:
	 * as long as that is not so, the next one may be answered well.
	 */
	countComplaint(hadGoodAnswer: boolean, watched: number): boolean {
		this.hasRegression ||= hadGoodAnswer;
		return ++this.complaints >= watched;
	}

	/** Notes that a request goes out, for an id that was due so long ago. */
	sent(at: number, lateByMs: number, watched: number): IdReport | undefined {
		this.sentAt = at;
		const isLate = lateByMs > this.options.intervalMs && this.gap === 0 && this.faults === 0;
		this.lateSince = isLate ? (this.lateSince ?? at) : undefined;
		if (this.lateSince === undefined || this.hasReportedOverload) return undefined;
		if (at - this.lateSince < LATE_UNTIL_OVERLOADED_MS) return undefined;
		this.hasReportedOverload = true;
		return { kind: 'overloaded', watched, lateByMs };
	}

	/** Notes an answer that shows the service well. One to a request from before the last fault shows nothing. */
	good(id: string, sentAt: number, at: number, watched: number): void {
		if (id !== this.lastGood.id) this.otherGoodAt = this.lastGood.at;
		this.lastGood = { id, at };
		this.complaints = 0;
		this.hasRegression = false;
		if (sentAt <= this.lastFaultAt) return;
		this.faults = 0;
		if (at - this.gapChangedAt < this.options.intervalMs) return;
		this.gapChangedAt = at;
		this.gap *= GAP_DECAY;
		if (this.gap < this.neededGap(watched) / 2) this.gap = 0;
	}

	/**
	 * Notes a fault. Of requests that were under way together only the first makes the pause longer.
	 * Says whether the service was well until now, and what to report.
	 */
	fault(
		sentAt: number,
		at: number,
		watched: number,
		message: string,
		retryAfterMs = 0,
	): { first: boolean; report?: IdReport } {
		const { intervalMs, longestPauseMs } = this.options;
		const asked = Number.isFinite(retryAfterMs) ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) : 0;
		this.pausedUntil = Math.max(this.pausedUntil, at + asked);
		this.message = message;
		if (sentAt <= this.lastFaultAt) return { first: false };

		if (at - this.lastFaultAt >= QUIET_MS && this.faults === 0) this.hasReportedFault = false;
		this.lastFaultAt = at;
		this.gapChangedAt = at;
		this.faults++;
		const doubled = intervalMs * 2 ** Math.min(this.faults - 1, 30);
		const pause = Math.min(longestPauseMs, doubled) * (1 + JITTER * this.random());
		this.pausedUntil = Math.max(this.pausedUntil, at + pause);
		const needed = this.neededGap(watched);
		this.gap = Math.min(intervalMs, MAX_SLOWDOWN * needed, 2 * Math.max(this.gap, needed));

		const first = this.faults === 1;
		const isWorthReporting = this.faults >= FAULTS_UNTIL_REPORTED || asked > REPORTED_PAUSE_MS;
		if (this.hasReportedFault || !isWorthReporting) return { first };
		this.hasReportedFault = true;
		return { first, report: { kind: 'sick', message } };
	}

	/** The gap between requests at which every id just gets its turn. */
	private neededGap(watched: number): number {
		return this.options.intervalMs / Math.max(1, watched);
	}
}
