import { deepCopy } from 'n8n-workflow';

import type { Output } from '../operation';

/** Results of one execution that items with equal requests share. */
export class SharedResults {
	private readonly answers = new Map<string, Promise<Output>>();

	/** Calls `ask` for the first item with a key; later ones get a deep copy of its result, or its error. No key: nothing is shared. */
	async get(shareKey: string | undefined, ask: () => Promise<Output>): Promise<Output> {
		if (shareKey === undefined) return await ask();
		const known = this.answers.get(shareKey);
		if (known) return deepCopy(await known);
		const asked = ask();
		this.answers.set(shareKey, asked);
		return await asked;
	}
}
