// Protects users who drop an ID from a trigger: it is no longer polled or emitted, other IDs are, and it can be added again.
import type { Watcher } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, pendingResult } from './idHarness';

const MINUTE_MS = 60_000;

it('a dropped ID is no longer polled or emitted, but other IDs are', async () => {
	const harness = new WatcherHarness().start();
	harness.watcher.add([{ id: 'a' }, { id: 'b' }]);
	harness.respond = () => pendingResult;
	await harness.time.advance(10_000);
	harness.watcher.drop(' a ');
	const pollCount = harness.listPollTimes('a').length;
	harness.respond = () => finishedResult('done');
	await harness.time.advance(MINUTE_MS);
	expect(harness.listPollTimes('a')).toHaveLength(pollCount);
	expect(harness.emittedOutcomes()).toEqual([['b', 'done']]);
	expect(harness.watcher.watchedCount).toBe(0);
});

it('a response that arrives after its ID was dropped changes nothing', async () => {
	const harness = new WatcherHarness({ latencyMs: 1000 }).start();
	harness.watcher.add([{ id: 'a' }]);
	harness.respond = () => finishedResult('done');
	await harness.time.advance(500);
	expect(harness.listPollTimes('a')).toHaveLength(1);
	harness.watcher.drop('a');
	await harness.time.advance(MINUTE_MS);
	expect(harness.emittedOutcomes()).toEqual([]);
	expect(harness.listPollTimes('a')).toHaveLength(1);
});

it('a dropped ID is not saved, and can be added again', async () => {
	const harness = new WatcherHarness().start();
	harness.watcher.add([{ id: 'a' }]);
	harness.watcher.drop('a');
	expect(harness.watcher.snapshot().ids).toEqual([]);
	harness.respond = () => finishedResult('done');
	expect(harness.watcher.add([{ id: 'a' }])).toMatchObject({ ok: true, added: 1 });
	await harness.time.advance(MINUTE_MS);
	expect(harness.emittedOutcomes()).toEqual([['a', 'done']]);
});

it('dropping an ended or unknown ID changes nothing', async () => {
	const harness = new WatcherHarness().start();
	harness.emit = async () => await new Promise(() => undefined);
	harness.watcher.add([{ id: 'a' }]);
	harness.respond = () => finishedResult('done');
	await harness.time.advance(5000);
	harness.watcher.drop('a');
	harness.watcher.drop('never seen');
	expect(harness.watcher.snapshot().ids).toMatchObject([{ id: 'a', end: { outcome: 'done' } }]);
});

it('a watcher that runs until all IDs have ended stops when the last one is dropped', async () => {
	const harness = new WatcherHarness();
	const watcher: Watcher = harness.watcher;
	watcher.add([{ id: 'a' }]);
	const run = watcher.run(new AbortController().signal, { untilIdle: true });
	harness.respond = () => pendingResult;
	await harness.time.advance(10_000);
	watcher.drop('a');
	await harness.time.advance(1);
	expect(await run).toEqual({ credentialRejectionMessage: undefined });
});
