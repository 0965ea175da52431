import { sleep } from '../sleep';

/**
 * Lets one through in each turn of the event loop, whoever comes first. n8n opens a connection for every request, and it is
 * not open before the turn is over. If all whose answers have come together went on together, none of their next requests
 * would leave before the last one is ready, and then all would wait together: the time that n8n takes would add to that of
 * the service instead of passing meanwhile.
 */
export function createEventLoopGate(): () => Promise<void> {
	let last: Promise<unknown> = Promise.resolve();
	return async () => {
		const before = last;
		last = before.then(async () => await sleep(0));
		await before;
	};
}
