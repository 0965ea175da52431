import type { IExecuteFunctions } from 'n8n-workflow';

import { perProcess } from '../n8n/perProcess';
import { FIRST_RESUME_WITHIN_MS, RECOVERY_MS, runsRecovery } from '../n8n/startupRecovery';
import { readinessUrlOf } from '../n8n/waitingWebhook';
import { sleep } from '../sleep';
import { systemClock } from '../watch';
import type { Sender } from './sender';

/** Interval at which n8n is asked whether it is ready. */
const READINESS_INTERVAL_MS = 1000;
/** Longest part of a blocking wait. After each part, an execution is parked if n8n is ready. */
const MAX_PART_MS = 3000;

interface Startup {
	loadedAt: number;
	/** End of all blocking waits, in monotonic time. The first resume sets it. */
	until?: number;
	isAskingN8n: boolean;
}

const startup = perProcess('park startup 2', (): Startup => ({
	loadedAt: systemClock.monotonic(),
	isAskingN8n: false,
}));

const isOver = () => systemClock.monotonic() >= (startup.until ?? Infinity);

/**
 * Lets a resumed execution with open waits wait blocking while n8n starts. If the execution were parked again before n8n's
 * crash recovery has run, n8n could mark it as crashed (`n8n/startupRecovery`). `wait` gets a time in milliseconds, and returns
 * whether waits are still open.
 */
export async function waitThroughStartup(
	context: IExecuteFunctions,
	sender: Sender,
	wait: (ms: number) => Promise<boolean>,
): Promise<void> {
	const now = systemClock.monotonic();
	const isSoonAfterStart = now - startup.loadedAt <= FIRST_RESUME_WITHIN_MS;
	// The first resume decides for the whole process. If it comes later than FIRST_RESUME_WITHIN_MS, it is not part of n8n's
	// start.
	startup.until ??= isSoonAfterStart ? now + RECOVERY_MS : now;
	if (isOver() || !runsRecovery(context)) return;
	void endWhenReady(sender, readinessUrlOf(context));
	while (!isOver() && (await wait(Math.min(MAX_PART_MS, startup.until - systemClock.monotonic()))));
}

/**
 * Ends the blocking waits of all executions as soon as n8n is ready: its crash recovery has run by then. As long as n8n says
 * that it is not, they continue: with many overdue executions, a start takes minutes.
 */
async function endWhenReady(sender: Sender, readinessUrl: string): Promise<void> {
	if (startup.isAskingN8n) return;
	startup.isAskingN8n = true;
	while (!isOver()) {
		const isReady = await sender.isReady(readinessUrl);
		if (isReady !== undefined)
			startup.until = systemClock.monotonic() + (isReady ? 0 : RECOVERY_MS);
		if (!isReady) await sleep(READINESS_INTERVAL_MS);
	}
}
