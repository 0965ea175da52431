// Protects runs over many items: items with the same key keep their order, no slot stays unused, and a failure can end it.
import fc from 'fast-check';

import { runEach } from '../../../nodes/engine/run/each';

interface Item {
	index: number;
	lockKey: string | undefined;
	shouldFail: boolean;
	/** Number of event-loop turns that the item takes. */
	durationTurns: number;
}

const waitEventLoopTurns = async (turns: number) => {
	for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Runs items and logs when each begins and ends, and whether a free slot stayed unused. */
async function runAndLog(items: Item[], concurrency: number, stopsAtFailures: boolean) {
	const log: Array<[phase: 'begins' | 'ends', item: Item]> = [];
	const runningItems = new Set<Item>();
	const begunItems = new Set<Item>();
	let unusedSlots = 0;
	const canBegin = ({ lockKey }: Item) =>
		lockKey === undefined || ![...runningItems].some((other) => other.lockKey === lockKey);
	const results = await runEach(
		items,
		async (item) => {
			log.push(['begins', item]);
			runningItems.add(item);
			begunItems.add(item);
			await waitEventLoopTurns(1);
			// By now every item with a free slot has begun.
			const waitingItems = items.filter((other) => !begunItems.has(other));
			if (runningItems.size < concurrency && waitingItems.some(canBegin)) unusedSlots++;
			await waitEventLoopTurns(item.durationTurns);
			runningItems.delete(item);
			log.push(['ends', item]);
			if (item.shouldFail) throw new Error(`${item.index} failed`);
			return { n: item.index };
		},
		{
			concurrency,
			lockKeyOf: ({ lockKey }) => lockKey,
			stopsAfter: () => stopsAtFailures,
		},
	);
	return { log, results, unusedSlots };
}

const anyItems = fc
	.array(
		fc.record({
			lockKey: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
			shouldFail: fc.boolean(),
			durationTurns: fc.nat(4),
		}),
		{ maxLength: 30 },
	)
	.map((items) => items.map((item, index) => ({ ...item, index })));

describe('runEach', () => {
	it('never runs items with the same key concurrently or out of order, and uses the whole concurrency limit', async () => {
		await fc.assert(
			fc.asyncProperty(anyItems, fc.integer({ min: 1, max: 8 }), async (items, concurrency) => {
				const { log, results, unusedSlots } = await runAndLog(items, concurrency, false);
				const runningItems: Item[] = [];
				const begunByKey = new Map<string, number[]>();
				for (const [phase, item] of log) {
					if (phase === 'ends') {
						runningItems.splice(runningItems.indexOf(item), 1);
						continue;
					}
					const { lockKey, index } = item;
					if (lockKey !== undefined) {
						expect(runningItems.filter((other) => other.lockKey === lockKey)).toEqual([]);
						begunByKey.set(lockKey, [...(begunByKey.get(lockKey) ?? []), index]);
					}
					runningItems.push(item);
					expect(runningItems.length).toBeLessThanOrEqual(concurrency);
				}
				for (const indexes of begunByKey.values()) {
					expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
				}
				expect(unusedSlots).toBe(0);
				expect(results).toEqual(
					items.map(({ index, shouldFail }) =>
						shouldFail ? { error: new Error(`${index} failed`) } : { items: [{ n: index }] },
					),
				);
			}),
			{ numRuns: 150 },
		);
	});

	it('begins with ten items if the limit is higher, and reaches the limit after few more', async () => {
		const items = Array.from({ length: 200 }, (_, index) => index);
		const finishers: Array<() => void> = [];
		const run = runEach(
			items,
			async () => {
				await new Promise<void>((resolve) => finishers.push(resolve));
				return {};
			},
			{ concurrency: 50 },
		);
		const runningCounts: number[] = [];
		while (runningCounts.reduce((sum, count) => sum + count, 0) < items.length) {
			await waitEventLoopTurns(1);
			runningCounts.push(finishers.length);
			for (const finish of finishers.splice(0)) finish();
		}
		expect(runningCounts).toEqual([10, 15, 45, 50, 50, 30]);
		expect(await run).toHaveLength(items.length);
	});

	it.each([true, false])(
		'ends with a limit of 50 whatever the items do, if a failure ends the run: %s',
		async (stopsAtFailures) => {
			await fc.assert(
				fc.asyncProperty(anyItems, async (items) => {
					const { results } = await runAndLog(items, 50, stopsAtFailures);
					const firstFailure = items.findIndex(({ shouldFail }) => shouldFail);
					if (!stopsAtFailures || firstFailure < 0)
						expect(results.filter(Boolean)).toHaveLength(items.length);
					else expect(results.filter(Boolean).some((result) => 'error' in result)).toBe(true);
				}),
				{ numRuns: 100 },
			);
		},
	);

	it('begins no waiting item after an item has failed, if a failure ends the run', async () => {
		const createItem = (index: number, shouldFail = false): Item => ({
			index,
			lockKey: 'same',
			shouldFail,
			durationTurns: 1,
		});
		const { log, results } = await runAndLog(
			[createItem(0), createItem(1, true), createItem(2), createItem(3)],
			4,
			true,
		);
		expect(log.filter(([phase]) => phase === 'begins').map(([, { index }]) => index)).toEqual([
			0, 1,
		]);
		expect(results).toEqual([{ items: [{ n: 0 }] }, { error: new Error('1 failed') }]);
	});
});
