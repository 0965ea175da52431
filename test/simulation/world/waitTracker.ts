import type { ExecutionStore, StoredExecution } from './executionStore';
import type { World } from './world';

/** n8n's wait tracker reads the database once a minute, and sets timers for the executions of the next 70 seconds. */
const TRACK_EVERY_MS = 60_000;
const TRACK_AHEAD_MS = 70_000;

/** Resumes parked executions by time. A call of the resume webhook does not clear a timer that is set, as in n8n 2.41.1. */
export function trackWaits(
	{ machine }: World,
	store: ExecutionStore,
	process: { hasStopped: () => boolean; resume: (execution: StoredExecution) => void },
): void {
	const timed = new Set<string>();
	const setDueTimers = () => {
		if (process.hasStopped()) return;
		machine.schedule(TRACK_EVERY_MS, setDueTimers);
		for (const execution of store.withStatus('waiting')) {
			const { id, waitTill = Infinity } = execution;
			const delayMs = waitTill - machine.clock.now();
			if (timed.has(id) || delayMs > TRACK_AHEAD_MS) continue;
			timed.add(id);
			machine.schedule(delayMs, () => {
				timed.delete(id);
				if (!process.hasStopped()) process.resume(execution);
			});
		}
	};
	setDueTimers();
}
