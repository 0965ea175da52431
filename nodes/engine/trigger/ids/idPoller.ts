import { Client } from '../../http/client';
import type { Connection } from '../../http/client';
import type { SendOptions } from '../../http/types';
import { ask } from '../../wait/ask';
import type { CredentialRejections } from '../common/rejections';
import type { PollResult, Watched } from './core';
import type { IdTriggerSetup } from './setup';

/** Once, since the watcher decides about another try. */
const ONCE: SendOptions = { tries: 1, longestWaitMs: 0, timeLimitMs: 30_000 };

/**
 * Gives what asks the service about one id, once, and hangs up whatever is under way when the signal is given. An id that the
 * service will not be asked about stays watched, since a wrong address looks just the same.
 */
export function createIdPoller(
	{ watchable, settings: { options } }: IdTriggerSetup,
	rejections: CredentialRejections,
	signal: AbortSignal,
): (watched: Watched) => Promise<PollResult> {
	const underWay = new Set<AbortController>();
	signal.addEventListener('abort', () => {
		for (const controller of underWay) controller.abort();
	});
	const pollOver = async (connection: Connection, watched: Watched): Promise<PollResult> => {
		// A signal of its own for each: as many listeners on one signal would look like a leak.
		const controller = new AbortController();
		const client = new Client(connection, { ...ONCE, signal: controller.signal });
		underWay.add(controller);
		try {
			return await ask(
				client,
				watchable.request(watched.id),
				async (answer) => await watchable.read(answer, { watched, client, options }),
			);
		} finally {
			underWay.delete(controller);
		}
	};
	return async (watched) =>
		await rejections.ask(async (connection) => await pollOver(connection, watched));
}
