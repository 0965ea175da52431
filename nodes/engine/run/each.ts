import type { Output, ItemResult } from '../operation';

export interface EachOptions<Item> {
	/** Maximum number of items that run at the same time. */
	concurrency: number;
	/** Items with the same key run sequentially, in input order. An item without a key waits for no other. */
	lockKeyOf?: (item: Item) => string | undefined;
	/** Whether no further item starts after this item has failed. */
	stopsAfter?: (failed: Item) => boolean;
}

/**
 * Number of items that run at first if the limit is higher. Half as many more run once these have finished, then two more for
 * each finished item. All at once, most would be rejected by a service with a rate limit, which is not known yet.
 */
const INITIAL_CONCURRENCY = 10;

/**
 * Runs all items up to the concurrency limit and catches their errors. An item that waits for the lock of another item does
 * not count towards the limit: the next item that need not wait runs instead.
 */
export async function runEach<Item>(
	items: readonly Item[],
	run: (item: Item) => Promise<Output>,
	{ concurrency, lockKeyOf = () => undefined, stopsAfter = () => false }: EachOptions<Item>,
): Promise<ItemResult[]> {
	const results: ItemResult[] = [];
	/** Indexes of the running item and of the items that wait for it, by lock key. */
	const queues = new Map<string, number[]>();
	let next = 0;
	let stopped = false;
	let finished = 0;
	/** Start workers that wait until more items may run. */
	const heldWorkers: Array<() => void> = [];

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
		const isEnding = stopped || next >= items.length;
		const growth = ++finished > INITIAL_CONCURRENCY ? 2 : finished % 2;
		for (const start of heldWorkers.splice(0, isEnding ? Infinity : growth)) start();
	};
	const worker = async (_: unknown, position: number) => {
		if (position >= INITIAL_CONCURRENCY)
			await new Promise<void>((resolve) => heldWorkers.push(resolve));
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
			// The queue grows while it is iterated: other workers append the items that must wait for this key.
			for (const queued of ownQueue) await runItem(queued);
			queues.delete(lockKey);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
	return results;
}
