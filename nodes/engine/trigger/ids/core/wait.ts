import { Watcher } from './loop';
import type { WatchHooks } from './loop';
import { problemWith } from './newId';
import type { Ended, NewId, WatchOptions } from './types';

/** What is waited for is in memory anyway, and its end starts nothing. */
const NO_LIMITS = { maxWatched: Infinity, startsAtATime: Infinity };

/** What became of ids that were waited for. */
export interface Waited {
	/** How each id ended, by id without white space around it; the ones missing here were cut short by a refused credential. */
	ended: Map<string, Ended>;
	/** The service's words when it refused the credential. */
	refused?: string;
}

/**
 * Waits until each id has ended or `deadlineMs` have passed, all together and by the same rules as a watcher, and keeps
 * nothing. The same id twice is asked for once. Rejects with the signal's reason when that is given first.
 */
export async function waitForAll(
	items: NewId[],
	hooks: Pick<WatchHooks, 'fetch' | 'report' | 'sleep' | 'clock' | 'random'>,
	options: Partial<WatchOptions> & { deadlineMs: number },
	signal: AbortSignal,
): Promise<Waited> {
	const ended = new Map<string, Ended>();
	const emit = async (end: Ended) => void ended.set(end.id, end);
	const watcher = new Watcher({ ...hooks, emit }, { ...options, ...NO_LIMITS });
	for (const item of items) {
		const problem = problemWith(item);
		if (problem) throw new Error(problem.message);
	}
	watcher.add(items);
	const { refused } = await watcher.run(signal, { untilIdle: true });
	signal.throwIfAborted();
	return { ended, refused };
}
