import type { EndedId, IdReport, SavedId, IdSnapshot } from '../../../nodes/engine/watch';
import { VirtualTime } from '../trigger/support/virtualTime';
import { WatcherHarness, finishedResult, createIds } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const lastSavedSnapshot = (harness: WatcherHarness) =>
	JSON.parse(harness.saves.at(-1)!) as IdSnapshot;
const unclearIds = (harness: WatcherHarness) =>
	harness.reports.flatMap((report: IdReport) =>
		report.kind === 'startsUnclear' ? report.ended.map(({ id }: EndedId) => id) : [],
	);
const neverConfirms = async () => await new Promise(() => undefined);
const createEntry = (
	id: string,
	requestedAt?: number,
	overrides: Partial<SavedId> = {},
): SavedId => ({
	id,
	addedAt: 0,
	polls: 3,
	...overrides,
	end: { outcome: 'approved', result: 'R', endedAt: 0, requestedAt },
});
const createSnapshot = (...entries: SavedId[]): IdSnapshot => ({
	version: 1,
	ids: entries,
	confirmedIds: [],
});

/** Kills the process, and starts the next one with the last saved state. */
async function restartFromSaved(
	before: WatcherHarness,
	awayMs: number,
	options: WatcherHarnessOptions = {},
): Promise<WatcherHarness> {
	const savedState = lastSavedSnapshot(before);
	before.stop();
	await before.time.advance(awayMs);
	return new WatcherHarness({ ...options, savedState }, before.time).start();
}

/** Runs a watcher until it has requested the start of one ID, which n8n never confirms. */
async function watcherWithUnconfirmedStart(): Promise<WatcherHarness> {
	const harness = new WatcherHarness().start();
	harness.respond = () => finishedResult('approved', 'R');
	harness.emit = neverConfirms;
	harness.watcher.add([{ id: 'a', data: 7 }]);
	await harness.time.advance(5000);
	expect(harness.emittedOutcomes()).toEqual([['a', 'approved']]);
	return harness;
}

describe('a start that n8n never confirmed', () => {
	test('is requested again after a restart for 72 hours, with all its data', async () => {
		const time = new VirtualTime();
		const now = time.clock.now();
		const savedState = createSnapshot(
			createEntry('never'),
			createEntry('lately', now - 72 * HOUR + 2000),
			createEntry('before', now - 72 * HOUR),
			createEntry('future', now + HOUR),
		);
		const enteredIds = ['never', 'lately', 'before', 'future'].map((id) => ({ id }));
		const harness = new WatcherHarness({ savedState, enteredIds }, time).start();
		await harness.time.advance(10 * MINUTE);
		expect(harness.emittedOutcomes()).toEqual([
			['never', 'approved'],
			['lately', 'approved'],
			['future', 'approved'],
		]);
		expect(harness.emitted[0]!.ended.result).toBe('R');
		expect(harness.polls).toEqual([]);
		expect(unclearIds(harness)).toEqual(['before']);
		expect([...lastSavedSnapshot(harness).confirmedIds].sort()).toEqual([
			'future',
			'lately',
			'never',
		]);
	});

	test.each([
		['11 minutes', 11 * MINUTE, true],
		['71 hours', 71 * HOUR, true],
		['73 hours', 73 * HOUR, false],
	])('is requested again after a restart only within 72 hours: %s', async (_, awayMs, again) => {
		const second = await restartFromSaved(await watcherWithUnconfirmedStart(), awayMs);
		await second.time.advance(MINUTE);
		expect(second.emittedOutcomes()).toEqual(again ? [['a', 'approved']] : []);
		expect(unclearIds(second)).toEqual(again ? [] : ['a']);
	});

	test('expires 72 hours after its first request, however often it was requested since', async () => {
		let harness = await watcherWithUnconfirmedStart();
		for (let round = 0; round < 3; round++) {
			harness = await restartFromSaved(harness, 20 * HOUR);
			harness.emit = neverConfirms;
			await harness.time.advance(MINUTE);
			expect(harness.emittedOutcomes()).toEqual([['a', 'approved']]);
		}
		harness = await restartFromSaved(harness, 13 * HOUR);
		await harness.time.advance(MINUTE);
		expect([harness.emittedOutcomes(), unclearIds(harness)]).toEqual([[], ['a']]);
	});

	test('never expires if n8n rejected it', async () => {
		const first = new WatcherHarness().start();
		first.respond = () => finishedResult('approved');
		first.emit = async () => await Promise.reject(new Error('overloaded'));
		first.watcher.add([{ id: 'a' }]);
		await first.time.advance(5000);
		// It is saved with what comes next.
		first.watcher.add([{ id: 'b' }]);
		const second = await restartFromSaved(first, 100 * HOUR);
		await second.time.advance(MINUTE);
		expect(second.emittedOutcomes()).toContainEqual(['a', 'approved']);
		expect(unclearIds(second)).toEqual([]);
	});

	test('still expires if n8n rejected only a later request', async () => {
		const second = await restartFromSaved(await watcherWithUnconfirmedStart(), 71 * HOUR);
		second.emit = async () => await Promise.reject(new Error('overloaded'));
		await second.time.advance(MINUTE);
		second.watcher.add([{ id: 'b' }]);
		const third = await restartFromSaved(second, 2 * HOUR);
		await third.time.advance(MINUTE);
		expect(unclearIds(third)).toEqual(['a']);
	});

	test('is never requested again if n8n does not store deduplication keys', async () => {
		const second = await restartFromSaved(await watcherWithUnconfirmedStart(), 5000, {
			repeatStartsForMs: 0,
		});
		await second.time.advance(MINUTE);
		expect([second.emittedOutcomes(), unclearIds(second)]).toEqual([[], ['a']]);
	});

	test('expires 72 hours from now if the clock was ahead and was corrected', async () => {
		const first = await watcherWithUnconfirmedStart();
		first.time.wallClockOffsetMs -= 365 * 24 * HOUR;
		const second = await restartFromSaved(first, MINUTE);
		second.emit = neverConfirms;
		await second.time.advance(MINUTE);
		expect(second.emittedOutcomes()).toEqual([['a', 'approved']]);
		const third = await restartFromSaved(second, 73 * HOUR);
		await third.time.advance(MINUTE);
		expect([third.emittedOutcomes(), unclearIds(third)]).toEqual([[], ['a']]);
	});
});

describe('an expired start', () => {
	const watcherWithExpiredStart = async (options: WatcherHarnessOptions = {}) =>
		await restartFromSaved(await watcherWithUnconfirmedStart(), 73 * HOUR, options);

	test('is reported once, in one report for all, before anything else is done', async () => {
		const time = new VirtualTime();
		const longAgo = time.clock.now() - 100 * HOUR;
		const savedState = createSnapshot(...createIds(3).map(({ id }) => createEntry(id, longAgo)));
		let harness = new WatcherHarness({ savedState }, time).start();
		expect(harness.reports).toHaveLength(1);
		expect(unclearIds(harness)).toEqual(['id0', 'id1', 'id2']);
		for (let restart = 0; restart < 3; restart++) {
			harness = await restartFromSaved(harness, HOUR);
			await harness.time.advance(MINUTE);
			expect([harness.reports, harness.emitted, harness.polls]).toEqual([[], [], []]);
		}
	});

	test('keeps only its ID', async () => {
		const harness = await watcherWithExpiredStart();
		expect(harness.saves.at(-1)).not.toMatch(/"R"|"data"/);
		expect(harness.saves.at(-1)).toContain('"a"');
	});

	test('is requested once when its ID is submitted again', async () => {
		const harness = await watcherWithExpiredStart();
		harness.respond = () => finishedResult('denied');
		expect(harness.watcher.add([{ id: 'a', data: 8 }])).toMatchObject({ added: 1, finished: 0 });
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ added: 0, known: 1 });
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
		expect(harness.emitted[0]!.ended.data).toBe(8);
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ finished: 1 });
		expect(lastSavedSnapshot(harness)).toMatchObject({ ids: [], confirmedIds: ['a'] });
	});

	test('is not requested if another ID in the same submission is rejected', async () => {
		const harness = await watcherWithExpiredStart();
		expect(harness.watcher.add([{ id: 'a' }, { id: '' }])).toMatchObject({ ok: false });
		expect(harness.watcher.watchedCount).toBe(0);
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ added: 1 });
	});

	test('is requested when its ID is entered, if it was not entered before', async () => {
		const harness = await restartFromSaved(await watcherWithExpiredStart(), HOUR, {
			enteredIds: [{ id: 'a' }],
		});
		harness.respond = () => finishedResult('denied');
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
	});

	test('is not requested while its ID stays entered, but when it is entered again', async () => {
		const enteredIds = [{ id: 'a' }];
		let harness = await watcherWithExpiredStart({ enteredIds });
		harness = await restartFromSaved(harness, HOUR, { enteredIds });
		await harness.time.advance(MINUTE);
		expect([harness.emitted, harness.polls, harness.reports]).toEqual([[], [], []]);
		harness = await restartFromSaved(harness, HOUR);
		harness = await restartFromSaved(harness, HOUR, { enteredIds });
		harness.respond = () => finishedResult('denied');
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
	});

	test('is kept in a history of limited size', async () => {
		const time = new VirtualTime();
		const savedState = createSnapshot(...createIds(12).map(({ id }) => createEntry(id, 1)));
		const harness = new WatcherHarness({ savedState, maxKnownEnded: 5 }, time).start();
		expect(unclearIds(harness)).toHaveLength(12);
		expect(lastSavedSnapshot(harness).ids.map(({ id }) => id)).toEqual([
			'id7',
			'id8',
			'id9',
			'id10',
			'id11',
		]);
	});
});
