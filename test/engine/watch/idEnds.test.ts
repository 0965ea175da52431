// Protects the end of a watched ID: it is saved first, starts the workflow once, and a rejected start is repeated.
import type { IdSnapshot, PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, createIds, pendingResult } from './idHarness';

const MINUTE_MS = 60_000;
const missingResult: PollResult = { kind: 'missing' };
const parseSnapshot = (saved: string) => JSON.parse(saved) as IdSnapshot;

describe('an ID', () => {
	test('ends with the outcome of the service, which is saved and then emitted once, and is not polled again', async () => {
		const harness = new WatcherHarness({
			enteredIds: [{ id: ' a ', subject: 'alice' }, { id: 'b' }],
		}).start();
		harness.watcher.add([{ id: 'c', data: { order: 7 }, subject: 'carol' }]);
		harness.respond = ({ id, pollNumber }) =>
			id !== 'b' && pollNumber === 3 ? finishedResult('completed', { claims: id }) : pendingResult;
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes().sort()).toEqual([
			['a', 'completed'],
			['c', 'completed'],
		]);
		expect(harness.listPollTimes('a')).toHaveLength(3);
		expect(harness.listPollTimes('c')).toHaveLength(3);
		const { ended, lastSave, emittedAtMs } = harness.emitted.find((emit) => emit.ended.id === 'c')!;
		const addedAt = harness.time.wallClockOffsetMs;
		expect(ended).toEqual({
			id: 'c',
			outcome: 'completed',
			result: { claims: 'c' },
			data: { order: 7 },
			subject: 'carol',
			seenOutstanding: true,
			addedAt,
			endedAt: addedAt + emittedAtMs,
			polls: 3,
			trouble: undefined,
		});
		const saved = parseSnapshot(lastSave).ids.find((entry) => entry.id === 'c')!;
		expect(saved.end).toEqual({
			outcome: 'completed',
			result: { claims: 'c' },
			endedAt: addedAt + emittedAtMs,
			requestedAt: addedAt + emittedAtMs,
		});
		expect(harness.emitted.find((emit) => emit.ended.id === 'a')!.ended.subject).toBe('alice');
	});

	test('is passed to the poll function with its poll count, its data and whether it was outstanding before', async () => {
		const harness = new WatcherHarness().start();
		harness.watcher.add([{ id: 'x', data: [1], subject: 's' }]);
		harness.respond = ({ pollNumber }) => (pollNumber === 1 ? missingResult : pendingResult);
		await harness.time.advance(7000);
		expect(harness.polls.map(({ watched }) => watched)).toEqual([
			{ id: 'x', data: [1], subject: 's', pollNumber: 1, seenOutstanding: false },
			{ id: 'x', data: [1], subject: 's', pollNumber: 2, seenOutstanding: false },
			{ id: 'x', data: [1], subject: 's', pollNumber: 3, seenOutstanding: true },
			{ id: 'x', data: [1], subject: 's', pollNumber: 4, seenOutstanding: true },
		]);
	});

	test('ends as gone after three missing responses in a row, and records whether it was outstanding before', async () => {
		const harness = new WatcherHarness({
			enteredIds: [{ id: 'never' }, { id: 'lost' }, { id: 'blinks' }],
		}).start();
		const script: Record<string, PollResult[]> = {
			never: [missingResult, missingResult, missingResult],
			lost: [pendingResult, missingResult, missingResult, missingResult],
			blinks: [
				missingResult,
				missingResult,
				pendingResult,
				missingResult,
				{ kind: 'unavailable', message: '500' },
				missingResult,
				pendingResult,
			],
		};
		harness.respond = ({ id }) => script[id]!.shift() ?? pendingResult;
		await harness.time.advance(MINUTE_MS);
		expect(
			harness.emitted.map(({ ended }) => [ended.id, ended.outcome, ended.seenOutstanding]),
		).toEqual([
			['never', 'gone', false],
			['lost', 'gone', true],
		]);
		expect(harness.listPollTimes('never')).toHaveLength(3);
		expect(harness.listPollTimes('blinks').length).toBeGreaterThan(10);
	});

	test('still ends as gone if a fault occurs between missing responses', async () => {
		const harness = new WatcherHarness({ enteredIds: [{ id: 'x' }] }).start();
		const script: PollResult[] = [
			missingResult,
			missingResult,
			{ kind: 'rateLimited' },
			missingResult,
		];
		harness.respond = () => script.shift() ?? pendingResult;
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['x', 'gone']]);
	});

	test('ends as still outstanding at its own deadline, with its last known state', async () => {
		const harness = new WatcherHarness({ maxWaitMs: 90_000 }).start();
		harness.respond = ({ pollNumber }) => ({ kind: 'pending', note: { polls: pollNumber } });
		harness.watcher.add([{ id: 'first' }]);
		await harness.time.advance(30_000);
		harness.watcher.add([{ id: 'second' }]);
		await harness.time.advance(5 * MINUTE_MS);
		expect(
			harness.emitted.map(({ emittedAtMs, ended }) => [ended.id, ended.outcome, emittedAtMs]),
		).toEqual([
			['first', 'stillOutstanding', 90_000],
			['second', 'stillOutstanding', 120_000],
		]);
		expect(harness.emitted[0]!.ended.result).toEqual({
			polls: harness.listPollTimes('first').length,
		});
		expect(Math.max(...harness.listPollTimes('first'))).toBeLessThan(90_000);
	});

	test.each([
		[10, { seen: true }],
		[20, undefined],
	])(
		'ends with its last known state only if that state is at most 15 minutes old: %d minutes',
		async (stateAgeMinutes, result) => {
			const harness = new WatcherHarness({
				enteredIds: createIds(1),
				maxWaitMs: 60 * MINUTE_MS,
			}).start();
			harness.respond = () =>
				harness.time.nowMs < (60 - stateAgeMinutes) * MINUTE_MS
					? { kind: 'pending', note: { seen: true } }
					: { kind: 'unavailable', message: '502' };
			await harness.time.advance(70 * MINUTE_MS);
			expect(harness.emitted.map(({ ended }) => [ended.outcome, ended.result])).toEqual([
				['stillOutstanding', result],
			]);
		},
	);

	test('ends at its deadline even if the service is unavailable, and is emitted with the problem', async () => {
		const harness = new WatcherHarness({
			enteredIds: createIds(3),
			maxWaitMs: 5 * MINUTE_MS,
		}).start();
		harness.respond = () => ({ kind: 'unavailable', message: '502 Bad Gateway' });
		await harness.time.advance(10 * MINUTE_MS);
		expect(
			harness.emitted.map(({ emittedAtMs, ended }) => [ended.outcome, ended.trouble, emittedAtMs]),
		).toEqual(createIds(3).map(() => ['stillOutstanding', '502 Bad Gateway', 5 * MINUTE_MS]));
		const pollCount = harness.polls.length;
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.polls).toHaveLength(pollCount);
	});

	test('ends once, even if a response arrives after the deadline', async () => {
		const harness = new WatcherHarness({
			enteredIds: createIds(1),
			maxWaitMs: 10_000,
			latencyMs: 7000,
		}).start();
		harness.respond = (_, nowMs) => (nowMs > 10_000 ? finishedResult('completed') : pendingResult);
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'stillOutstanding']]);
		expect(harness.polls).toHaveLength(2);
	});

	test('is saved together with thousands that end at the same time, and then emitted in small groups', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(2000), maxWaitMs: 5000 }).start();
		await harness.time.advance(5001);
		expect(harness.emitted.length).toBeLessThanOrEqual(20);
		expect(parseSnapshot(harness.emitted[0]!.lastSave).ids.filter(({ end }) => end)).toHaveLength(
			2000,
		);
		await harness.time.advance(10_100);
		expect(new Set(harness.emittedOutcomes().map(([id]) => id)).size).toBe(2000);
		expect(harness.emitted).toHaveLength(2000);
	});
});

describe('starting the workflow', () => {
	test('a rejected start is repeated with growing delays until it succeeds', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
		harness.respond = () => finishedResult('approved', { by: 'phone' });
		let rejectionsLeft = 5;
		harness.emit = async () => {
			if (rejectionsLeft-- > 0) throw new Error('database is locked');
		};
		await harness.time.advance(10 * MINUTE_MS);
		const emitTimesMs = harness.emitted.map(({ emittedAtMs }) => emittedAtMs);
		expect(emitTimesMs).toHaveLength(6);
		const waitsMs = emitTimesMs
			.slice(1)
			.map((emittedAtMs, index) => emittedAtMs - emitTimesMs[index]!);
		for (const [index, waitMs] of waitsMs.entries()) {
			expect(waitMs).toBeGreaterThanOrEqual(1000 * 2 ** index);
			expect(waitMs).toBeLessThanOrEqual(1100 * 2 ** index + 1);
		}
		expect(harness.emitted.at(-1)!.ended.result).toEqual({ by: 'phone' });
		expect(harness.polls).toHaveLength(1);
		expect(JSON.parse(harness.saves.at(-1)!)).toMatchObject({
			ids: [],
			confirmedIds: ['id0'],
		});
	});

	test("repeated rejections of a start are reported once, with n8n's message", async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(3) }).start();
		harness.respond = () => finishedResult('approved');
		harness.emit = async () => await Promise.reject(new Error('a hook forbids it'));
		await harness.time.advance(15_000);
		expect(harness.reports).toEqual([]);
		await harness.time.advance(60 * MINUTE_MS);
		expect(harness.reports).toEqual([{ kind: 'startsRejected', message: 'a hook forbids it' }]);
		harness.emit = async () => await Promise.resolve();
		await harness.time.advance(2 * MINUTE_MS);
		expect(JSON.parse(JSON.stringify(harness.watcher.snapshot()))).toMatchObject({ ids: [] });
	});

	test('a start that throws synchronously is repeated', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
		harness.respond = () => finishedResult('approved');
		let failuresLeft = 1;
		harness.emit = () => {
			if (failuresLeft-- > 0) throw new Error('not active yet');
			return Promise.resolve();
		};
		await harness.time.advance(MINUTE_MS);
		expect(harness.emitted).toHaveLength(2);
	});

	test('a slow start keeps its result saved until it is confirmed, and delays no other ID', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(2) }).start();
		harness.respond = () => finishedResult('approved', 'R');
		harness.emit = ({ id }) =>
			id === 'id0' ? harness.time.sleep(5 * MINUTE_MS) : Promise.resolve();
		await harness.time.advance(MINUTE_MS);
		const readSavedState = () => JSON.parse(JSON.stringify(harness.watcher.snapshot())) as unknown;
		expect(readSavedState()).toMatchObject({
			ids: [{ id: 'id0', end: { outcome: 'approved', result: 'R' } }],
			confirmedIds: ['id1'],
		});
		await harness.time.advance(5 * MINUTE_MS);
		expect(readSavedState()).toMatchObject({
			ids: [],
			confirmedIds: ['id1', 'id0'],
		});
		expect(harness.emitted).toHaveLength(2);
	});
});
