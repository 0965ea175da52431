import type { IExecuteFunctions } from 'n8n-workflow';

import { perProcess } from '../n8n/perProcess';
import { FIRST_RESUME_WITHIN_MS, RECOVERY_MS } from '../n8n/startupRecovery';
import { runsRecovery } from '../n8n/startupRecovery';
import { systemClock } from '../trigger/ids/core';

/** How many executions wait blocking at most; others are parked again at once. */
const MAX_BLOCKING = 100;

const startup = perProcess('park startup 1', () => ({
	loadedAt: systemClock.monotonic(),
	/** Until when executions wait blocking; set by the first resume. */
	until: undefined as number | undefined,
	blocking: 0,
}));

/**
 * Has an execution that was resumed and still waits do so blocking while n8n starts: parked again before n8n's crash recovery
 * has run, it could be marked as crashed (`n8n/startupRecovery`). `wait` gets the time left, in milliseconds.
 */
export async function waitThroughStartup(
	context: IExecuteFunctions,
	wait: (ms: number) => Promise<void>,
): Promise<void> {
	const now = systemClock.monotonic();
	const isFirstInTime = now - startup.loadedAt <= FIRST_RESUME_WITHIN_MS;
	startup.until ??= isFirstInTime ? now + RECOVERY_MS : now;
	if (now >= startup.until || startup.blocking >= MAX_BLOCKING || !runsRecovery(context)) return;
	startup.blocking++;
	try {
		await wait(startup.until - now);
	} finally {
		startup.blocking--;
	}
}
