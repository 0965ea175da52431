import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls in the simplest way, as the baseline for the watcher. It never ends. A free worker takes the ID that has waited
 * longest. `pollId` returns whether to poll the ID again.
 */
export function runPlainLoop(
	ids: string[],
	{ intervalMs, concurrency }: { intervalMs: number; concurrency: number },
	pollId: (id: string) => Promise<boolean>,
): void {
	const nowMs = performance.now();
	const queue = ids.map((id, index) => ({
		id,
		dueAtMs: nowMs + (index / ids.length) * intervalMs,
	}));
	const runWorker = async () => {
		for (;;) {
			const next = queue.shift();
			await delay(next ? Math.max(0, next.dueAtMs - performance.now()) : 10);
			if (!next) continue;
			const dueAtMs = performance.now() + intervalMs;
			if (await pollId(next.id)) queue.push({ id: next.id, dueAtMs });
		}
	};
	for (let worker = 0; worker < concurrency; worker++) void runWorker();
}
