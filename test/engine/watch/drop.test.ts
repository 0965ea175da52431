import type { Watcher } from '../../../nodes/engine/watch';
import { Bench, finished, pending } from './idHarness';

const MINUTE = 60_000;

it('a dropped ID is no longer polled or emitted, and other IDs are', async () => {
	const bench = new Bench().start();
	bench.watcher.add([{ id: 'a' }, { id: 'b' }]);
	bench.respond = () => pending;
	await bench.time.pass(10_000);
	bench.watcher.drop(' a ');
	const asked = bench.timesOf('a').length;
	bench.respond = () => finished('done');
	await bench.time.pass(MINUTE);
	expect(bench.timesOf('a')).toHaveLength(asked);
	expect(bench.outcomes()).toEqual([['b', 'done']]);
	expect(bench.watcher.watchedCount).toBe(0);
});

it('a response that arrives after its ID was dropped changes nothing', async () => {
	const bench = new Bench({ latency: 1000 }).start();
	bench.watcher.add([{ id: 'a' }]);
	bench.respond = () => finished('done');
	await bench.time.pass(500);
	expect(bench.timesOf('a')).toHaveLength(1);
	bench.watcher.drop('a');
	await bench.time.pass(MINUTE);
	expect(bench.outcomes()).toEqual([]);
	expect(bench.timesOf('a')).toHaveLength(1);
});

it('a dropped ID is not saved, and can be added again', async () => {
	const bench = new Bench().start();
	bench.watcher.add([{ id: 'a' }]);
	bench.watcher.drop('a');
	expect(bench.watcher.snapshot().ids).toEqual([]);
	bench.respond = () => finished('done');
	expect(bench.watcher.add([{ id: 'a' }])).toMatchObject({ ok: true, added: 1 });
	await bench.time.pass(MINUTE);
	expect(bench.outcomes()).toEqual([['a', 'done']]);
});

it('dropping an ended or unknown ID changes nothing', async () => {
	const bench = new Bench().start();
	bench.emit = async () => await new Promise(() => undefined);
	bench.watcher.add([{ id: 'a' }]);
	bench.respond = () => finished('done');
	await bench.time.pass(5000);
	bench.watcher.drop('a');
	bench.watcher.drop('never seen');
	expect(bench.watcher.snapshot().ids).toMatchObject([{ id: 'a', end: { outcome: 'done' } }]);
});

it('a watcher that runs until all IDs have ended stops when the last one is dropped', async () => {
	const bench = new Bench();
	const watcher: Watcher = bench.watcher;
	watcher.add([{ id: 'a' }]);
	const run = watcher.run(new AbortController().signal, { untilIdle: true });
	bench.respond = () => pending;
	await bench.time.pass(10_000);
	watcher.drop('a');
	await bench.time.pass(1);
	expect(await run).toEqual({ rejection: undefined });
});
