import { sleep } from '../../sleep';

/** How long the start of a trigger waits for the first answer, beyond one interval. */
const FIRST_ANSWER_MS = 3000;

/** The first answer of the service, which holds up the start of a trigger: whoever switches it on hears at once of its failure. */
export class FirstAnswer {
	private readonly arrived = new AbortController();
	private failure: Error | undefined;
	private waiting = false;

	/** Whether somebody waits, and hears of a failure instead of n8n. */
	get isAwaited(): boolean {
		return this.waiting;
	}

	/** Notes that it is there. */
	arrive(): void {
		this.arrived.abort();
	}

	/** Notes why it will not come. */
	fail(failure: Error): void {
		this.failure = failure;
	}

	/** Waits for it, but not for long. Throws if the trigger has failed meanwhile. */
	async waitOrThrow(ended: Promise<unknown>, intervalMs: number): Promise<void> {
		this.waiting = true;
		await this.waitSilently(ended, intervalMs);
		this.waiting = false;
		if (this.failure) throw this.failure;
	}

	/** Waits for it just as long, where nobody is there to hear of a failure. */
	async waitSilently(ended: Promise<unknown>, intervalMs: number): Promise<void> {
		const timeout = sleep(intervalMs + FIRST_ANSWER_MS, this.arrived.signal);
		await Promise.race([ended, timeout.catch(() => undefined)]);
		this.arrived.abort();
	}
}
