import fc from 'fast-check';

import { runEach } from '../../../nodes/engine/run/each';

interface Item {
	index: number;
	turn: string | undefined;
	fails: boolean;
	/** After how many turns of the event loop it is done. */
	takes: number;
}

const pause = async (turns: number) => {
	for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Runs items and notes when each begins and ends, and what could have begun meanwhile. */
async function play(items: Item[], atATime: number, stopsAtFailures: boolean) {
	const log: Array<[what: 'begins' | 'ends', item: Item]> = [];
	const running = new Set<Item>();
	const begun = new Set<Item>();
	let idle = 0;
	const couldBegin = ({ turn }: Item) =>
		turn === undefined || ![...running].some((other) => other.turn === turn);
	const results = await runEach(
		items,
		async (item) => {
			log.push(['begins', item]);
			running.add(item);
			begun.add(item);
			await pause(1);
			// By now every item with a free slot has begun.
			const waiting = items.filter((other) => !begun.has(other));
			if (running.size < atATime && waiting.some(couldBegin)) idle++;
			await pause(item.takes);
			running.delete(item);
			log.push(['ends', item]);
			if (item.fails) throw new Error(`${item.index} failed`);
			return { n: item.index };
		},
		{ concurrency: atATime, lockKeyOf: ({ turn }) => turn, stopsAfter: () => stopsAtFailures },
	);
	return { log, results, idle };
}

const someItems = fc
	.array(
		fc.record({
			turn: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
			fails: fc.boolean(),
			takes: fc.nat(4),
		}),
		{ maxLength: 30 },
	)
	.map((items) => items.map((item, index) => ({ ...item, index })));

describe('runEach', () => {
	it('never runs items with the same key concurrently or out of order, and uses the whole concurrency limit', async () => {
		await fc.assert(
			fc.asyncProperty(someItems, fc.integer({ min: 1, max: 8 }), async (items, atATime) => {
				const { log, results, idle } = await play(items, atATime, false);
				const running: Item[] = [];
				const order = new Map<string, number[]>();
				for (const [what, item] of log) {
					if (what === 'ends') {
						running.splice(running.indexOf(item), 1);
						continue;
					}
					const { turn, index } = item;
					if (turn !== undefined) {
						expect(running.filter((other) => other.turn === turn)).toEqual([]);
						order.set(turn, [...(order.get(turn) ?? []), index]);
					}
					running.push(item);
					expect(running.length).toBeLessThanOrEqual(atATime);
				}
				for (const indexes of order.values()) {
					expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
				}
				expect(idle).toBe(0);
				expect(results).toEqual(
					items.map(({ index, fails }) =>
						fails ? { error: new Error(`${index} failed`) } : { items: [{ n: index }] },
					),
				);
			}),
			{ numRuns: 150 },
		);
	});

	it('does not begin waiting items after one has failed if that ends the run', async () => {
		const item = (index: number, fails = false): Item => ({ index, turn: 'same', fails, takes: 1 });
		const { log, results } = await play([item(0), item(1, true), item(2), item(3)], 4, true);
		expect(log.filter(([what]) => what === 'begins').map(([, { index }]) => index)).toEqual([0, 1]);
		expect(results).toEqual([{ items: [{ n: 0 }] }, { error: new Error('1 failed') }]);
	});
});
