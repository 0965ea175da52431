import type { IDataObject } from 'n8n-workflow';

import { inquire } from '../wait/inquire';
import type { Inquired } from '../wait/inquire';
import { Client } from '../http/client';
import type { Connection } from '../http/client';
import type { SendOptions } from '../http/types';
import type { Answer, Watched } from '../watch';
import type { Line } from './line';
import type { Watchable } from './watchable';

/** Once, since the watcher decides about another try. */
const ONCE: SendOptions = { tries: 1, longestWaitMs: 0, timeLimitMs: 30_000 };

const DELETED =
	'The credential of this trigger does not exist any more: choose another one in the node, and publish the workflow';

/** Asks the service about ids over one line. */
export class Inquirer {
	private readonly underWay = new Set<AbortController>();

	/** Hangs up whatever it asks when the signal is given. */
	constructor(
		private readonly watchable: Watchable,
		private readonly line: Line,
		private readonly options: IDataObject,
		signal: AbortSignal,
	) {
		signal.addEventListener('abort', () => {
			for (const one of this.underWay) one.abort();
		});
	}

	/**
	 * Asks about one id, once. A refused credential is read again first: if it has changed, the watcher merely pauses. One that was
	 * deleted is like one that is refused. An id
	 * that the service will not be asked about stays watched, since a wrong address looks just the same.
	 */
	async ask(watched: Watched): Promise<Answer> {
		const connection = await this.line.current();
		if (!connection) return { kind: 'refused', message: DELETED };
		const found = await this.inquire(watched, connection);
		if (found.kind === 'refused' && (await this.line.renewed(connection))) {
			return { kind: 'busy', message: found.message };
		}
		return found;
	}

	private async inquire(watched: Watched, connection: Connection): Promise<Inquired> {
		const { watchable, options, underWay } = this;
		// A signal of its own for each: as many listeners on one signal would look like a leak.
		const one = new AbortController();
		const client = new Client(connection, { ...ONCE, signal: one.signal });
		underWay.add(one);
		try {
			return await inquire(
				client,
				watchable.request(watched.id),
				async (answer) => await watchable.read(answer, { watched, client, options }),
			);
		} finally {
			underWay.delete(one);
		}
	}
}
