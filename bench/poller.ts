import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { sleep } from '../nodes/engine/sleep';
import { Watcher } from '../nodes/engine/watch';
import { runChild } from './harness/processes';
import { pollPlainly } from './plainLoop';

/** A process of bench/measurements/watcher.ts: polls, and says how many microseconds of the processor a poll took. */

/** The default of the triggers. */
const EVERY_MS = 2000;
const ANSWER_MS = 5;

type PollId = (id: string) => Promise<boolean>;

/** Number of IDs, concurrent requests and duration. */
interface Order {
	count: number;
	concurrency: number;
	warmingMs: number;
	watchingMs: number;
}

function runWatcher(ids: string[], concurrency: number, ask: PollId): void {
	const watcher = new Watcher(
		{
			sleep,
			emit: async () => undefined,
			pollId: async ({ id }) => {
				await ask(id);
				return { kind: 'pending' };
			},
		},
		{ intervalMs: EVERY_MS, maxInFlight: concurrency },
		undefined,
		ids.map((id) => ({ id })),
	);
	void watcher.run(new AbortController().signal);
}

async function poll(poller: string): Promise<void> {
	const [{ count, concurrency, warmingMs, watchingMs }] = (await once(process, 'message')) as [
		Order,
	];
	const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
	let polls = 0;
	const ask: PollId = async () => {
		polls++;
		await delay(ANSWER_MS);
		return true;
	};
	if (poller === 'plain') pollPlainly(ids, { everyMs: EVERY_MS, concurrency }, ask);
	else runWatcher(ids, concurrency, ask);

	await delay(warmingMs);
	polls = 0;
	const used = process.cpuUsage();
	await delay(watchingMs);
	const { user, system } = process.cpuUsage(used);
	process.send!((user + system) / polls);
}

runChild(poll(process.argv[2]!));
