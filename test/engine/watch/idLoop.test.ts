// Protects the loop of the watcher: it sleeps until the next event, processes every response and leaves no listener behind.
import { getEventListeners } from 'node:events';

import type { PollResult } from '../../../nodes/engine/watch';
import { VirtualTime } from '../trigger/support/virtualTime';
import { WatcherHarness, finishedResult, createIds, pendingResult } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE_MS = 60_000;
const rejectedResult: PollResult = { kind: 'credentialRejected', message: '401' };

/** Starts a watcher, and records the duration of its sleeps, and whether each was complete. */
function startWithRecordedSleeps(options: WatcherHarnessOptions = {}) {
	const time = new VirtualTime();
	const sleeps: Array<{ ms: number; isComplete?: true }> = [];
	const { sleep } = time;
	Object.assign(time, {
		sleep: async (ms: number, signal?: AbortSignal) => {
			const currentSleep: (typeof sleeps)[number] = { ms };
			// Only sleeps with a signal can be interrupted.
			if (signal) sleeps.push(currentSleep);
			await sleep(ms, signal);
			currentSleep.isComplete = true;
		},
	});
	return { harness: new WatcherHarness(options, time).start(), sleeps };
}

/** Polls two IDs at the same time; `sendResponses` lets both responses arrive at the same moment, in this order. */
async function startTwoPolls(first: PollResult, second: PollResult) {
	const harness = new WatcherHarness();
	let respond = () => undefined as void;
	const responded = new Promise<void>((resolve) => (respond = resolve));
	harness.respond = async ({ id }) => {
		await responded;
		return id === 'first' ? first : second;
	};
	for (const id of ['first', 'second']) harness.watcher.add([{ id }]);
	harness.start();
	await harness.time.advance(1000);
	expect(harness.polls).toHaveLength(2);
	return { harness, sendResponses: respond };
}

describe('the sleep of the loop', () => {
	test('lasts a minute if nothing is scheduled', async () => {
		const { harness, sleeps } = startWithRecordedSleeps();
		await harness.time.advance(2 * MINUTE_MS + 1);
		expect(sleeps).toEqual([
			{ ms: MINUTE_MS, isComplete: true },
			{ ms: MINUTE_MS, isComplete: true },
			{ ms: MINUTE_MS },
		]);
	});

	test('lasts exactly until the next scheduled event', async () => {
		const { harness, sleeps } = startWithRecordedSleeps({ enteredIds: createIds(7) });
		await harness.time.advance(1999);
		expect(harness.polls).toHaveLength(7);
		expect(sleeps.filter(({ isComplete }) => isComplete)).toHaveLength(7);
	});

	test('comes before the first poll, so that the caller of run() continues first', async () => {
		const { harness, sleeps } = startWithRecordedSleeps({ enteredIds: createIds(1) });
		await harness.time.advance(0);
		expect([harness.saves.length, harness.polls.length]).toEqual([1, 0]);
		await harness.time.advance(5);
		expect(harness.polls).toHaveLength(1);
		expect(sleeps[0]).toEqual({ ms: 5, isComplete: true });
	});

	test('is not interrupted by responses that reschedule nothing, and events due during it run together', async () => {
		const { harness, sleeps } = startWithRecordedSleeps({
			enteredIds: createIds(1000),
			latencyMs: 7,
			maxInFlight: 50,
		});
		await harness.time.advance(10_000);
		expect(harness.polls.length).toBeGreaterThan(4500);
		expect(sleeps.slice(0, -1).filter(({ isComplete }) => !isComplete)).toEqual([]);
		expect(sleeps.length).toBeLessThanOrEqual(2001);
	});

	test('is interrupted by a response that lets a waiting ID be polled', async () => {
		const { harness, sleeps } = startWithRecordedSleeps({
			enteredIds: createIds(10),
			latencyMs: 1000,
			maxInFlight: 1,
		});
		await harness.time.advance(5000);
		expect(harness.polls.map(({ polledAtMs }) => polledAtMs)).toEqual([5, 1005, 2005, 3005, 4005]);
		expect(sleeps.filter(({ isComplete }) => !isComplete).length).toBeGreaterThan(0);
	});
});

describe('responses at the same moment', () => {
	test('are all processed, even if the first one rejects the credential', async () => {
		const { harness, sendResponses } = await startTwoPolls(
			rejectedResult,
			finishedResult('approved'),
		);
		sendResponses();
		await harness.time.advance(0);
		expect(harness.stopped).toEqual({ credentialRejectionMessage: '401' });
		expect(harness.emittedOutcomes()).toEqual([['second', 'approved']]);
		expect(harness.emitted[0]!.lastSave).toContain('"approved"');
	});

	test('fail the loop with the first error that a hook throws', async () => {
		const { harness, sendResponses } = await startTwoPolls(
			finishedResult('approved'),
			finishedResult('approved'),
		);
		let saveAttempts = 0;
		harness.saves.push = () => {
			throw new Error(`save ${++saveAttempts}`);
		};
		sendResponses();
		await harness.time.advance(0);
		expect(harness.failure).toEqual(new Error('save 1'));
		expect(saveAttempts).toBe(2);
	});
});

describe('after a rejected credential', () => {
	test('responses to pending requests change nothing', async () => {
		const { harness, sendResponses } = await startTwoPolls(
			finishedResult('approved'),
			pendingResult,
		);
		harness.respond = () => rejectedResult;
		harness.watcher.add([{ id: 'third' }]);
		await harness.time.advance(1000);
		expect(harness.stopped).toEqual({ credentialRejectionMessage: '401' });
		const saveCount = harness.saves.length;
		sendResponses();
		await harness.time.advance(MINUTE_MS);
		expect([harness.emitted, harness.saves.length]).toEqual([[], saveCount]);
	});

	test('no abort listener is left on the signal', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) });
		harness.respond = () => rejectedResult;
		const { signal } = new AbortController();
		const stopped = harness.watcher.run(signal);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await harness.time.advance(1000);
		expect(await stopped).toEqual({ credentialRejectionMessage: '401' });
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

test('a poll that rejects without an Error is reported as "No answer"', async () => {
	const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
	harness.respond = async () => await Promise.reject<PollResult>('some text');
	await harness.time.advance(MINUTE_MS);
	expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'No answer' }]);
});

test('rejecting IDs before the watcher runs saves nothing', () => {
	const harness = new WatcherHarness();
	expect(harness.watcher.add([{ id: '..' }]).ok).toBe(false);
	expect(harness.saves).toEqual([]);
	expect(harness.watcher.add([{ id: 'a' }]).ok).toBe(true);
	expect(harness.saves).toHaveLength(1);
});
