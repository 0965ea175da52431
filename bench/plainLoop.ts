import { setTimeout as delay } from 'node:timers/promises';

/**
 * What pollers are held against: polls as simply as possible, for ever. Whoever is free takes the ID that has waited longest;
 * `ask` says whether there is more to ask for.
 */
export function pollPlainly(
	ids: string[],
	{ everyMs, atATime }: { everyMs: number; atATime: number },
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
	for (let worker = 0; worker < atATime; worker++) void work();
}
