import type { IExecuteFunctions } from 'n8n-workflow';

import { perProcess } from '../n8n/perProcess';
import { systemClock } from '../watch';

/** For how long after the first resume of a process executions wait blocking instead of being parked again. */
const STARTUP_MS = 60_000;
/** A first resume that comes later than this after the pack was loaded has nothing to do with the start of n8n. */
const FIRST_RESUME_WITHIN_MS = 120_000;
/** How many executions wait blocking at most; others are parked again at once. */
const MAX_BLOCKING = 100;

const startup = perProcess('park startup 1', () => ({
	loadedAt: systemClock.steady(),
	/** Until when executions wait blocking; set by the first resume. */
	until: undefined as number | undefined,
	blocking: 0,
}));

/**
 * Has an execution that was resumed and still waits do so blocking while n8n starts. n8n 2.41.1 resumes what is overdue before
 * its crash recovery has run (`WaitTracker.init` in commands/start). The recovery reads which executions are running, and marks
 * them as crashed a moment later, also one that was parked again in between: that one never continues. One that still runs
 * stores its outcome afterwards. `wait` gets the time left, in milliseconds.
 */
export async function waitThroughStartup(
	context: IExecuteFunctions,
	wait: (ms: number) => Promise<void>,
): Promise<void> {
	const now = systemClock.steady();
	const isFirstInTime = now - startup.loadedAt <= FIRST_RESUME_WITHIN_MS;
	startup.until ??= isFirstInTime ? now + STARTUP_MS : now;
	if (now >= startup.until || startup.blocking >= MAX_BLOCKING || !isMainProcess(context)) return;
	startup.blocking++;
	try {
		await wait(startup.until - now);
	} finally {
		startup.blocking--;
	}
}

/**
 * Whether this is n8n's main process, and no worker of queue mode: there the recovery is another process's, and a blocking wait
 * takes one of the worker's few places. n8n-core's contexts have it, if not in their public type; without it nothing blocks.
 */
function isMainProcess(
	context: IExecuteFunctions & { instanceSettings?: { instanceType?: string } },
) {
	return context.instanceSettings?.instanceType === 'main';
}
