import { sleep } from 'n8n-workflow';

import { waitForIds } from '../../../nodes/engine/watch';
import type { IdReport, PollResult, WatchedId } from '../../../nodes/engine/watch';
import { createRandom, VirtualTime } from '../trigger/support/virtualTime';
import { finishedResult, createIds, pendingResult } from './idHarness';

const MINUTE = 60_000;

function createHooks(respond: (watched: WatchedId, now: number) => PollResult) {
	const time = new VirtualTime();
	const polls: Array<{ id: string; atMs: number }> = [];
	const reports: IdReport[] = [];
	const hooks = {
		pollId: async (watched: WatchedId) => {
			polls.push({ id: watched.id, atMs: time.nowMs });
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
	test('ends when each ID has ended with its own outcome, and polls equal IDs once', async () => {
		const { time, hooks, polls, signal } = createHooks(({ id, polls: count }, nowMs) => {
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
		const waiting = waitForIds(items, hooks, { maxWaitMs: MINUTE }, signal);
		await time.advance(MINUTE + 10);
		const { ended, rejectionMessage: rejection } = await waiting;
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

	test('ends at once without IDs', async () => {
		const { hooks, signal } = createHooks(() => pendingResult);
		expect((await waitForIds([], hooks, { maxWaitMs: MINUTE }, signal)).ended.size).toBe(0);
	});

	test('handles a thousand IDs that end at the same time', async () => {
		const { time, hooks, signal } = createHooks(() => finishedResult('completed'));
		let done = false;
		const waiting = waitForIds(
			createIds(1000),
			hooks,
			{ maxWaitMs: MINUTE, maxInFlight: 50 },
			signal,
		);
		void waiting.then(() => (done = true));
		await time.advance(2200);
		expect(done).toBe(true);
		expect((await waiting).ended.size).toBe(1000);
	});

	test('keeps a time limit that is shorter than the interval', async () => {
		const { time, hooks, polls, signal } = createHooks(() => pendingResult);
		const waiting = waitForIds([{ id: 'a' }], hooks, { maxWaitMs: 1000 }, signal);
		await time.advance(1001);
		expect((await waiting).ended.get('a')!.outcome).toBe('stillOutstanding');
		expect(polls).toHaveLength(1);
	});

	test('ends when the credential is rejected, and leaves the remaining IDs open', async () => {
		const { time, hooks, signal } = createHooks(({ id }, now) => {
			if (now < 3000) return id === 'a' ? finishedResult('completed') : pendingResult;
			return { kind: 'credentialRejected', message: '401 invalid key' };
		});
		const waiting = waitForIds([{ id: 'a' }, { id: 'b' }], hooks, { maxWaitMs: MINUTE }, signal);
		await time.advance(10_000);
		const { ended, rejectionMessage: rejection } = await waiting;
		expect(rejection).toBe('401 invalid key');
		expect([...ended.keys()]).toEqual(['a']);
	});

	test('reports an unavailable service once, and names it at the end', async () => {
		const { time, hooks, reports, signal } = createHooks(() => ({
			kind: 'unavailable',
			message: '503',
		}));
		const waiting = waitForIds(createIds(3), hooks, { maxWaitMs: 5 * MINUTE }, signal);
		await time.advance(5 * MINUTE + 10);
		const { ended } = await waiting;
		expect(ended.get('id2')).toMatchObject({ outcome: 'stillOutstanding', trouble: '503' });
		expect(reports).toEqual([{ kind: 'unavailable', message: '503' }]);
	});

	test('rejects an invalid ID before any request', async () => {
		const { hooks, polls, signal } = createHooks(() => pendingResult);
		const waiting = waitForIds([{ id: 'a' }, { id: '..' }], hooks, { maxWaitMs: MINUTE }, signal);
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
			{ maxWaitMs: MINUTE, intervalMs: 20_000 },
			cancel.signal,
		);
		const outcome = waiting.then(
			() => undefined,
			(error: unknown) => error,
		);
		for (let tries = 0; polledIds.length === 0 && tries < 100; tries++) await sleep(50);
		expect(polledIds).toEqual(['id0']);
		const reason = new Error('cancelled');
		const from = Date.now();
		cancel.abort(reason);
		expect(await outcome).toBe(reason);
		expect(Date.now() - from).toBeLessThan(10_000);
	});
});
