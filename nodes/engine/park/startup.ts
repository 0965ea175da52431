import type { IExecuteFunctions } from 'n8n-workflow';

import { perProcess } from '../n8n/perProcess';
import { FIRST_RESUME_WITHIN_MS, RECOVERY_MS, runsRecovery } from '../n8n/startupRecovery';
import { systemClock } from '../watch';

/** Limit on executions that wait blocking at the same time. Further executions are parked again at once. */
const MAX_BLOCKING = 100;

const startup = perProcess('park startup 1', () => ({
	loadedAt: systemClock.monotonic(),
	/** End of all blocking waits, in monotonic time. The first resume sets it. */
	until: undefined as number | undefined,
	blocking: 0,
}));

/**
 * Lets a resumed execution with open waits wait blocking while n8n starts. If the execution were parked again before n8n's
 * crash recovery has run, n8n could mark it as crashed (`n8n/startupRecovery`). `wait` gets the time left, in milliseconds.
 */
export async function waitThroughStartup(
	context: IExecuteFunctions,
	wait: (ms: number) => Promise<void>,
): Promise<void> {
	const now = systemClock.monotonic();
	const isSoonAfterStart = now - startup.loadedAt <= FIRST_RESUME_WITHIN_MS;
	// The first resume decides for the whole process. If it comes later than FIRST_RESUME_WITHIN_MS, it is not part of n8n's
	// start.
	startup.until ??= isSoonAfterStart ? now + RECOVERY_MS : now;
	if (now >= startup.until || startup.blocking >= MAX_BLOCKING || !runsRecovery(context)) return;
	startup.blocking++;
	try {
		await wait(startup.until - now);
	} finally {
		startup.blocking--;
	}
}
