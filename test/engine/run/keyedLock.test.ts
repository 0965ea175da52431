// Protects work that must not overlap: callers with the same key run in order, and a failed or canceled one blocks no other.
import fc from 'fast-check';

import { KeyedLock } from '../../../nodes/engine/run/keyedLock';

/** Creates work that lasts until the test ends or fails it. */
function createWork() {
	let end: () => void = () => undefined;
	let fail: (error: Error) => void = () => undefined;
	const done = new Promise<void>((resolve, reject) => {
		end = resolve;
		fail = reject;
	});
	return { done, end, fail };
}

const settlePromises = async () => await new Promise((resolve) => setImmediate(resolve));

describe('KeyedLock', () => {
	it('runs callers with the same key sequentially, in the order of their calls', async () => {
		const lock = new KeyedLock();
		const log: string[] = [];
		const jobs = ['a', 'b', 'c'].map((name) => ({ name, ...createWork() }));
		const runs = jobs.map(({ name, done }) =>
			lock.runExclusive('thing', async () => {
				log.push(`${name} begins`);
				await done;
				log.push(`${name} ends`);
				return name;
			}),
		);
		await settlePromises();
		expect(log).toEqual(['a begins']);
		for (const { end } of [...jobs].reverse()) end();
		expect(await Promise.all(runs)).toEqual(['a', 'b', 'c']);
		expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('does not block callers with other keys', async () => {
		const lock = new KeyedLock();
		const slowWork = createWork();
		const first = lock.runExclusive('one', async () => await slowWork.done);
		await expect(lock.runExclusive('other', async () => 'done')).resolves.toBe('done');
		expect(lock.lockedKeyCount).toBe(1);
		slowWork.end();
		await first;
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('is released when a caller fails', async () => {
		const lock = new KeyedLock();
		const failingWork = createWork();
		const first = lock.runExclusive('thing', async () => await failingWork.done);
		const second = lock.runExclusive('thing', async () => 'done');
		failingWork.fail(new Error('broken'));
		await expect(first).rejects.toThrow('broken');
		await expect(second).resolves.toBe('done');
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('immediately rejects a caller that is canceled while it waits, and does not run it', async () => {
		const lock = new KeyedLock();
		const slowWork = createWork();
		const cancellation = new AbortController();
		const work = jest.fn(async () => undefined);
		const first = lock.runExclusive('thing', async () => await slowWork.done);
		const second = lock.runExclusive('thing', work, cancellation.signal);
		const third = lock.runExclusive('thing', async () => 'third');
		cancellation.abort(new Error('cancelled'));
		await expect(second).rejects.toThrow('cancelled');
		slowWork.end();
		await first;
		await expect(third).resolves.toBe('third');
		expect(work).not.toHaveBeenCalled();
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('does not run a caller that was already canceled', async () => {
		const lock = new KeyedLock();
		const work = jest.fn(async () => undefined);
		await expect(
			lock.runExclusive('thing', work, AbortSignal.abort(new Error('over'))),
		).rejects.toThrow('over');
		expect([work.mock.calls.length, lock.lockedKeyCount]).toEqual([0, 0]);
	});

	it('runs shared callers concurrently, and an exclusive caller after all earlier and before all later callers', async () => {
		const lock = new KeyedLock();
		const log: string[] = [];
		const jobs = ['a shared', 'b shared', 'c exclusive', 'd shared', 'e shared'].map((name) => ({
			name,
			...createWork(),
		}));
		const allRuns = jobs.map(({ name, done }) => {
			const run = async () => {
				log.push(name);
				await done;
			};
			return name.endsWith('exclusive')
				? lock.runExclusive('thing', run)
				: lock.runShared('thing', run);
		});
		await settlePromises();
		expect(log).toEqual(['a shared', 'b shared']);
		jobs[0]!.end();
		await settlePromises();
		expect(log).toHaveLength(2);
		jobs[1]!.end();
		await settlePromises();
		expect(log.slice(2)).toEqual(['c exclusive']);
		jobs[2]!.end();
		await settlePromises();
		expect(log.slice(3)).toEqual(['d shared', 'e shared']);
		for (const { end } of jobs) end();
		await Promise.all(allRuns);
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('runs shared callers when the exclusive caller before them is canceled', async () => {
		const lock = new KeyedLock();
		const slowWork = createWork();
		const cancellation = new AbortController();
		const first = lock.runShared('thing', async () => await slowWork.done);
		const exclusiveRun = lock.runExclusive('thing', async () => undefined, cancellation.signal);
		const sharedRun = lock.runShared('thing', async () => 'done');
		cancellation.abort(new Error('cancelled'));
		await expect(exclusiveRun).rejects.toThrow('cancelled');
		await expect(sharedRun).resolves.toBe('done');
		slowWork.end();
		await first;
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('runs nothing beside an exclusive caller, and no more shared callers than allowed, keeps the order, runs or rejects every caller and keeps no state', async () => {
		const anyLockRequest = fc.record({
			key: fc.constantFrom('a', 'b', 'c'),
			isShared: fc.boolean(),
			shouldFail: fc.boolean(),
			cancelTick: fc.option(fc.nat(12), { nil: undefined }),
			durationTurns: fc.nat(4),
		});
		const anyLimit = fc.constantFrom(1, 2, 3, Infinity);
		await fc.assert(
			fc.asyncProperty(
				anyLimit,
				fc.array(anyLockRequest, { maxLength: 25 }),
				async (maxShared, lockRequests) => {
					const lock = new KeyedLock(maxShared);
					/** For each key, whether each running caller is shared. */
					const runningCallers = new Map<string, boolean[]>();
					const ranIndexes: Record<string, number[]> = { a: [], b: [], c: [] };
					const cancellations = lockRequests.map(() => new AbortController());
					const runs = lockRequests.map(({ key, isShared, shouldFail, durationTurns }, index) =>
						lock[isShared ? 'runShared' : 'runExclusive'](
							key,
							async () => {
								const otherCallers = runningCallers.get(key) ?? [];
								expect(otherCallers.every((isOtherShared) => isOtherShared && isShared)).toBe(true);
								expect(otherCallers.length).toBeLessThan(maxShared);
								runningCallers.set(key, [...otherCallers, isShared]);
								ranIndexes[key]!.push(index);
								for (let turn = 0; turn < durationTurns; turn++) await settlePromises();
								runningCallers.set(key, (runningCallers.get(key) ?? []).slice(1));
								if (shouldFail) throw new Error('failed');
							},
							cancellations[index]!.signal,
						),
					);
					const results = Promise.allSettled(runs);
					for (let tick = 0; tick <= 12; tick++) {
						lockRequests.forEach(({ cancelTick }, index) => {
							if (cancelTick === tick) cancellations[index]!.abort(new Error('cancelled'));
						});
						await settlePromises();
					}
					const outcomes = await results;
					lockRequests.forEach(({ key, shouldFail }, index) => {
						const outcome = outcomes[index]!;
						const hasRun = ranIndexes[key]!.includes(index);
						const reason =
							outcome.status === 'rejected' ? (outcome.reason as Error).message : undefined;
						expect(reason).toBe(hasRun ? (shouldFail ? 'failed' : undefined) : 'cancelled');
					});
					for (const order of Object.values(ranIndexes)) {
						expect(order).toEqual([...order].sort((a, b) => a - b));
					}
					expect(lock.lockedKeyCount).toBe(0);
				},
			),
			{ numRuns: 100 },
		);
	});
});
