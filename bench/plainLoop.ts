import { setTimeout as delay } from 'node:timers/promises';

/**
 * Baseline for pollers: polls in the simplest way, without end. A free worker takes the ID that has waited longest. `ask`
 * returns whether to poll the ID again.
 */
export function pollPlainly(
	ids: string[],
	{ everyMs, concurrency }: { everyMs: number; concurrency: number },
	ask: (id: string) => Promise<boolean>,
): void {
	const now = performance.now();
	const line = ids.map((id, place) => ({ id, due: now + (place / ids.length) * everyMs }));
	const work = async () => {
		for (;;) {
			const next = line.shift();
			await delay(next ? Math.max(0, next.due - performance.now()) : 10);
			if (!next) continue;
			const due = performance.now() + everyMs;
			if (await ask(next.id)) line.push({ id: next.id, due });
		}
	};
	for (let worker = 0; worker < concurrency; worker++) void work();
}
