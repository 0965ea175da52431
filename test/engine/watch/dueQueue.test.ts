// Protects the order of polls: the ID that is due first is polled first, and the queue stays small.
import fc from 'fast-check';

import { DueQueue } from '../../../nodes/engine/watch/dueQueue';

describe('the queue of due IDs', () => {
	test('returns the earliest ID first, and IDs with equal times in the order of insertion', () => {
		const queue = new DueQueue();
		for (const [id, dueAtMs] of [
			['c', 3],
			['a', 1],
			['b', 1],
			['d', 2],
		] as const) {
			queue.set(id, dueAtMs);
		}
		expect(queue.nextDueAt()).toBe(1);
		expect([1, 1, 2, 2, 3].map((nowMs) => queue.take(nowMs)?.id)).toEqual([
			'a',
			'b',
			'd',
			undefined,
			'c',
		]);
		expect(queue.nextDueAt()).toBe(Infinity);
	});

	/** The due times 0 to 100, each once, in mixed order. */
	const mixedTimes = Array.from({ length: 101 }, (_, index) => (index * 37) % 101);
	const takeAllTimes = (queue: DueQueue) =>
		Array.from({ length: queue.size }, () => queue.take(Infinity)!.dueAt);
	const sortedTimes = [...mixedTimes].sort((a, b) => a - b);

	test('returns many IDs in the order of their due times', () => {
		const queue = new DueQueue();
		for (const dueAt of mixedTimes) queue.set(`id${dueAt}`, dueAt);
		expect(takeAllTimes(queue)).toEqual(sortedTimes);
	});

	test('stays sorted and small, however often an ID is rescheduled', () => {
		const queue = new DueQueue();
		for (const dueAt of mixedTimes) queue.set(`id${dueAt}`, dueAt);
		for (let movedTo = 1000; movedTo >= 50.5; movedTo -= 0.5) {
			queue.set('moved', movedTo);
			expect(queue['heap'].length).toBeLessThanOrEqual(3 * mixedTimes.length);
		}
		expect(takeAllTimes(queue)).toEqual([...sortedTimes, 50.5].sort((a, b) => a - b));
	});

	test('contains no outdated entries if no ID was rescheduled', () => {
		const queue = new DueQueue();
		for (const dueAt of mixedTimes) queue.set(`id${dueAt}`, dueAt);
		expect(queue['heap']).toHaveLength(mixedTimes.length);
		takeAllTimes(queue);
		queue.nextDueAt();
		expect(queue['heap']).toEqual([]);
	});

	test('behaves like a sorted list for any sequence of set, move, remove and take', () => {
		const anyId = fc.integer({ min: 0, max: 9 }).map(String);
		const anyDueTime = fc.integer({ min: 0, max: 20 });
		const anyStep = fc.oneof(
			fc.record({ kind: fc.constant('set' as const), id: anyId, dueAtMs: anyDueTime }),
			fc.record({ kind: fc.constant('delete' as const), id: anyId }),
			fc.record({ kind: fc.constant('take' as const), nowMs: anyDueTime }),
		);
		fc.assert(
			fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
				const queue = new DueQueue();
				let model: Array<{ id: string; dueAtMs: number }> = [];
				for (const command of steps) {
					if (command.kind === 'take') {
						const earliest = [...model].sort((a, b) => a.dueAtMs - b.dueAtMs)[0];
						const expected = earliest && earliest.dueAtMs <= command.nowMs ? earliest : undefined;
						const taken = queue.take(command.nowMs);
						expect(taken && { id: taken.id, dueAtMs: taken.dueAt }).toEqual(expected);
						if (expected) model = model.filter((item) => item !== expected);
					} else {
						model = model.filter((item) => item.id !== command.id);
						if (command.kind === 'set') {
							model.push({ id: command.id, dueAtMs: command.dueAtMs });
							queue.set(command.id, command.dueAtMs);
						} else queue.delete(command.id);
					}
					expect(queue.size).toBe(model.length);
					expect(queue.nextDueAt()).toBe(Math.min(Infinity, ...model.map((item) => item.dueAtMs)));
				}
			}),
			{ numRuns: 500 },
		);
	});
});
