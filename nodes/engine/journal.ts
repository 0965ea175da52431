/** How processing of an item ended. */
export type SettledResult<T = unknown> = { value: T } | { error: unknown };

/** Runs `work` and returns how it ended. */
export const captureResult = async <T>(work: () => Promise<T>): Promise<SettledResult<T>> =>
	await work().then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);

/**
 * Prevents duplicate requests of one item if n8n repeats a run (_Retry On Fail_). A finished item is not processed again;
 * the journal returns its stored result. In an unfinished item, a request that is not idempotent and got a response is not
 * sent again; the journal returns that response.
 */
export interface Journal {
	/** How an earlier try finished the item; undefined if none has. */
	readonly settled: SettledResult | undefined;
	/** Whether this try or an earlier one has sent a request of the item that must not be sent again. */
	readonly hasSent: boolean;
	/** Finishes the item: later tries of the run return this result and do not process the item. */
	settle(result: SettledResult): void;
	/**
	 * Runs `work`; if an earlier try has finished the item, returns or throws its result instead. A success finishes the
	 * item, and so does a failure that leaves it unknown whether the service executed a request.
	 */
	runOnce<T>(work: () => Promise<T>): Promise<T>;
	/**
	 * Returns what an earlier try of the run has reached in the item, or what `begin` returns. The caller changes the returned
	 * object as the item proceeds. For items that send their requests outside of `runOnce`.
	 */
	progress<T extends object>(begin: () => T): T;
}
