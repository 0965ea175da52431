import { sleep } from '../../sleep';

/** Grace period of activation after the time within which the first answer is expected. */
const FIRST_ANSWER_MS = 3000;

/**
 * The first answer of the service. Activation waits for it, so that n8n shows a failure to the user who publishes the
 * workflow.
 */
export class FirstAnswer {
	private readonly arrived = new AbortController();
	private failure: Error | undefined;
	private waiting = false;

	/** Whether activation waits and reports a failure itself, so that it need not be reported by `emitError`. */
	get isAwaited(): boolean {
		return this.waiting;
	}

	/** Ends the wait: an answer has arrived, or the first round is over. */
	arrive(): void {
		this.arrived.abort();
	}

	/** Records why no answer will arrive. */
	fail(failure: Error): void {
		this.failure = failure;
	}

	/** Waits for the answer for a limited time. Throws if the trigger has failed meanwhile. */
	async waitOrThrow(ended: Promise<unknown>, intervalMs: number): Promise<void> {
		this.waiting = true;
		await this.waitSilently(ended, intervalMs);
		this.waiting = false;
		if (this.failure) throw this.failure;
	}

	/** Waits for the same time without throwing, where no user waits for the activation. */
	async waitSilently(ended: Promise<unknown>, intervalMs: number): Promise<void> {
		const timeout = sleep(intervalMs + FIRST_ANSWER_MS, this.arrived.signal);
		await Promise.race([ended, timeout.catch(() => undefined)]);
		this.arrived.abort();
	}
}
