import type { IDataObject } from 'n8n-workflow';

import { inquire } from '../inquire';
import type { Manner } from '../request';
import type { Answer, Watched } from '../watch';
import type { Line } from './line';
import type { Watchable } from './watchable';

/** Once, since the watcher decides about another try. */
const MANNER: Manner = { tries: 1, longestWaitMs: 0, timeLimitMs: 30_000 };

/** Asks the service about ids over one line, and remembers what it has against single ids. */
export class Inquirer {
	private readonly problems = new Map<string, string>();

	constructor(
		private readonly watchable: Watchable,
		private readonly line: Line,
		private readonly options: IDataObject,
	) {}

	/**
	 * Asks about one id, once. A refused credential is read again first: if it has changed, the watcher merely pauses. An id
	 * that the service will not be asked about stays watched, since a wrong address looks just the same.
	 */
	async ask(watched: Watched, signal: AbortSignal): Promise<Answer> {
		const { service } = this.watchable;
		const connection = await this.line.current();
		const manner = { ...MANNER, signal };
		const asked = { watched, connection, manner, options: this.options };
		const request = this.watchable.request(watched.id);
		const found = await inquire(
			connection,
			service,
			request,
			manner,
			async (answer) => await this.watchable.read(answer, asked),
		);
		if (found.kind === 'failed') {
			const { message } = found.failure;
			this.problems.set(watched.id, message);
			return { kind: 'sick', message };
		}
		this.problems.delete(watched.id);
		if (found.kind === 'refused' && (await this.line.renewed(connection))) {
			return { kind: 'busy', message: found.message };
		}
		return found;
	}

	/** What the service had against an id when it was last asked; gives it once. */
	takeProblem(id: string): string | undefined {
		const problem = this.problems.get(id);
		this.problems.delete(id);
		return problem;
	}
}
