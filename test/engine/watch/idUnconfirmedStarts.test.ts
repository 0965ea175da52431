// Protects starts that n8n never confirmed: they are requested again for 72 hours, and then reported once as unclear.
import type { EndedId, IdReport, SavedId, IdSnapshot } from '../../../nodes/engine/watch';
import { VirtualTime } from '../trigger/support/virtualTime';
import { WatcherHarness, finishedResult, createIds } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const readLastSave = (harness: WatcherHarness) => JSON.parse(harness.saves.at(-1)!) as IdSnapshot;
/** Lists the IDs in reports of starts that n8n may or may not have carried out. */
const listUnclearIds = (harness: WatcherHarness) =>
	harness.reports.flatMap((report: IdReport) =>
		report.kind === 'startsUnclear' ? report.ended.map(({ id }: EndedId) => id) : [],
	);
const neverConfirms = async () => await new Promise(() => undefined);
const createEndedEntry = (
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
	previous: WatcherHarness,
	downtimeMs: number,
	options: WatcherHarnessOptions = {},
): Promise<WatcherHarness> {
	const savedState = readLastSave(previous);
	previous.stop();
	await previous.time.advance(downtimeMs);
	return new WatcherHarness({ ...options, savedState }, previous.time).start();
}

/** Runs a watcher until it has requested the start of one ID, which n8n never confirms. */
async function createUnconfirmedStart(): Promise<WatcherHarness> {
	const harness = new WatcherHarness().start();
	harness.respond = () => finishedResult('approved', 'R');
	harness.emit = neverConfirms;
	harness.watcher.add([{ id: 'a', data: 7 }]);
	await harness.time.advance(5000);
	expect(harness.emittedOutcomes()).toEqual([['a', 'approved']]);
	return harness;
}

describe('a start that n8n never confirmed', () => {
	test('is requested again for 72 hours after its first request, with its result', async () => {
		const time = new VirtualTime();
		const now = time.clock.now();
		const savedState = createSnapshot(
			createEndedEntry('notRequested'),
			createEndedEntry('almostExpired', now - 72 * HOUR_MS + 2000),
			createEndedEntry('expired', now - 72 * HOUR_MS),
			createEndedEntry('inFuture', now + HOUR_MS),
		);
		const enteredIds = ['notRequested', 'almostExpired', 'expired', 'inFuture'].map((id) => ({
			id,
		}));
		const harness = new WatcherHarness({ savedState, enteredIds }, time).start();
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([
			['notRequested', 'approved'],
			['almostExpired', 'approved'],
			['inFuture', 'approved'],
		]);
		expect(harness.emitted[0]!.ended.result).toBe('R');
		expect(harness.polls).toEqual([]);
		expect(listUnclearIds(harness)).toEqual(['expired']);
		expect([...readLastSave(harness).confirmedIds].sort()).toEqual([
			'almostExpired',
			'inFuture',
			'notRequested',
		]);
	});

	test.each([
		['11 minutes', 11 * MINUTE_MS, true],
		['71 hours', 71 * HOUR_MS, true],
		['73 hours', 73 * HOUR_MS, false],
	])(
		'is requested again after a restart only within 72 hours: %s',
		async (_, downtimeMs, isRequestedAgain) => {
			const second = await restartFromSaved(await createUnconfirmedStart(), downtimeMs);
			await second.time.advance(MINUTE_MS);
			expect(second.emittedOutcomes()).toEqual(isRequestedAgain ? [['a', 'approved']] : []);
			expect(listUnclearIds(second)).toEqual(isRequestedAgain ? [] : ['a']);
		},
	);

	test('expires 72 hours after its first request, however often it was requested again', async () => {
		let harness = await createUnconfirmedStart();
		for (let round = 0; round < 3; round++) {
			harness = await restartFromSaved(harness, 20 * HOUR_MS);
			harness.emit = neverConfirms;
			await harness.time.advance(MINUTE_MS);
			expect(harness.emittedOutcomes()).toEqual([['a', 'approved']]);
		}
		harness = await restartFromSaved(harness, 13 * HOUR_MS);
		await harness.time.advance(MINUTE_MS);
		expect([harness.emittedOutcomes(), listUnclearIds(harness)]).toEqual([[], ['a']]);
	});

	test('never expires if n8n rejected it', async () => {
		const first = new WatcherHarness().start();
		first.respond = () => finishedResult('approved');
		first.emit = async () => await Promise.reject(new Error('overloaded'));
		first.watcher.add([{ id: 'a' }]);
		await first.time.advance(5000);
		// The rejection is saved together with the next ID.
		first.watcher.add([{ id: 'b' }]);
		const second = await restartFromSaved(first, 100 * HOUR_MS);
		await second.time.advance(MINUTE_MS);
		expect(second.emittedOutcomes()).toContainEqual(['a', 'approved']);
		expect(listUnclearIds(second)).toEqual([]);
	});

	test('still expires if n8n rejected only a later request', async () => {
		const second = await restartFromSaved(await createUnconfirmedStart(), 71 * HOUR_MS);
		second.emit = async () => await Promise.reject(new Error('overloaded'));
		await second.time.advance(MINUTE_MS);
		second.watcher.add([{ id: 'b' }]);
		const third = await restartFromSaved(second, 2 * HOUR_MS);
		await third.time.advance(MINUTE_MS);
		expect(listUnclearIds(third)).toEqual(['a']);
	});

	test('is never requested again if n8n does not store deduplication keys', async () => {
		const second = await restartFromSaved(await createUnconfirmedStart(), 5000, {
			repeatStartsForMs: 0,
		});
		await second.time.advance(MINUTE_MS);
		expect([second.emittedOutcomes(), listUnclearIds(second)]).toEqual([[], ['a']]);
	});

	test('expires 72 hours after the restart if the clock was ahead and was corrected', async () => {
		const first = await createUnconfirmedStart();
		first.time.wallClockOffsetMs -= 365 * 24 * HOUR_MS;
		const second = await restartFromSaved(first, MINUTE_MS);
		second.emit = neverConfirms;
		await second.time.advance(MINUTE_MS);
		expect(second.emittedOutcomes()).toEqual([['a', 'approved']]);
		const third = await restartFromSaved(second, 73 * HOUR_MS);
		await third.time.advance(MINUTE_MS);
		expect([third.emittedOutcomes(), listUnclearIds(third)]).toEqual([[], ['a']]);
	});
});

describe('an expired start', () => {
	const createExpiredStart = async (options: WatcherHarnessOptions = {}) =>
		await restartFromSaved(await createUnconfirmedStart(), 73 * HOUR_MS, options);

	test('is reported once, in one report for all expired starts, before anything else is done', async () => {
		const time = new VirtualTime();
		const longAgo = time.clock.now() - 100 * HOUR_MS;
		const savedState = createSnapshot(
			...createIds(3).map(({ id }) => createEndedEntry(id, longAgo)),
		);
		let harness = new WatcherHarness({ savedState }, time).start();
		expect(harness.reports).toHaveLength(1);
		expect(listUnclearIds(harness)).toEqual(['id0', 'id1', 'id2']);
		for (let restart = 0; restart < 3; restart++) {
			harness = await restartFromSaved(harness, HOUR_MS);
			await harness.time.advance(MINUTE_MS);
			expect([harness.reports, harness.emitted, harness.polls]).toEqual([[], [], []]);
		}
	});

	test('is saved with its ID only, without its result and data', async () => {
		const harness = await createExpiredStart();
		expect(harness.saves.at(-1)).not.toMatch(/"R"|"data"/);
		expect(harness.saves.at(-1)).toContain('"a"');
	});

	test('is requested once when its ID is submitted again', async () => {
		const harness = await createExpiredStart();
		harness.respond = () => finishedResult('denied');
		expect(harness.watcher.add([{ id: 'a', data: 8 }])).toMatchObject({
			added: 1,
			alreadyEnded: 0,
		});
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ added: 0, alreadyWatched: 1 });
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
		expect(harness.emitted[0]!.ended.data).toBe(8);
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ alreadyEnded: 1 });
		expect(readLastSave(harness)).toMatchObject({ ids: [], confirmedIds: ['a'] });
	});

	test('is not requested if another ID in the same submission is rejected', async () => {
		const harness = await createExpiredStart();
		expect(harness.watcher.add([{ id: 'a' }, { id: '' }])).toMatchObject({ ok: false });
		expect(harness.watcher.watchedCount).toBe(0);
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ added: 1 });
	});

	test('is requested when its ID is entered in the node for the first time', async () => {
		const harness = await restartFromSaved(await createExpiredStart(), HOUR_MS, {
			enteredIds: [{ id: 'a' }],
		});
		harness.respond = () => finishedResult('denied');
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
	});

	test('is not requested while its ID stays entered, but when it is removed and entered again', async () => {
		const enteredIds = [{ id: 'a' }];
		let harness = await createExpiredStart({ enteredIds });
		harness = await restartFromSaved(harness, HOUR_MS, { enteredIds });
		await harness.time.advance(MINUTE_MS);
		expect([harness.emitted, harness.polls, harness.reports]).toEqual([[], [], []]);
		harness = await restartFromSaved(harness, HOUR_MS);
		harness = await restartFromSaved(harness, HOUR_MS, { enteredIds });
		harness.respond = () => finishedResult('denied');
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
	});

	test('is kept in a history of limited size', async () => {
		const time = new VirtualTime();
		const savedState = createSnapshot(...createIds(12).map(({ id }) => createEndedEntry(id, 1)));
		const harness = new WatcherHarness({ savedState, maxKnownEnded: 5 }, time).start();
		expect(listUnclearIds(harness)).toHaveLength(12);
		expect(readLastSave(harness).ids.map(({ id }) => id)).toEqual([
			'id7',
			'id8',
			'id9',
			'id10',
			'id11',
		]);
	});
});
