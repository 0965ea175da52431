// Protects watched IDs over a restart: their times, data and deadlines are restored, and none is polled too soon.
import { WatcherHarness, finishedResult, findGaps, createIds, pendingResult } from './idHarness';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('after a restart', () => {
	/** Runs a watcher for a while, then starts another one with the state that the first saved. */
	async function runAndRestart(
		first: WatcherHarness,
		runMs: number,
		downtimeMs: number,
		options = {},
	) {
		await first.time.advance(runMs);
		const saved = JSON.stringify(first.watcher.snapshot());
		first.stop();
		await first.time.advance(downtimeMs);
		return new WatcherHarness(
			{ savedState: JSON.parse(saved) as unknown, ...options },
			first.time,
		).start();
	}

	test('the watcher restores the time, data, subject, state and poll count of an ID', async () => {
		const first = new WatcherHarness().start();
		first.watcher.add([{ id: 'a', data: { n: 1 }, subject: 's' }]);
		const second = await runAndRestart(first, 10_000, 5000);
		second.respond = () => finishedResult('approved');
		await second.time.advance(10_000);
		expect(second.emitted[0]!.ended).toMatchObject({
			id: 'a',
			data: { n: 1 },
			subject: 's',
			seenOutstanding: true,
			addedAt: first.time.wallClockOffsetMs,
			polls: first.polls.length + 1,
		});
	});

	test('an ID is not polled sooner than the interval after its last poll, however fast the restart', async () => {
		let harness = new WatcherHarness({ enteredIds: createIds(5), latencyMs: 1 }).start();
		const harnesses = [harness];
		for (let round = 0; round < 20; round++) {
			harness = await runAndRestart(harness, 2300 + 170 * round, 0, {
				enteredIds: createIds(5),
				latencyMs: 1,
			});
			harnesses.push(harness);
		}
		for (const { id } of createIds(5)) {
			const times = harnesses.flatMap((restarted) => restarted.listPollTimes(id));
			expect(times.length).toBeGreaterThan(10);
			expect(Math.min(...findGaps(times))).toBeGreaterThanOrEqual(2000);
		}
	});

	test('an ID whose deadline passed during the downtime is polled once more before it ends', async () => {
		const first = new WatcherHarness({
			enteredIds: createIds(2),
			maxWaitMs: 5 * MINUTE_MS,
		}).start();
		const options = { enteredIds: createIds(2), maxWaitMs: 5 * MINUTE_MS };
		const second = await runAndRestart(first, MINUTE_MS, HOUR_MS, options);
		second.respond = ({ id }) => (id === 'id0' ? finishedResult('approved') : pendingResult);
		await second.time.advance(MINUTE_MS);
		expect(second.emittedOutcomes()).toEqual([
			['id0', 'approved'],
			['id1', 'stillOutstanding'],
		]);
	});

	test('a deadline counts from when the ID was added, but lasts no longer if the clock was set back', async () => {
		const options = { enteredIds: createIds(1), maxWaitMs: 5 * MINUTE_MS };
		const first = new WatcherHarness(options).start();
		const second = await runAndRestart(first, 2 * MINUTE_MS, MINUTE_MS, options);
		await second.time.advance(2 * MINUTE_MS + 1);
		expect(second.emittedOutcomes()).toEqual([['id0', 'stillOutstanding']]);

		const third = new WatcherHarness(options).start();
		await third.time.advance(MINUTE_MS);
		third.time.wallClockOffsetMs -= 24 * HOUR_MS;
		const fourth = await runAndRestart(third, 0, 0, options);
		await fourth.time.advance(5 * MINUTE_MS + 1);
		expect(fourth.emittedOutcomes()).toEqual([['id0', 'stillOutstanding']]);
	});

	test('an ID that is no longer entered is dropped, unless it was submitted as well', async () => {
		const first = new WatcherHarness({ enteredIds: createIds(3) }).start();
		first.watcher.add([{ id: 'id1' }, { id: 'extra' }]);
		const second = await runAndRestart(first, 10_000, 1000, { enteredIds: createIds(1) });
		await second.time.advance(10_000);
		expect(new Set(second.polls.map(({ id }) => id))).toEqual(new Set(['id0', 'id1', 'extra']));
	});

	test('an entered ID gets the subject that is entered now', async () => {
		const first = new WatcherHarness({ enteredIds: [{ id: 'a', subject: 'old' }] }).start();
		const second = await runAndRestart(first, 10_000, 1000, {
			enteredIds: [{ id: 'a', subject: 'new' }],
		});
		await second.time.advance(10_000);
		expect(second.polls[0]!.watched.subject).toBe('new');
	});

	test('invalid parts of the saved state are skipped', async () => {
		const invalidStates = [
			null,
			7,
			'text',
			[],
			{ version: 1, ids: 'x', confirmedIds: 7 },
			{
				version: 1,
				ids: [null, 7, [], { id: 7 }, { id: '' }, { id: 'x'.repeat(999), submitted: true }],
			},
			{ version: 1, confirmedIds: [null, 7, [7, 7], 'x', ['gone']] },
		];
		for (const savedState of invalidStates) {
			const harness = new WatcherHarness({ savedState, enteredIds: createIds(1) }).start();
			await harness.time.advance(5000);
			expect(harness.watcher.watchedCount).toBe(1);
		}
		const partlyValid = new WatcherHarness({
			savedState: {
				version: 1,
				ids: [{ id: 'a', submitted: true, addedAt: 'x' }],
				confirmedIds: [],
			},
		}).start();
		await partlyValid.time.advance(5000);
		expect(partlyValid.polls.length).toBeGreaterThan(0);
	});

	test('the watcher copies the saved state, and never writes to it', async () => {
		let writeCount = 0;
		// n8n wraps static data in such proxies.
		const countWrites = <T extends object>(target: T): T =>
			new Proxy(target, {
				get: (object, name) => {
					const value: unknown = Reflect.get(object, name);
					return typeof value === 'object' && value !== null ? countWrites(value) : value;
				},
				set: (object, name, value) => {
					writeCount++;
					return Reflect.set(object, name, value);
				},
			});
		const savedState = countWrites({
			version: 1,
			ids: [{ id: 'a', submitted: true, addedAt: 0, polls: 1 }],
			confirmedIds: [],
		});
		const harness = new WatcherHarness({ savedState }).start();
		await harness.time.advance(10_000);
		expect(harness.polls.length).toBeGreaterThan(1);
		expect(writeCount).toBe(0);
	});
});
