import { setTimeout as delay } from 'node:timers/promises';

/**
 * Baseline for pollers: polls in the simplest way, without end. A free worker takes the ID that has waited longest. `pollId`
 * returns whether to poll the ID again.
 */
export function runPlainLoop(
	ids: string[],
	{ intervalMs, concurrency }: { intervalMs: number; concurrency: number },
	pollId: (id: string) => Promise<boolean>,
): void {
	const now = performance.now();
	const queue = ids.map((id, index) => ({ id, dueAt: now + (index / ids.length) * intervalMs }));
	const runWorker = async () => {
		for (;;) {
			const next = queue.shift();
			await delay(next ? Math.max(0, next.dueAt - performance.now()) : 10);
			if (!next) continue;
			const dueAt = performance.now() + intervalMs;
			if (await pollId(next.id)) queue.push({ id: next.id, dueAt });
		}
	};
	for (let worker = 0; worker < concurrency; worker++) void runWorker();
}
