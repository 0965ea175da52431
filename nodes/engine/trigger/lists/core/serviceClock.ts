/**
 * Tolerance for the clock skew between a service's machines and for the delay of responses. A larger difference means that a
 * clock was set.
 */
export const CLOCK_JUMP_MS = 30_000;

/** Limits reports. Two machines whose clocks differ would otherwise cause a report with every response. */
const REPORT_INTERVAL_MS = 24 * 3_600_000;

/**
 * Estimates the service's current time from the Date headers of its responses. A date that deviates from the estimate is not
 * trusted at once, since a cursor that is too far ahead would skip all changes in between. The earlier of the two times
 * counts until a second response confirms the deviation.
 */
export class ServiceClock {
	/** The service's time minus our monotonic clock. */
	private offsetMs: number | undefined;
	/** Offset of the last deviating Date header, until a second one confirms it. */
	private suspectOffsetMs: number | undefined;
	private reportedAt = -Infinity;

	/** `onSetBack` is called with the amount once two responses agree that the clock was set back; at most once a day. */
	constructor(private readonly onSetBack: (byMs: number) => void = () => undefined) {}

	/** Adds the Date header of a response that arrived at `monotonicMs`. Returns the service's time to use. */
	observe(date: number, monotonicMs: number): number {
		const offset = date - monotonicMs;
		const knownOffset = this.offsetMs ?? offset;
		const fits = Math.abs(offset - knownOffset) <= CLOCK_JUMP_MS;
		const isConfirmed = Math.abs(offset - (this.suspectOffsetMs ?? Infinity)) <= CLOCK_JUMP_MS;
		if (fits || isConfirmed) {
			this.offsetMs = offset;
			this.suspectOffsetMs = undefined;
			if (!fits && offset < knownOffset) this.reportSetBack(knownOffset - offset, monotonicMs);
			return date;
		}
		this.suspectOffsetMs = offset;
		return Math.min(date, monotonicMs + knownOffset);
	}

	/** Returns the service's time at a moment of the monotonic clock; `undefined` before the first Date header. */
	timeAt(monotonicMs: number): number | undefined {
		return this.offsetMs === undefined ? undefined : monotonicMs + this.offsetMs;
	}

	private reportSetBack(byMs: number, monotonicMs: number): void {
		if (monotonicMs - this.reportedAt < REPORT_INTERVAL_MS) return;
		this.reportedAt = monotonicMs;
		this.onSetBack(byMs);
	}
}
