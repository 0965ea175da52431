import timers from 'node:timers/promises';

// Checks again in real time, even where a test accelerates time (support/fakeClock).
const realDelay = timers.setTimeout;
const CHECK_INTERVAL_MS = 2;

/** Waits until a condition is met, or fails after a time limit with a description of the actual state. */
export async function waitUntil(
	isMet: () => boolean,
	describeState: () => unknown = () => '',
	timeoutMs = 15_000,
): Promise<void> {
	const deadlineMs = Date.now() + timeoutMs;
	while (!isMet()) {
		if (Date.now() > deadlineMs) throw new Error(`Timed out: ${JSON.stringify(describeState())}`);
		await realDelay(CHECK_INTERVAL_MS);
	}
}
