// Protects operations that wait for a batch of IDs: each ID has its own outcome, and a deadline or a cancel ends the wait.
import { sleep } from 'n8n-workflow';

import { waitForIds } from '../../../nodes/engine/watch';
import type { IdReport, PollResult, WatchedId } from '../../../nodes/engine/watch';
import { createRandom, VirtualTime } from '../trigger/support/virtualTime';
import { finishedResult, createIds, pendingResult } from './idHarness';

const MINUTE_MS = 60_000;

/** Creates the arguments of `waitForIds`, in virtual time, and records its polls and reports. */
function createWait(respond: (watched: WatchedId, nowMs: number) => PollResult) {
	const time = new VirtualTime();
	const polls: Array<{ id: string; polledAtMs: number }> = [];
	const reports: IdReport[] = [];
	const hooks = {
		pollId: async (watched: WatchedId) => {
			polls.push({ id: watched.id, polledAtMs: time.nowMs });
			await time.sleep(50);
			return respond(watched, time.nowMs);
		},
		report: (report: IdReport) => void reports.push(report),
		sleep: time.sleep,
		clock: time.clock,
		random: createRandom(3),
	};
	return { time, polls, reports, hooks, signal: new AbortController().signal };
}

describe('waiting for a batch of IDs', () => {
	test('ends when each ID has its own outcome, and polls equal IDs as one', async () => {
		const { time, hooks, polls, signal } = createWait(({ id, pollNumber: count }, nowMs) => {
			if (id === 'gone') return { kind: 'missing' };
			if (id === 'slow') return { kind: 'pending', note: 'waiting' };
			return nowMs > 10_000 ? finishedResult('completed', { id, count }) : pendingResult;
		});
		const items = [
			{ id: 'a' },
			{ id: 'gone' },
			{ id: ' a ' },
			{ id: 'slow' },
			{ id: 'b', data: 1 },
		];
		const waiting = waitForIds(items, hooks, { maxWaitMs: MINUTE_MS }, signal);
		await time.advance(MINUTE_MS + 10);
		const { ended, credentialRejectionMessage: rejection } = await waiting;
		expect(rejection).toBeUndefined();
		expect([...ended].map(([id, { outcome }]) => [id, outcome]).sort()).toEqual([
			['a', 'completed'],
			['b', 'completed'],
			['gone', 'gone'],
			['slow', 'stillOutstanding'],
		]);
		expect(ended.get('b')).toMatchObject({ data: 1, result: { id: 'b' }, seenOutstanding: true });
		expect(ended.get('slow')!.result).toBe('waiting');
		expect(polls.filter(({ id }) => id === 'gone')).toHaveLength(3);
		expect(polls.filter(({ id }) => id === 'a').length).toBeLessThan(8);
	});

	test('ends all outstanding IDs at the deadline, without pauses between them', async () => {
		const { time, hooks, signal } = createWait(() => pendingResult);
		const waiting = waitForIds(createIds(1000), hooks, { maxWaitMs: MINUTE_MS }, signal);
		const endedAtMs = waiting.then(() => time.nowMs);
		await time.advance(2 * MINUTE_MS);
		expect(await endedAtMs).toBe(MINUTE_MS);
	});

	test('ends at once if there are no IDs', async () => {
		const { hooks, signal } = createWait(() => pendingResult);
		expect((await waitForIds([], hooks, { maxWaitMs: MINUTE_MS }, signal)).ended.size).toBe(0);
	});

	test('ends after 2.2 seconds if a thousand IDs end at their first poll', async () => {
		const { time, hooks, signal } = createWait(() => finishedResult('completed'));
		let isDone = false;
		const waiting = waitForIds(
			createIds(1000),
			hooks,
			{ maxWaitMs: MINUTE_MS, maxInFlight: 50 },
			signal,
		);
		void waiting.then(() => (isDone = true));
		await time.advance(2200);
		expect(isDone).toBe(true);
		expect((await waiting).ended.size).toBe(1000);
	});

	test('ends at a time limit that is shorter than the interval', async () => {
		const { time, hooks, polls, signal } = createWait(() => pendingResult);
		const waiting = waitForIds([{ id: 'a' }], hooks, { maxWaitMs: 1000 }, signal);
		await time.advance(1001);
		expect((await waiting).ended.get('a')!.outcome).toBe('stillOutstanding');
		expect(polls).toHaveLength(1);
	});

	test('ends when the credential is rejected, and returns only the IDs that have ended', async () => {
		const { time, hooks, signal } = createWait(({ id }, nowMs) => {
			if (nowMs < 3000) return id === 'a' ? finishedResult('completed') : pendingResult;
			return { kind: 'credentialRejected', message: '401 invalid key' };
		});
		const waiting = waitForIds([{ id: 'a' }, { id: 'b' }], hooks, { maxWaitMs: MINUTE_MS }, signal);
		await time.advance(10_000);
		const { ended, credentialRejectionMessage: rejection } = await waiting;
		expect(rejection).toBe('401 invalid key');
		expect([...ended.keys()]).toEqual(['a']);
	});

	test('reports an unavailable service once, and returns its message with each ID', async () => {
		const { time, hooks, reports, signal } = createWait(() => ({
			kind: 'unavailable',
			message: '503',
		}));
		const waiting = waitForIds(createIds(3), hooks, { maxWaitMs: 5 * MINUTE_MS }, signal);
		await time.advance(5 * MINUTE_MS + 10);
		const { ended } = await waiting;
		expect(ended.get('id2')).toMatchObject({ outcome: 'stillOutstanding', trouble: '503' });
		expect(reports).toEqual([{ kind: 'unavailable', message: '503' }]);
	});

	test('rejects an invalid ID before any request', async () => {
		const { hooks, polls, signal } = createWait(() => pendingResult);
		const waiting = waitForIds(
			[{ id: 'a' }, { id: '..' }],
			hooks,
			{ maxWaitMs: MINUTE_MS },
			signal,
		);
		await expect(waiting).rejects.toThrow('An ID must be text');
		expect(polls).toEqual([]);
	});

	test('stops at once when the execution is cancelled, in real time and with the real sleep', async () => {
		const cancel = new AbortController();
		const polledIds: string[] = [];
		const waiting = waitForIds(
			createIds(1),
			{
				pollId: async ({ id }) => {
					polledIds.push(id);
					return pendingResult;
				},
				sleep,
			},
			{ maxWaitMs: MINUTE_MS, intervalMs: 20_000 },
			cancel.signal,
		);
		const rejection = waiting.then(
			() => undefined,
			(error: unknown) => error,
		);
		for (let attempt = 0; polledIds.length === 0 && attempt < 100; attempt++) await sleep(50);
		expect(polledIds).toEqual(['id0']);
		const reason = new Error('cancelled');
		const cancelledAtMs = Date.now();
		cancel.abort(reason);
		expect(await rejection).toBe(reason);
		expect(Date.now() - cancelledAtMs).toBeLessThan(10_000);
	});
});
