import { deepCopy } from 'n8n-workflow';

import type { Output } from '../operation';

/** Results of one execution that items with equal requests share. */
export class SharedResults {
	private readonly results = new Map<string, Promise<Output>>();

	/**
	 * Calls `run` for the first item with a key; later items with that key get a deep copy of its result, or its error.
	 * Items without a key share nothing.
	 */
	async get(shareKey: string | undefined, run: () => Promise<Output>): Promise<Output> {
		if (shareKey === undefined) return await run();
		const sharedResult = this.results.get(shareKey);
		if (sharedResult) return deepCopy(await sharedResult);
		const running = run();
		this.results.set(shareKey, running);
		return await running;
	}
}
