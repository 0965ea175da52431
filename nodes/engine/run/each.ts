import type { Output, Result } from '../operation';

/** How the items of an execution are run. */
export interface EachOptions<Item> {
	/** How many run at once. */
	atATime: number;
	/** What an item works on: of those with the same, one runs at a time, in order. Nothing where it is in nobody's way. */
	turnOf: (item: Item) => string | undefined;
	/** Whether nothing more begins once this item has failed. */
	endsWith: (failed: Item) => boolean;
}

/**
 * Runs every item, some at a time, and catches what each throws. One that must wait for another takes up no place: the next
 * one that need not wait runs instead.
 */
export async function runEach<Item>(
	items: readonly Item[],
	run: (item: Item) => Promise<Output>,
	{ atATime, turnOf, endsWith }: EachOptions<Item>,
): Promise<Result[]> {
	const results: Result[] = [];
	/** Those who wait, by what is being worked on. */
	const lines = new Map<string, number[]>();
	let next = 0;
	let stopped = false;

	const work = async (index: number) => {
		if (stopped) return;
		const item = items[index]!;
		try {
			const output = await run(item);
			results[index] = { items: Array.isArray(output) ? output : [output] };
		} catch (error) {
			results[index] = { error };
			stopped ||= endsWith(item);
		}
	};
	const worker = async () => {
		while (next < items.length && !stopped) {
			const index = next++;
			const turn = turnOf(items[index]!);
			if (turn === undefined) {
				await work(index);
				continue;
			}
			const line = lines.get(turn);
			if (line) {
				line.push(index);
				continue;
			}
			const own = [index];
			lines.set(turn, own);
			// Whoever waits meanwhile comes right after.
			for (const each of own) await work(each);
			lines.delete(turn);
		}
	};
	await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
	return results;
}
