import { sleep } from '../sleep';

/**
 * Returns a function that lets one caller continue per turn of the event loop, in the order of the calls.
 *
 * n8n 2.41.1 opens a new connection for every request, which takes at least until the next turn. If all callers whose
 * responses arrived together continued in one turn, no caller's next request would leave before the last caller had done its
 * work. n8n's processing time would then add to the service's response time instead of overlapping with it.
 */
export function createEventLoopGate(): () => Promise<void> {
	let last: Promise<unknown> = Promise.resolve();
	return async () => {
		const before = last;
		last = before.then(async () => await sleep(0));
		await before;
	};
}
