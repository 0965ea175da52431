import type { Output, Result } from '../operation';

/** How the items of an execution are run. */
export interface EachOptions<Item> {
	/** How many run at once. */
	concurrency: number;
	/** What an item works on: of those with the same, one runs at a time, in order. Nothing where it is in nobody's way. */
	lockKeyOf: (item: Item) => string | undefined;
	/** Whether nothing more begins once this item has failed. */
	stopsAfter: (failed: Item) => boolean;
}

/**
 * Runs every item, some at a time, and catches what each throws. One that must wait for another takes up no place: the next
 * one that need not wait runs instead.
 */
export async function runEach<Item>(
	items: readonly Item[],
	run: (item: Item) => Promise<Output>,
	{ concurrency, lockKeyOf, stopsAfter }: EachOptions<Item>,
): Promise<Result[]> {
	const results: Result[] = [];
	/** Those who wait, by what is being worked on. */
	const queues = new Map<string, number[]>();
	let next = 0;
	let stopped = false;

	const runItem = async (index: number) => {
		if (stopped) return;
		const item = items[index]!;
		try {
			const output = await run(item);
			results[index] = { items: Array.isArray(output) ? output : [output] };
		} catch (error) {
			results[index] = { error };
			stopped ||= stopsAfter(item);
		}
	};
	const worker = async () => {
		while (next < items.length && !stopped) {
			const index = next++;
			const lockKey = lockKeyOf(items[index]!);
			if (lockKey === undefined) {
				await runItem(index);
				continue;
			}
			const queue = queues.get(lockKey);
			if (queue) {
				queue.push(index);
				continue;
			}
			const ownQueue = [index];
			queues.set(lockKey, ownQueue);
			// Whoever waits meanwhile comes right after.
			for (const queued of ownQueue) await runItem(queued);
			queues.delete(lockKey);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
	return results;
}
