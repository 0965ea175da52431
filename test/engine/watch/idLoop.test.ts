import { getEventListeners } from 'node:events';

import type { PollResult } from '../../../nodes/engine/watch';
import { VirtualTime } from '../trigger/support/virtualTime';
import { Bench, finished, ids, pending } from './idHarness';
import type { BenchOptions } from './idHarness';

const MINUTE = 60_000;
const refused: PollResult = { kind: 'credentialRejected', message: '401' };

/** A watcher, and how it naps: for how long, and whether it was left to. */
function napping(options: BenchOptions = {}) {
	const time = new VirtualTime();
	const naps: Array<{ ms: number; whole?: true }> = [];
	const { sleep } = time;
	Object.assign(time, {
		sleep: async (ms: number, signal?: AbortSignal) => {
			const nap: (typeof naps)[number] = { ms };
			// Only naps can be ended.
			if (signal) naps.push(nap);
			await sleep(ms, signal);
			nap.whole = true;
		},
	});
	return { bench: new Bench(options, time).start(), naps };
}

/** Two ids that are asked for at the same time, and whose answers come in one moment, in this order. */
async function together(first: PollResult, second: PollResult) {
	const bench = new Bench();
	let respond = () => undefined as void;
	const responded = new Promise<void>((resolve) => (respond = resolve));
	bench.respond = async ({ id }) => {
		await responded;
		return id === 'first' ? first : second;
	};
	for (const id of ['first', 'second']) bench.watcher.add([{ id }]);
	bench.start();
	await bench.time.pass(1000);
	expect(bench.polls).toHaveLength(2);
	return { bench, answer: respond };
}

describe('the sleep of the loop', () => {
	test('lasts a minute if nothing is scheduled', async () => {
		const { bench, naps } = napping();
		await bench.time.pass(2 * MINUTE + 1);
		expect(naps).toEqual([
			{ ms: MINUTE, whole: true },
			{ ms: MINUTE, whole: true },
			{ ms: MINUTE },
		]);
	});

	test('lasts exactly until the next scheduled event', async () => {
		const { bench, naps } = napping({ typed: ids(7) });
		await bench.time.pass(1999);
		expect(bench.polls).toHaveLength(7);
		expect(naps.filter(({ whole }) => whole)).toHaveLength(7);
	});

	test('comes first, so that the caller of run() continues before any poll', async () => {
		const { bench, naps } = napping({ typed: ids(1) });
		await bench.time.pass(0);
		expect([bench.saves.length, bench.polls.length]).toEqual([1, 0]);
		await bench.time.pass(5);
		expect(bench.polls).toHaveLength(1);
		expect(naps[0]).toEqual({ ms: 5, whole: true });
	});

	test('is not interrupted by responses that reschedule nothing, and events due during it run together', async () => {
		const { bench, naps } = napping({ typed: ids(1000), latency: 7, maxInFlight: 50 });
		await bench.time.pass(10_000);
		expect(bench.polls.length).toBeGreaterThan(4500);
		expect(naps.slice(0, -1).filter(({ whole }) => !whole)).toEqual([]);
		expect(naps.length).toBeLessThanOrEqual(2001);
	});

	test('is interrupted by a response that frees a place for a waiting ID', async () => {
		const { bench, naps } = napping({ typed: ids(10), latency: 1000, maxInFlight: 1 });
		await bench.time.pass(5000);
		expect(bench.polls.map(({ at }) => at)).toEqual([5, 1005, 2005, 3005, 4005]);
		expect(naps.filter(({ whole }) => !whole).length).toBeGreaterThan(0);
	});
});

describe('responses at the same moment', () => {
	test('are all processed, even if the first one rejects the credential', async () => {
		const { bench, answer } = await together(refused, finished('approved'));
		answer();
		await bench.time.pass(0);
		expect(bench.stopped).toEqual({ rejection: '401' });
		expect(bench.outcomes()).toEqual([['second', 'approved']]);
		expect(bench.emitted[0]!.savedAs).toContain('"approved"');
	});

	test('fail the loop with the first error that a hook throws', async () => {
		const { bench, answer } = await together(finished('approved'), finished('approved'));
		let saves = 0;
		bench.saves.push = () => {
			throw new Error(`save ${++saves}`);
		};
		answer();
		await bench.time.pass(0);
		expect(bench.failure).toEqual(new Error('save 1'));
		expect(saves).toBe(2);
	});
});

describe('after a rejected credential', () => {
	test('responses to pending requests change nothing', async () => {
		const { bench, answer } = await together(finished('approved'), pending);
		bench.respond = () => refused;
		bench.watcher.add([{ id: 'third' }]);
		await bench.time.pass(1000);
		expect(bench.stopped).toEqual({ rejection: '401' });
		const saved = bench.saves.length;
		answer();
		await bench.time.pass(MINUTE);
		expect([bench.emitted, bench.saves.length]).toEqual([[], saved]);
	});

	test('no abort listener is left on the signal', async () => {
		const bench = new Bench({ typed: ids(1) });
		bench.respond = () => refused;
		const { signal } = new AbortController();
		const stopped = bench.watcher.run(signal);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await bench.time.pass(1000);
		expect(await stopped).toEqual({ rejection: '401' });
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

test('a poll that rejects without an Error is reported as "No answer"', async () => {
	const bench = new Bench({ typed: ids(1) }).start();
	bench.respond = async () => await Promise.reject<PollResult>('some text');
	await bench.time.pass(MINUTE);
	expect(bench.reports).toEqual([{ kind: 'unavailable', message: 'No answer' }]);
});

test('rejecting IDs before the watcher runs saves nothing', () => {
	const bench = new Bench();
	expect(bench.watcher.add([{ id: '..' }]).ok).toBe(false);
	expect(bench.saves).toEqual([]);
	expect(bench.watcher.add([{ id: 'a' }]).ok).toBe(true);
	expect(bench.saves).toHaveLength(1);
});
