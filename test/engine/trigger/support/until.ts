import timers from 'node:timers/promises';

// Looks again in real time, also where a test lets time pass faster (support/fakeClock).
const realDelay = timers.setTimeout;

/** Waits until something holds, or fails after a while with what is there instead. */
export async function until(
	holds: () => boolean,
	told: () => unknown = () => '',
	withinMs = 15_000,
): Promise<void> {
	const deadline = Date.now() + withinMs;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`It did not happen: ${JSON.stringify(told())}`);
		await realDelay(2);
	}
}
