// Protects IDs that are added to a trigger: they are saved at once and counted, and one invalid ID rejects all of its batch.
import type { IdSnapshot } from '../../../nodes/engine/watch';
import { Watcher } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, createIds, pendingResult } from './idHarness';

const MINUTE_MS = 60_000;
const readLastSave = (harness: WatcherHarness) => JSON.parse(harness.saves.at(-1)!) as IdSnapshot;

describe('adding IDs', () => {
	test('counts new, watched and ended IDs, and equal IDs once', async () => {
		const harness = new WatcherHarness().start();
		expect(harness.watcher.add([{ id: 'a' }, { id: ' a' }, { id: 'b' }])).toEqual({
			ok: true,
			added: 2,
			alreadyWatched: 1,
			alreadyEnded: 0,
			watched: 2,
		});
		harness.respond = ({ id }) => (id === 'a' ? finishedResult('approved') : pendingResult);
		await harness.time.advance(10_000);
		expect(harness.watcher.add([{ id: 'a' }, { id: 'b' }, { id: 'c' }])).toEqual({
			ok: true,
			added: 1,
			alreadyWatched: 1,
			alreadyEnded: 1,
			watched: 2,
		});
		await harness.time.advance(10_000);
		expect(harness.listPollTimes('a')).toHaveLength(1);
		expect(harness.emittedOutcomes()).toEqual([['a', 'approved']]);
	});

	test('saves the IDs before it returns', () => {
		const harness = new WatcherHarness().start();
		harness.watcher.add([{ id: 'a', data: { n: 1 }, subject: 's' }]);
		expect(readLastSave(harness).ids).toEqual([
			{
				id: 'a',
				addedAt: harness.time.wallClockOffsetMs,
				polls: 0,
				data: { n: 1 },
				subject: 's',
				submitted: true,
			},
		]);
	});

	test('completes missing properties of a known ID and overwrites none', () => {
		const harness = new WatcherHarness({ enteredIds: [{ id: 'a' }] });
		harness.watcher.add([{ id: 'a', subject: 'first' }]);
		harness.watcher.add([{ id: 'a', subject: 'second', data: 1 }]);
		harness.watcher.add([{ id: 'a', data: 2 }]);
		expect(harness.watcher.snapshot().ids).toEqual([
			{
				id: 'a',
				addedAt: harness.time.wallClockOffsetMs,
				polls: 0,
				subject: 'first',
				data: 1,
				submitted: true,
			},
		]);
	});

	test.each([
		['badId', { id: '..' }],
		['tooMuchData', { id: 'a', data: 'é'.repeat(512) }],
	])('rejects an invalid ID (%s) and all IDs that are added with it', (reason, item) => {
		const harness = new WatcherHarness();
		expect(harness.watcher.add([{ id: 'good' }, item])).toMatchObject({ ok: false, reason });
		expect(harness.watcher.watchedCount).toBe(0);
	});

	test('accepts IDs of 128 characters, 1 kB of data and names such as __proto__', async () => {
		const harness = new WatcherHarness().start();
		const ids = ['__proto__', 'constructor', 'toString', 'x'.repeat(128), 'a/b', '%2E%2E', 'é✓😀'];
		expect(harness.watcher.add(ids.map((id) => ({ id, data: 'd'.repeat(1022) })))).toMatchObject({
			ok: true,
			added: ids.length,
		});
		harness.respond = () => finishedResult('approved');
		await harness.time.advance(10_000);
		expect(harness.emittedOutcomes().map(([id]) => id)).toEqual(ids);
		const restarted = new WatcherHarness({ savedState: readLastSave(harness) });
		const result = restarted.watcher.add(ids.map((id) => ({ id })));
		expect(result).toMatchObject({ alreadyEnded: ids.length });
	});

	test('rejects all IDs if the new ones exceed the limit, and does not count known ones', () => {
		const { watcher } = new WatcherHarness({ maxWatched: 3 });
		expect(watcher.add(createIds(2))).toMatchObject({ ok: true });
		expect(watcher.add(createIds(4))).toMatchObject({ ok: false, reason: 'tooMany' });
		expect(watcher.watchedCount).toBe(2);
		expect(watcher.add(createIds(3))).toMatchObject({ ok: true, added: 1, alreadyWatched: 2 });
		expect(watcher.add(createIds(3))).toMatchObject({ ok: true, added: 0, alreadyWatched: 3 });
	});

	test('reports for an empty submission whether there is room for an ID, also after a restart', () => {
		const harness = new WatcherHarness({ maxWatched: 2 });
		harness.watcher.add(createIds(1));
		expect(harness.watcher.add([])).toEqual({
			ok: true,
			added: 0,
			alreadyWatched: 0,
			alreadyEnded: 0,
			watched: 1,
		});
		harness.watcher.add(createIds(2));
		expect(harness.watcher.add([])).toMatchObject({ ok: false, reason: 'tooMany' });
		const restarted = new WatcherHarness({ maxWatched: 2, savedState: harness.watcher.snapshot() });
		expect(restarted.watcher.watchedCount).toBe(2);
	});

	test('counts ended but unconfirmed IDs against the limit', async () => {
		const harness = new WatcherHarness({ maxWatched: 3, enteredIds: createIds(2) }).start();
		harness.respond = ({ id }) => (id === 'id0' ? finishedResult('approved') : pendingResult);
		harness.emit = async () => await new Promise(() => undefined);
		await harness.time.advance(5000);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'approved']]);
		expect(harness.watcher.add(createIds(2, 'new'))).toMatchObject({ reason: 'tooMany' });
		expect(harness.watcher.add(createIds(1, 'new'))).toMatchObject({ ok: true, watched: 2 });
		expect(harness.watcher.add([{ id: 'one more' }])).toMatchObject({ reason: 'tooMany' });
	});

	test('accepts known IDs even if the limit was lowered meanwhile', () => {
		const before = new WatcherHarness();
		before.watcher.add(createIds(3));
		const savedState = before.watcher.snapshot();
		const { watcher } = new WatcherHarness({ savedState, maxWatched: 2 });
		expect(watcher.add(createIds(3))).toMatchObject({ ok: true, alreadyWatched: 3, watched: 3 });
	});

	test('accepts ten thousand IDs by default', () => {
		const harness = new WatcherHarness();
		expect(harness.watcher.add(createIds(10_001))).toMatchObject({ reason: 'tooMany' });
		expect(harness.watcher.add(createIds(10_000))).toMatchObject({ ok: true, watched: 10_000 });
	});

	test('keeps a subject that was entered, or submitted first', () => {
		const first = new WatcherHarness({ enteredIds: [{ id: 'a', subject: 'typed' }] });
		first.watcher.add([{ id: 'a' }, { id: 'b', subject: 'handed' }]);
		const enteredIds = [{ id: 'a' }, { id: 'b', subject: 'typed later' }];
		const second = new WatcherHarness({ savedState: first.watcher.snapshot(), enteredIds });
		expect(second.watcher.snapshot().ids).toMatchObject([
			{ id: 'a', subject: 'typed' },
			{ id: 'b', subject: 'handed' },
		]);
	});

	test('throws at once if an entered ID is invalid, or if there are too many', () => {
		const hooks = {
			pollId: async () => pendingResult,
			emit: async () => undefined,
			sleep: async () => undefined,
		};
		expect(() => new Watcher(hooks, {}, undefined, [{ id: 'x'.repeat(200) }])).toThrow(
			'200 characters',
		);
		expect(() => new Watcher(hooks, { maxWatched: 2 }, undefined, createIds(3))).toThrow(
			'No more than 2',
		);
	});
});

describe('the history of finished IDs', () => {
	test('is limited and drops the oldest first, but keeps entered IDs while they are in the node', async () => {
		const enteredIds = createIds(4, 'typed');
		const harness = new WatcherHarness({ enteredIds, maxKnownEnded: 5 }).start();
		harness.respond = () => finishedResult('approved');
		await harness.time.advance(5000);
		for (let index = 0; index < 12; index++) {
			harness.watcher.add([{ id: `handed${index}` }]);
			await harness.time.advance(1000);
		}
		const keptIds = ['handed7', 'handed8', 'handed9', 'handed10', 'handed11'];
		expect(readLastSave(harness).confirmedIds).toEqual([
			...enteredIds.map(({ id }) => id),
			...keptIds,
		]);

		const restarted = new WatcherHarness({
			savedState: readLastSave(harness),
			enteredIds: createIds(1, 'typed'),
			maxKnownEnded: 5,
		}).start();
		await restarted.time.advance(5000);
		expect(readLastSave(restarted).confirmedIds).toEqual(['typed0', ...keptIds]);
		expect(restarted.polls).toEqual([]);
	});

	test('contains the last ten thousand IDs by default', () => {
		const confirmedIds = createIds(10_001).map(({ id }) => id);
		const harness = new WatcherHarness({ savedState: { version: 1, ids: [], confirmedIds } });
		expect(harness.watcher.snapshot().confirmedIds).toEqual(confirmedIds.slice(1));
	});

	test('contains neither results nor data', async () => {
		const harness = new WatcherHarness().start();
		harness.watcher.add([{ id: 'a', data: 'DATA', subject: 'SUBJECT' }]);
		harness.respond = () => finishedResult('approved', 'RESULT');
		await harness.time.advance(5000);
		expect(harness.saves.at(-1)).not.toMatch(/DATA|SUBJECT|RESULT/);
		expect(harness.saves.at(-1)).toContain('"a"');
	});
});

test('nothing is saved when IDs are only polled', async () => {
	const harness = new WatcherHarness({ enteredIds: createIds(100) }).start();
	await harness.time.advance(MINUTE_MS);
	expect(harness.polls.length).toBeGreaterThan(2500);
	expect(harness.saves).toHaveLength(1);
});
