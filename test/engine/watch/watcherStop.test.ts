// Protects users who stop a trigger: once closed or without a valid credential, it polls, emits and saves nothing more.
import { WatcherHarness, finishedResult, createIds } from './idHarness';

const MINUTE_MS = 60_000;

describe('stopping the watcher', () => {
	test('a rejected credential stops the watcher, which sends no more requests and keeps the IDs', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(5) }).start();
		await harness.time.advance(10_000);
		harness.respond = () => ({ kind: 'credentialRejected', message: '401 invalid API key' });
		await harness.time.advance(10_000);
		expect(harness.stopped).toEqual({ credentialRejectionMessage: '401 invalid API key' });
		const pollCount = harness.polls.length;
		await harness.time.advance(MINUTE_MS);
		expect(harness.polls).toHaveLength(pollCount);
		expect(harness.watcher.snapshot().ids).toHaveLength(5);
		expect(harness.emitted).toEqual([]);
	});

	test('closing stops the watcher at once: the watcher polls, emits, saves and adds nothing more', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(20), latencyMs: 3000 }).start();
		await harness.time.advance(10_000);
		harness.respond = () => finishedResult('completed');
		harness.stop();
		await harness.time.advance(0);
		expect(harness.stopped).toEqual({ credentialRejectionMessage: undefined });
		harness.stop();
		const countsBefore = [harness.polls.length, harness.saves.length];
		await harness.time.advance(MINUTE_MS);
		expect([harness.polls.length, harness.saves.length]).toEqual(countsBefore);
		expect(harness.emitted).toEqual([]);
		expect(harness.watcher.add([{ id: 'late' }])).toEqual({
			ok: false,
			reason: 'stopped',
			message: 'This trigger no longer watches IDs.',
		});
		expect(harness.saves.length).toBe(countsBefore[1]);
	});

	test('no due ID is polled once the watcher is closed or its credential is rejected', async () => {
		const closedHarness = new WatcherHarness().start();
		await closedHarness.time.advance(1000);
		closedHarness.watcher.add(createIds(3));
		closedHarness.stop();
		await closedHarness.time.advance(MINUTE_MS);
		expect(closedHarness.polls).toEqual([]);

		const rejectedHarness = new WatcherHarness({
			enteredIds: createIds(10),
			latencyMs: 5000,
			maxInFlight: 1,
		}).start();
		rejectedHarness.respond = () => ({ kind: 'credentialRejected', message: '403' });
		await rejectedHarness.time.advance(MINUTE_MS);
		expect(rejectedHarness.polls).toHaveLength(1);
	});

	test('a start confirmed after the stop does not change the saved state', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
		harness.respond = () => finishedResult('completed');
		harness.emit = () => harness.time.sleep(5000);
		await harness.time.advance(1000);
		harness.stop();
		const saveCount = harness.saves.length;
		await harness.time.advance(MINUTE_MS);
		expect(harness.emitted).toHaveLength(1);
		expect(harness.saves).toHaveLength(saveCount);
	});

	test('a failed save stops the watcher, whose run rejects with the failure', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) });
		const failure = new Error('static data is gone');
		harness.saves.push = () => {
			throw failure;
		};
		harness.start();
		await harness.time.advance(10_000);
		expect(harness.failure).toBe(failure);
		expect(harness.polls).toEqual([]);
	});
});
