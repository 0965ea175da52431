import { sleep } from '../../sleep';

/** Grace period of activation after the time within which the first response is expected. */
const GRACE_MS = 3000;

/**
 * The first response of the service. Activation waits for it, so that n8n shows a failure to the user who publishes the
 * workflow.
 */
export class FirstResponse {
	private readonly waitEnded = new AbortController();
	private failure: Error | undefined;
	private willThrow = false;

	/** Whether `waitOrThrow` waits and will throw the failure, so that the trigger need not call `emitError`. */
	get reportsFailure(): boolean {
		return this.willThrow;
	}

	/** Ends the wait: a response has arrived, or the first round is over. */
	arrive(): void {
		this.waitEnded.abort();
	}

	/** Records why no response will arrive. */
	fail(failure: Error): void {
		this.failure = failure;
	}

	/** Waits for the response for a limited time. Throws if the trigger has failed meanwhile. */
	async waitOrThrow(runEnd: Promise<unknown>, maxWaitMs: number): Promise<void> {
		this.willThrow = true;
		await this.waitSilently(runEnd, maxWaitMs);
		this.willThrow = false;
		if (this.failure) throw this.failure;
	}

	/** Waits like `waitOrThrow` but does not throw; for activations that no user waits for. */
	async waitSilently(runEnd: Promise<unknown>, maxWaitMs: number): Promise<void> {
		const timeout = sleep(maxWaitMs + GRACE_MS, this.waitEnded.signal);
		await Promise.race([runEnd, timeout.catch(() => undefined)]);
		this.waitEnded.abort();
	}
}
