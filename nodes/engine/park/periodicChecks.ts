import { sleep } from '../sleep';
import { systemClock } from '../watch';

/** Checks run for at most 1/50 of the time, however long a single check takes, so that they add little load. */
const DUTY_CYCLE_DIVISOR = 50;

export interface PeriodicCheck {
	/** Minimum time between two runs. */
	everyMs: number;
	run: () => Promise<void>;
}

/** Runs many checks periodically, one at a time, until none is left. */
export class PeriodicChecks {
	private readonly dueAt = new Map<PeriodicCheck, number>();
	private sleepAbort = new AbortController();
	private isRunning = false;

	add(check: PeriodicCheck): void {
		this.dueAt.set(check, systemClock.monotonic() + check.everyMs);
		this.sleepAbort.abort();
		if (!this.isRunning) void this.runUntilEmpty();
	}

	drop(check: PeriodicCheck): void {
		if (this.dueAt.delete(check) && this.dueAt.size === 0) this.sleepAbort.abort();
	}

	private async runUntilEmpty(): Promise<void> {
		this.isRunning = true;
		for (let next = this.firstDue(); next; next = this.firstDue()) {
			const [check, at] = next;
			const waitMs = at - systemClock.monotonic();
			if (waitMs > 0) {
				this.sleepAbort = new AbortController();
				await sleep(waitMs, this.sleepAbort.signal).catch(() => undefined);
				continue;
			}
			const began = systemClock.monotonic();
			await check.run();
			const endedAt = systemClock.monotonic();
			if (this.dueAt.has(check)) this.dueAt.set(check, endedAt + check.everyMs);
			await sleep((DUTY_CYCLE_DIVISOR - 1) * (endedAt - began));
		}
		this.isRunning = false;
	}

	/** Returns the check that is due first, and when. */
	private firstDue(): [PeriodicCheck, number] | undefined {
		let first: [PeriodicCheck, number] | undefined;
		for (const one of this.dueAt) if (!first || one[1] < first[1]) first = one;
		return first;
	}
}
