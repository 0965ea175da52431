import timers from 'node:timers/promises';

// Checks again in real time, even where a test accelerates time (support/fakeClock).
const realDelay = timers.setTimeout;

/** Waits until a condition holds, or fails after a time limit with a description of the actual state. */
export async function until(
	holds: () => boolean,
	describeState: () => unknown = () => '',
	withinMs = 15_000,
): Promise<void> {
	const deadline = Date.now() + withinMs;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`Timed out: ${JSON.stringify(describeState())}`);
		await realDelay(2);
	}
}
