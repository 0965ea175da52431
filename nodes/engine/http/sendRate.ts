/** Share of the rejected rate by which the rate grows at each step. */
const SLOW_STEP_SHARE = 1 / 200;
/** Factor by which the rate grows at each step where no rejected rate is known, or the last rejection is long ago. */
const FAST_STEP_FACTOR = 1.15;
/** The shortest time between two steps: a service that has saved up capacity would accept any rate for a moment. */
const STEP_MS = 200;
/**
 * A rejection stays recent until both hold: `successes` requests were accepted since, and `ms` plus twice the requested pause
 * have passed.
 */
const RECENT = { successes: 20, ms: 10_000 };
/** The least decrease after a rejection. */
const DECREASE = 0.95;
/** The longest time between two requests: one misleading measurement must not stop a workflow. */
const MAX_GAP_MS = 2000;
/** Timers fire late. Later requests make up for at most this much lost time. */
const MAX_CATCH_UP_MS = 50;

/**
 * The rate at which requests are sent to a service that rejects some of them (additive increase, multiplicative decrease).
 * The class limits the rate and not the number of requests in flight. For a service that responds within milliseconds and
 * accepts five requests a second, even sequential requests are too many.
 *
 * Between two pauses the class counts the accepted requests. Their number divided by the whole time, pauses included, is a
 * rate that the service accepts. The rate at the rejection is a rate that the service does not accept. The next rate is the
 * geometric mean of these two rates. Pure: all times are passed in, in milliseconds.
 */
export class SendRate {
	/** Requests per millisecond. Infinite until the service has rejected a request, accepted others and rejected again. */
	private rate = Infinity;
	/** The rate at the last rejection. */
	private rejectedRate: number | undefined;
	/** The earliest time for the next request. */
	private nextAt = -Infinity;
	private accepted = 0;
	/** Start of the present count. */
	private since: number | undefined;
	private steppedAt = -Infinity;
	/** The pause that the service asked for; absent once a request was sent after it. */
	private pause: { from: number; until: number } | undefined;
	private lastPauseMs = 0;

	/** Whether requests are spread over time. */
	get isLimiting(): boolean {
		return this.rate < Infinity;
	}

	/** Returns how long the next request has to wait; 0 if it can be sent now. */
	waitMs(now: number): number {
		return Math.max(0, this.nextAt - now);
	}

	/** Restarts the count after idle time, which says nothing about the rate that the service accepts. */
	recordIdle(now: number): void {
		if (!this.pause) [this.since, this.accepted] = [now, 0];
	}

	/**
	 * Records that the service rejected a request and asked for a pause. If requests that were in flight are rejected too,
	 * only the end of the pause moves.
	 */
	recordRejection(now: number, until: number): void {
		this.pause = { from: this.pause?.from ?? now, until };
	}

	/** Records that a request is sent. The first one after a pause sets the new rate. */
	recordSend(now: number): void {
		if (this.pause) this.resume(this.pause, now);
		this.since ??= now;
		this.nextAt = Math.max(this.nextAt, now - MAX_CATCH_UP_MS) + 1 / this.rate;
	}

	/**
	 * Records that the service accepted a request. The rate grows only if the request had to wait: otherwise the request did
	 * not test the rate.
	 */
	recordSuccess(now: number, hadToWait: boolean): void {
		this.accepted++;
		if (!hadToWait || !this.isLimiting || now < this.steppedAt + STEP_MS) return;
		this.steppedAt = now;
		if (this.rejectedRate !== undefined && this.isRecent(now)) {
			this.rate += this.rejectedRate * SLOW_STEP_SHARE;
		} else this.rate *= FAST_STEP_FACTOR;
	}

	private resume({ from, until }: { from: number; until: number }, now: number): void {
		this.pause = undefined;
		// Without a success in between, the service has only extended its pause.
		if (this.accepted === 0 || this.since === undefined) return;
		const acceptedRate = this.accepted / (until - this.since);
		const { rate } = this;
		const next = this.isLimiting
			? Math.min(rate * DECREASE, Math.sqrt(rate * acceptedRate))
			: acceptedRate;
		if (this.isLimiting) this.rejectedRate = rate;
		this.rate = Math.max(next, 1 / MAX_GAP_MS);
		this.lastPauseMs = until - from;
		[this.since, this.accepted, this.steppedAt] = [now, 0, now];
	}

	private isRecent(now: number): boolean {
		const ms = RECENT.ms + 2 * this.lastPauseMs;
		return this.accepted < RECENT.successes || now < (this.since ?? 0) + ms;
	}
}
