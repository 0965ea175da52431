/** Clocks of a service's machines may be so far apart, and its answers so late. A larger difference means that one was set. */
export const CLOCK_JUMP_MS = 30_000;

/**
 * The time at the service, by the dates of its answers. A date that does not fit the ones before it is not believed at once,
 * since a cursor that is too far ahead would skip everything in between: of two that differ the earlier counts, until the next
 * answer confirms the later one.
 */
export class ServiceClock {
	/** How far it is ahead of our monotonic clock, and how far it would be by the last date that was not believed. */
	private offsetMs: number | undefined;
	private suspectOffsetMs: number | undefined;

	/** `setBack` hears by how much the clock was set back, once two answers agree on that. */
	constructor(private readonly onSetBack: (byMs: number) => void = () => undefined) {}

	/** Takes in the date of an answer that arrived at a time on the monotonic clock, and gives the time that counts. */
	observe(date: number, at: number): number {
		const offset = date - at;
		const knownOffset = this.offsetMs ?? offset;
		const fits = Math.abs(offset - knownOffset) <= CLOCK_JUMP_MS;
		const isConfirmed = Math.abs(offset - (this.suspectOffsetMs ?? Infinity)) <= CLOCK_JUMP_MS;
		if (fits || isConfirmed) {
			this.offsetMs = offset;
			this.suspectOffsetMs = undefined;
			if (!fits && offset < knownOffset) this.onSetBack(knownOffset - offset);
			return date;
		}
		this.suspectOffsetMs = offset;
		return Math.min(date, at + knownOffset);
	}

	/** The time at the service now, if it ever told. */
	timeAt(at: number): number | undefined {
		return this.offsetMs === undefined ? undefined : at + this.offsetMs;
	}
}
