import fc from 'fast-check';

import { KeyedLock } from '../../../nodes/engine/run/keyedLock';

/** Work that a test ends or fails. */
function controllableWork() {
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
		const jobs = ['a', 'b', 'c'].map((name) => ({ name, ...controllableWork() }));
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
		const slow = controllableWork();
		const first = lock.runExclusive('one', async () => await slow.done);
		await expect(lock.runExclusive('other', async () => 'done')).resolves.toBe('done');
		expect(lock.lockedKeyCount).toBe(1);
		slow.end();
		await first;
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('is released by a caller that fails', async () => {
		const lock = new KeyedLock();
		const bad = controllableWork();
		const first = lock.runExclusive('thing', async () => await bad.done);
		const second = lock.runExclusive('thing', async () => 'done');
		bad.fail(new Error('broken'));
		await expect(first).rejects.toThrow('broken');
		await expect(second).resolves.toBe('done');
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('rejects a caller at once that is canceled while it waits, without running it', async () => {
		const lock = new KeyedLock();
		const slow = controllableWork();
		const cancelling = new AbortController();
		const ran = jest.fn(async () => undefined);
		const first = lock.runExclusive('thing', async () => await slow.done);
		const second = lock.runExclusive('thing', ran, cancelling.signal);
		const third = lock.runExclusive('thing', async () => 'third');
		cancelling.abort(new Error('cancelled'));
		await expect(second).rejects.toThrow('cancelled');
		slow.end();
		await first;
		await expect(third).resolves.toBe('third');
		expect(ran).not.toHaveBeenCalled();
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('does not run a caller that was already canceled', async () => {
		const lock = new KeyedLock();
		const ran = jest.fn(async () => undefined);
		await expect(
			lock.runExclusive('thing', ran, AbortSignal.abort(new Error('over'))),
		).rejects.toThrow('over');
		expect([ran.mock.calls.length, lock.lockedKeyCount]).toEqual([0, 0]);
	});

	it('runs shared callers concurrently, and an exclusive one between those before and after it', async () => {
		const lock = new KeyedLock();
		const log: string[] = [];
		const jobs = ['a shared', 'b shared', 'c alone', 'd shared', 'e shared'].map((name) => ({
			name,
			...controllableWork(),
		}));
		const allRuns = jobs.map(({ name, done }) => {
			const run = async () => {
				log.push(name);
				await done;
			};
			return name.endsWith('alone')
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
		expect(log.slice(2)).toEqual(['c alone']);
		jobs[2]!.end();
		await settlePromises();
		expect(log.slice(3)).toEqual(['d shared', 'e shared']);
		for (const { end } of jobs) end();
		await Promise.all(allRuns);
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('lets shared callers run when the exclusive one before them is canceled', async () => {
		const lock = new KeyedLock();
		const slow = controllableWork();
		const cancelling = new AbortController();
		const first = lock.runShared('thing', async () => await slow.done);
		const alone = lock.runExclusive('thing', async () => undefined, cancelling.signal);
		const shared = lock.runShared('thing', async () => 'done');
		cancelling.abort(new Error('cancelled'));
		await expect(alone).rejects.toThrow('cancelled');
		await expect(shared).resolves.toBe('done');
		slow.end();
		await first;
		expect(lock.lockedKeyCount).toBe(0);
	});

	it('runs nothing beside an exclusive caller, keeps the order, runs or rejects every caller and keeps no state', async () => {
		const anyLockRequest = fc.record({
			key: fc.constantFrom('a', 'b', 'c'),
			isShared: fc.boolean(),
			fails: fc.boolean(),
			cancelledAt: fc.option(fc.nat(12), { nil: undefined }),
			pauses: fc.nat(4),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(anyLockRequest, { maxLength: 25 }), async (lockRequests) => {
				const lock = new KeyedLock();
				const atWork = new Map<string, boolean[]>();
				const served: Record<string, number[]> = { a: [], b: [], c: [] };
				const cancellings = lockRequests.map(() => new AbortController());
				const runs = lockRequests.map(({ key, isShared, fails, pauses }, index) =>
					lock[isShared ? 'runShared' : 'runExclusive'](
						key,
						async () => {
							const others = atWork.get(key) ?? [];
							expect(others.every((other) => other && isShared)).toBe(true);
							atWork.set(key, [...others, isShared]);
							served[key]!.push(index);
							for (let pause = 0; pause < pauses; pause++) await settlePromises();
							atWork.set(key, (atWork.get(key) ?? []).slice(1));
							if (fails) throw new Error('fails');
						},
						cancellings[index]!.signal,
					),
				);
				const results = Promise.allSettled(runs);
				for (let tick = 0; tick <= 12; tick++) {
					lockRequests.forEach(({ cancelledAt }, index) => {
						if (cancelledAt === tick) cancellings[index]!.abort(new Error('cancelled'));
					});
					await settlePromises();
				}
				const outcomes = await results;
				lockRequests.forEach(({ key, fails }, index) => {
					const outcome = outcomes[index]!;
					const wasServed = served[key]!.includes(index);
					const reason =
						outcome.status === 'rejected' ? (outcome.reason as Error).message : undefined;
					expect(reason).toBe(wasServed ? (fails ? 'fails' : undefined) : 'cancelled');
				});
				for (const order of Object.values(served)) {
					expect(order).toEqual([...order].sort((a, b) => a - b));
				}
				expect(lock.lockedKeyCount).toBe(0);
			}),
			{ numRuns: 100 },
		);
	});
});
