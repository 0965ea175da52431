import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { sleep } from '../nodes/engine/sleep';
import { Watcher } from '../nodes/engine/watch';
import { runChild } from './harness/processes';
import { runPlainLoop } from './plainLoop';

/** Child process of bench/measurements/watcher.ts. Polls, and reports the CPU time of a poll in microseconds. */

/** The default polling interval of the triggers. */
const POLL_INTERVAL_MS = 2000;
const RESPONSE_DELAY_MS = 5;

type PollId = (id: string) => Promise<boolean>;

/** Message that starts the measurement: number of IDs, concurrent requests and durations. */
interface PollingTask {
	count: number;
	concurrency: number;
	warmUpMs: number;
	measuredMs: number;
}

function runWatcher(ids: string[], concurrency: number, pollId: PollId): void {
	const watcher = new Watcher(
		{
			sleep,
			emit: async () => undefined,
			pollId: async ({ id }) => {
				await pollId(id);
				return { kind: 'pending' };
			},
		},
		{ intervalMs: POLL_INTERVAL_MS, maxInFlight: concurrency },
		undefined,
		ids.map((id) => ({ id })),
	);
	void watcher.run(new AbortController().signal);
}

async function measurePoller(poller: string): Promise<void> {
	const [{ count, concurrency, warmUpMs, measuredMs }] = (await once(process, 'message')) as [
		PollingTask,
	];
	const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
	let pollCount = 0;
	const pollId: PollId = async () => {
		pollCount++;
		await delay(RESPONSE_DELAY_MS);
		return true;
	};
	if (poller === 'plain') runPlainLoop(ids, { intervalMs: POLL_INTERVAL_MS, concurrency }, pollId);
	else runWatcher(ids, concurrency, pollId);

	await delay(warmUpMs);
	pollCount = 0;
	const cpuBefore = process.cpuUsage();
	await delay(measuredMs);
	const { user, system } = process.cpuUsage(cpuBefore);
	process.send!((user + system) / pollCount);
}

runChild(measurePoller(process.argv[2]!));
