import { sleep } from '../sleep';
import { systemClock } from '../trigger/ids/core';

/** Calls take one part in so many of the time, whatever one takes: they must not become a load of their own. */
const ONE_PART_IN = 20;

/** Something that is called at again and again. */
export interface Stop {
	/** How much time lies between two calls at least. */
	everyMs: number;
	/** Calls at it. */
	call: () => Promise<void>;
}

/** Calls at many places in turn, at one at a time, for as long as there are any. */
export class Rounds {
	private readonly dueAt = new Map<Stop, number>();
	private nap = new AbortController();
	private underWay = false;

	add(stop: Stop): void {
		this.dueAt.set(stop, systemClock.monotonic() + stop.everyMs);
		this.nap.abort();
		if (!this.underWay) void this.go();
	}

	drop(stop: Stop): void {
		if (this.dueAt.delete(stop) && this.dueAt.size === 0) this.nap.abort();
	}

	private async go(): Promise<void> {
		this.underWay = true;
		for (let next = this.next(); next; next = this.next()) {
			const [stop, at] = next;
			const waitMs = at - systemClock.monotonic();
			if (waitMs > 0) {
				this.nap = new AbortController();
				await sleep(waitMs, this.nap.signal).catch(() => undefined);
				continue;
			}
			const began = systemClock.monotonic();
			await stop.call();
			const ended = systemClock.monotonic();
			if (this.dueAt.has(stop)) this.dueAt.set(stop, ended + stop.everyMs);
			await sleep((ONE_PART_IN - 1) * (ended - began));
		}
		this.underWay = false;
	}

	/** Where it is due first, and when. */
	private next(): [Stop, number] | undefined {
		let first: [Stop, number] | undefined;
		for (const one of this.dueAt) if (!first || one[1] < first[1]) first = one;
		return first;
	}
}
