import fc from 'fast-check';

import { DueQueue } from '../../../nodes/engine/watch/dueQueue';

describe('the queue of due IDs', () => {
	test('returns the earliest first, and equal times in the order of insertion', () => {
		const queue = new DueQueue();
		for (const [id, dueAtMs] of [
			['c', 3],
			['a', 1],
			['b', 1],
			['d', 2],
		] as const) {
			queue.set(id, dueAtMs);
		}
		expect(queue.next()).toBe(1);
		expect([1, 1, 2, 2, 3].map((now) => queue.take(now)?.id)).toEqual([
			'a',
			'b',
			'd',
			undefined,
			'c',
		]);
		expect(queue.next()).toBe(Infinity);
	});

	/** Creates IDs with different due times, in random order. */
	const shuffled = Array.from({ length: 101 }, (_, index) => (index * 37) % 101);
	const takeAll = (queue: DueQueue) =>
		Array.from({ length: queue.size }, () => queue.take(Infinity)!.dueAt);
	const inOrder = [...shuffled].sort((a, b) => a - b);

	test('sorts many IDs', () => {
		const queue = new DueQueue();
		for (const dueAt of shuffled) queue.set(`id${dueAt}`, dueAt);
		expect(takeAll(queue)).toEqual(inOrder);
	});

	test('stays sorted and small, however often an ID is rescheduled', () => {
		const queue = new DueQueue();
		for (const dueAt of shuffled) queue.set(`id${dueAt}`, dueAt);
		for (let movedTo = 1000; movedTo >= 50.5; movedTo -= 0.5) {
			queue.set('moved', movedTo);
			expect(queue['heap'].length).toBeLessThanOrEqual(3 * shuffled.length);
		}
		expect(takeAll(queue)).toEqual([...inOrder, 50.5].sort((a, b) => a - b));
	});

	test('holds no other entries while nothing is rescheduled', () => {
		const queue = new DueQueue();
		for (const dueAt of shuffled) queue.set(`id${dueAt}`, dueAt);
		expect(queue['heap']).toHaveLength(shuffled.length);
		takeAll(queue);
		queue.next();
		expect(queue['heap']).toEqual([]);
	});

	test('behaves like a sorted list for any sequence of set, move, remove and take', () => {
		const id = fc.integer({ min: 0, max: 9 }).map(String);
		const anyDueTime = fc.integer({ min: 0, max: 20 });
		const step = fc.oneof(
			fc.record({ kind: fc.constant('set' as const), id, at: anyDueTime }),
			fc.record({ kind: fc.constant('delete' as const), id }),
			fc.record({ kind: fc.constant('take' as const), at: anyDueTime }),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
				const queue = new DueQueue();
				let model: Array<{ id: string; dueAtMs: number }> = [];
				for (const command of steps) {
					if (command.kind === 'take') {
						const first = [...model].sort((a, b) => a.dueAtMs - b.dueAtMs)[0];
						const expected = first && first.dueAtMs <= command.at ? first : undefined;
						const taken = queue.take(command.at);
						expect(taken && { id: taken.id, dueAtMs: taken.dueAt }).toEqual(expected);
						if (expected) model = model.filter((item) => item !== expected);
					} else {
						model = model.filter((item) => item.id !== command.id);
						if (command.kind === 'set') {
							model.push({ id: command.id, dueAtMs: command.at });
							queue.set(command.id, command.at);
						} else queue.delete(command.id);
					}
					expect(queue.size).toBe(model.length);
					expect(queue.next()).toBe(Math.min(Infinity, ...model.map((item) => item.dueAtMs)));
				}
			}),
			{ numRuns: 500 },
		);
	});
});
