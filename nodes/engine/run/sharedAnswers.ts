import { deepCopy } from 'n8n-workflow';

import type { Output } from '../operation';

/** The answers of one execution that serve all items which ask the same question. */
export class SharedAnswers {
	private readonly answers = new Map<string, Promise<Output>>();

	/** Asks unless somebody did before; a failure is shared, too. Everybody gets a copy that nobody else can change. */
	async get(shareKey: string | undefined, ask: () => Promise<Output>): Promise<Output> {
		if (shareKey === undefined) return await ask();
		const known = this.answers.get(shareKey);
		if (known) return deepCopy(await known);
		const asked = ask();
		this.answers.set(shareKey, asked);
		return await asked;
	}
}
