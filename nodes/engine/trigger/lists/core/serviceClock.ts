/** Clocks of a service's machines may be so far apart, and its answers so late. A larger difference means that one was set. */
export const JUMP_MS = 30_000;

/**
 * The time at the service, by the dates of its answers. A date that does not fit the ones before it is not believed at once,
 * since a cursor that is too far ahead would skip everything in between: of two that differ the earlier counts, until the next
 * answer confirms the later one.
 */
export class ServiceClock {
	/** How far it is ahead of our monotonic clock, and how far it would be by the last date that was not believed. */
	private ahead: number | undefined;
	private doubted: number | undefined;

	/** `setBack` hears by how much the clock was set back, once two answers agree on that. */
	constructor(private readonly setBack: (byMs: number) => void = () => undefined) {}

	/** Takes in the date of an answer that arrived at a time on the monotonic clock, and gives the time that counts. */
	hear(date: number, at: number): number {
		const ahead = date - at;
		const known = this.ahead ?? ahead;
		const fits = Math.abs(ahead - known) <= JUMP_MS;
		const confirmed = Math.abs(ahead - (this.doubted ?? Infinity)) <= JUMP_MS;
		if (fits || confirmed) {
			this.ahead = ahead;
			this.doubted = undefined;
			if (!fits && ahead < known) this.setBack(known - ahead);
			return date;
		}
		this.doubted = ahead;
		return Math.min(date, at + known);
	}

	/** The time at the service now, if it ever told. */
	at(at: number): number | undefined {
		return this.ahead === undefined ? undefined : at + this.ahead;
	}
}
