import type { EndedId, IdReport, SavedId, IdSnapshot } from '../../../nodes/engine/watch';
import { VirtualTime } from '../trigger/support/virtualTime';
import { WatcherHarness, finishedResult, createIds } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const parsed = (harness: WatcherHarness) => JSON.parse(harness.saves.at(-1)!) as IdSnapshot;
const forgotten = (harness: WatcherHarness) =>
	harness.reports.flatMap((report: IdReport) =>
		report.kind === 'startsUnclear' ? report.ended.map(({ id }: EndedId) => id) : [],
	);
const neverConfirms = async () => await new Promise(() => undefined);
const entry = (id: string, requestedAt?: number, more: Partial<SavedId> = {}): SavedId => ({
	id,
	addedAt: 0,
	polls: 3,
	...more,
	end: { outcome: 'approved', result: 'R', endedAt: 0, requestedAt },
});
const snapshot = (...entries: SavedId[]): IdSnapshot => ({
	version: 1,
	ids: entries,
	confirmedIds: [],
});

/** The process dies, and the next one finds what was saved last. */
async function reborn(
	before: WatcherHarness,
	awayMs: number,
	options: WatcherHarnessOptions = {},
): Promise<WatcherHarness> {
	const savedState = parsed(before);
	before.stop();
	await before.time.advance(awayMs);
	return new WatcherHarness({ ...options, savedState }, before.time).start();
}

/** A watcher that n8n leaves in doubt: it was asked to start one id, and then it died. */
async function inDoubt(): Promise<WatcherHarness> {
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
		const savedState = snapshot(
			entry('never'),
			entry('lately', now - 72 * HOUR + 2000),
			entry('before', now - 72 * HOUR),
			entry('future', now + HOUR),
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
		expect(forgotten(harness)).toEqual(['before']);
		expect([...parsed(harness).confirmedIds].sort()).toEqual(['future', 'lately', 'never']);
	});

	test.each([
		['11 minutes', 11 * MINUTE, true],
		['71 hours', 71 * HOUR, true],
		['73 hours', 73 * HOUR, false],
	])('is requested again after a restart only within 72 hours: %s', async (_, away, again) => {
		const second = await reborn(await inDoubt(), away);
		await second.time.advance(MINUTE);
		expect(second.emittedOutcomes()).toEqual(again ? [['a', 'approved']] : []);
		expect(forgotten(second)).toEqual(again ? [] : ['a']);
	});

	test('expires 72 hours after its first request, however often it was requested since', async () => {
		let harness = await inDoubt();
		for (let round = 0; round < 3; round++) {
			harness = await reborn(harness, 20 * HOUR);
			harness.emit = neverConfirms;
			await harness.time.advance(MINUTE);
			expect(harness.emittedOutcomes()).toEqual([['a', 'approved']]);
		}
		harness = await reborn(harness, 13 * HOUR);
		await harness.time.advance(MINUTE);
		expect([harness.emittedOutcomes(), forgotten(harness)]).toEqual([[], ['a']]);
	});

	test('never expires if n8n rejected it', async () => {
		const first = new WatcherHarness().start();
		first.respond = () => finishedResult('approved');
		first.emit = async () => await Promise.reject(new Error('busy'));
		first.watcher.add([{ id: 'a' }]);
		await first.time.advance(5000);
		// It is saved with what comes next.
		first.watcher.add([{ id: 'b' }]);
		const second = await reborn(first, 100 * HOUR);
		await second.time.advance(MINUTE);
		expect(second.emittedOutcomes()).toContainEqual(['a', 'approved']);
		expect(forgotten(second)).toEqual([]);
	});

	test('still expires if n8n rejected only a later request', async () => {
		const second = await reborn(await inDoubt(), 71 * HOUR);
		second.emit = async () => await Promise.reject(new Error('busy'));
		await second.time.advance(MINUTE);
		second.watcher.add([{ id: 'b' }]);
		const third = await reborn(second, 2 * HOUR);
		await third.time.advance(MINUTE);
		expect(forgotten(third)).toEqual(['a']);
	});

	test('is never requested again if n8n does not store deduplication keys', async () => {
		const second = await reborn(await inDoubt(), 5000, { repeatStartsForMs: 0 });
		await second.time.advance(MINUTE);
		expect([second.emittedOutcomes(), forgotten(second)]).toEqual([[], ['a']]);
	});

	test('expires 72 hours from now if the clock was ahead and was corrected', async () => {
		const first = await inDoubt();
		first.time.wallClockOffsetMs -= 365 * 24 * HOUR;
		const second = await reborn(first, MINUTE);
		second.emit = neverConfirms;
		await second.time.advance(MINUTE);
		expect(second.emittedOutcomes()).toEqual([['a', 'approved']]);
		const third = await reborn(second, 73 * HOUR);
		await third.time.advance(MINUTE);
		expect([third.emittedOutcomes(), forgotten(third)]).toEqual([[], ['a']]);
	});
});

describe('an expired start', () => {
	const givenUp = async (options: WatcherHarnessOptions = {}) =>
		await reborn(await inDoubt(), 73 * HOUR, options);

	test('is reported once, in one report for all, before anything else is done', async () => {
		const time = new VirtualTime();
		const old = time.clock.now() - 100 * HOUR;
		const savedState = snapshot(...createIds(3).map(({ id }) => entry(id, old)));
		let harness = new WatcherHarness({ savedState }, time).start();
		expect(harness.reports).toHaveLength(1);
		expect(forgotten(harness)).toEqual(['id0', 'id1', 'id2']);
		for (let restart = 0; restart < 3; restart++) {
			harness = await reborn(harness, HOUR);
			await harness.time.advance(MINUTE);
			expect([harness.reports, harness.emitted, harness.polls]).toEqual([[], [], []]);
		}
	});

	test('keeps only its ID', async () => {
		const harness = await givenUp();
		expect(harness.saves.at(-1)).not.toMatch(/"R"|"data"/);
		expect(harness.saves.at(-1)).toContain('"a"');
	});

	test('is requested once when its ID is submitted again', async () => {
		const harness = await givenUp();
		harness.respond = () => finishedResult('denied');
		expect(harness.watcher.add([{ id: 'a', data: 8 }])).toMatchObject({ added: 1, finished: 0 });
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ added: 0, known: 1 });
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
		expect(harness.emitted[0]!.ended.data).toBe(8);
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ finished: 1 });
		expect(parsed(harness)).toMatchObject({ ids: [], confirmedIds: ['a'] });
	});

	test('is not requested if another ID in the same submission is rejected', async () => {
		const harness = await givenUp();
		expect(harness.watcher.add([{ id: 'a' }, { id: '' }])).toMatchObject({ ok: false });
		expect(harness.watcher.watchedCount).toBe(0);
		expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ added: 1 });
	});

	test('is requested when its ID is entered, if it was not entered before', async () => {
		const harness = await reborn(await givenUp(), HOUR, { enteredIds: [{ id: 'a' }] });
		harness.respond = () => finishedResult('denied');
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
	});

	test('is not requested while its ID stays entered, but when it is entered again', async () => {
		const enteredIds = [{ id: 'a' }];
		let harness = await givenUp({ enteredIds });
		harness = await reborn(harness, HOUR, { enteredIds });
		await harness.time.advance(MINUTE);
		expect([harness.emitted, harness.polls, harness.reports]).toEqual([[], [], []]);
		harness = await reborn(harness, HOUR);
		harness = await reborn(harness, HOUR, { enteredIds });
		harness.respond = () => finishedResult('denied');
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['a', 'denied']]);
	});

	test('is kept in a history of limited size', async () => {
		const time = new VirtualTime();
		const savedState = snapshot(...createIds(12).map(({ id }) => entry(id, 1)));
		const harness = new WatcherHarness({ savedState, maxKnownEnded: 5 }, time).start();
		expect(forgotten(harness)).toHaveLength(12);
		expect(parsed(harness).ids.map(({ id }) => id)).toEqual(['id7', 'id8', 'id9', 'id10', 'id11']);
	});
});
