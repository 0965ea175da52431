import { sleep } from '../sleep';

/**
 * Returns a function that lets one caller continue per turn of the event loop, in the order of the calls.
 *
 * n8n opens a connection for every request, and the connection is not open before the current turn ends. If all callers whose
 * responses arrived together continued in the same turn, no next request would be sent before the last caller is ready, and
 * then all would wait for the service at once: n8n's processing time would add to the service's response time instead of
 * overlapping with it.
 */
export function createEventLoopGate(): () => Promise<void> {
	let last: Promise<unknown> = Promise.resolve();
	return async () => {
		const before = last;
		last = before.then(async () => await sleep(0));
		await before;
	};
}
