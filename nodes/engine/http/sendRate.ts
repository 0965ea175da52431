/** Share of the rejected rate by which the rate grows at each step. */
const STEP = 1 / 200;
/** Factor by which the rate grows at each step where no rejected rate is known, or the last rejection is long ago. */
const FAST_STEP = 1.15;
/** The shortest time between two steps: a service that has saved up capacity would accept any rate for a moment. */
const STEP_MS = 200;
/** A rejection is recent for so many successes, and for so long plus twice the pause that it asked for. */
const RECENT = { successes: 20, ms: 10_000 };
/** The least decrease after a rejection. */
const DECREASE = 0.95;
/** The longest time between two requests: one misleading measurement must not stop a workflow. */
const LONGEST_GAP_MS = 2000;
/** Timers fire late: this much of the time that was lost so is made up for. */
const ARREARS_MS = 50;

/**
 * The rate at which requests are sent to a service that rejects some of them (additive increase, multiplicative decrease).
 * A rate and not a number of requests in flight: of a service that answers within milliseconds and accepts five requests a
 * second, even one request at a time is too much.
 *
 * Between two pauses it counts the accepted requests. Their number over the whole time, pauses included, is a rate that the
 * service bears; the rate at the rejection is one that it does not bear. The next rate is the geometric mean of the two. Pure:
 * all times are passed in, in milliseconds.
 */
export class SendRate {
	/** Requests per millisecond. Infinite until the service has rejected one, accepted others and rejected again. */
	private rate = Infinity;
	/** The rate at the last rejection. */
	private rejectedRate: number | undefined;
	/** The earliest time for the next request. */
	private nextAt = -Infinity;
	private accepted = 0;
	/** When the present count began. */
	private since: number | undefined;
	private steppedAt = -Infinity;
	/** The pause that the service asked for; absent once a request was sent after it. */
	private pause: { from: number; until: number } | undefined;
	private lastPauseMs = 0;

	/** Whether requests are spread over time. */
	get isKnown(): boolean {
		return this.rate < Infinity;
	}

	/** How long the next request has to wait for its turn; 0 where it need not. */
	waitMs(now: number): number {
		return Math.max(0, this.nextAt - now);
	}

	/** Starts counting anew, since nothing was sent for a while: idle time says nothing about the service. */
	idled(now: number): void {
		if (!this.pause) [this.since, this.accepted] = [now, 0];
	}

	/** The service rejected a request and asked for a pause. Those that were in flight with it change nothing. */
	rejected(now: number, until: number): void {
		this.pause = { from: this.pause?.from ?? now, until };
	}

	/** A request is sent. The first one after a pause sets the new rate. */
	sent(now: number): void {
		if (this.pause) this.resume(this.pause, now);
		this.since ??= now;
		this.nextAt = Math.max(this.nextAt, now - ARREARS_MS) + 1 / this.rate;
	}

	/** The service accepted a request. The rate grows only if that one had to wait: otherwise the rate was not tried. */
	succeeded(now: number, hadToWait: boolean): void {
		this.accepted++;
		if (!hadToWait || !this.isKnown || now < this.steppedAt + STEP_MS) return;
		this.steppedAt = now;
		if (this.rejectedRate !== undefined && this.isRecent(now)) {
			this.rate += this.rejectedRate * STEP;
		} else this.rate *= FAST_STEP;
	}

	private resume({ from, until }: { from: number; until: number }, now: number): void {
		this.pause = undefined;
		// Without a success in between, the service has only prolonged its pause.
		if (this.accepted === 0 || this.since === undefined) return;
		const borne = this.accepted / (until - this.since);
		const { rate } = this;
		const next = this.isKnown ? Math.min(rate * DECREASE, Math.sqrt(rate * borne)) : borne;
		if (this.isKnown) this.rejectedRate = rate;
		this.rate = Math.max(next, 1 / LONGEST_GAP_MS);
		this.lastPauseMs = until - from;
		[this.since, this.accepted, this.steppedAt] = [now, 0, now];
	}

	private isRecent(now: number): boolean {
		const ms = RECENT.ms + 2 * this.lastPauseMs;
		return this.accepted < RECENT.successes || now < (this.since ?? 0) + ms;
	}
}
