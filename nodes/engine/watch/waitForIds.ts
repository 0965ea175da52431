import { validateNewId } from './newId';
import type { EndedId, NewId, WatchOptions } from './types';
import { Watcher } from './watcher';
import type { WatchHooks } from './watcher';

/** Limits are not needed: the caller holds these IDs in memory anyway, and their ends start no workflow. */
const NO_LIMITS = {
	maxWatched: Infinity,
	startBatchSize: Infinity,
} satisfies Partial<WatchOptions>;

/** The result of waiting for IDs. */
export interface IdWaitResult {
	/** How each ID ended, by trimmed ID. An ID is missing if a rejected credential stopped the wait. */
	ended: Map<string, EndedId>;
	/** The service's message if it rejected the credential. */
	credentialRejectionMessage?: string;
}

/**
 * Waits until every ID has ended or `maxWaitMs` have passed. Watches all IDs together, by the same rules as a trigger, and
 * saves nothing. An ID that occurs twice is polled once. Rejects with the signal's reason if the signal is aborted first.
 */
export async function waitForIds(
	items: NewId[],
	hooks: Pick<WatchHooks, 'pollId' | 'report' | 'sleep' | 'clock' | 'random'>,
	options: Partial<WatchOptions> & { maxWaitMs: number },
	signal: AbortSignal,
): Promise<IdWaitResult> {
	const endedIds = new Map<string, EndedId>();
	const emit = async (end: EndedId) => void endedIds.set(end.id, end);
	const watcher = new Watcher({ ...hooks, emit }, { ...options, ...NO_LIMITS });
	for (const item of items) {
		const problem = validateNewId(item);
		if (problem) throw new Error(problem.message);
	}
	watcher.add(items);
	const { credentialRejectionMessage } = await watcher.run(signal, { untilIdle: true });
	signal.throwIfAborted();
	return { ended: endedIds, credentialRejectionMessage };
}
