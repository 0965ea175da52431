import timers from 'node:timers/promises';

// Checks again in real time, even where a test accelerates time (support/fakeClock).
const realDelay = timers.setTimeout;

/** Waits until a condition holds, or fails after a time limit with a description of the actual state. */
export async function waitUntil(
	isMet: () => boolean,
	describeState: () => unknown = () => '',
	timeoutMs = 15_000,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!isMet()) {
		if (Date.now() > deadline) throw new Error(`Timed out: ${JSON.stringify(describeState())}`);
		await realDelay(2);
	}
}
