import { setTimeout as delay } from 'node:timers/promises';

import type { Random } from '../../sandbox/random';
import { findFault } from '../support/faults/catalog';
import type { FaultProxy, FaultSelector } from '../support/faults/proxy';

/** Names of the faults of the soak test, as they happen to real services. */
const FAULT_NAMES = [
	'cutBefore',
	'cutAfter',
	'reset',
	'silent',
	'dribblingBody',
	'truncated',
	'page502',
	'rateLimitedFor1s',
	'status500',
	'status503',
	'empty',
];

/**
 * Injects a fault into this share of requests, never twice in a row per path: three unrecognized responses in a row end an
 * ID.
 */
export function randomFaults(share: number, random: Random): FaultSelector {
	const faultedPaths = new Set<string>();
	return ({ path }) => {
		if (faultedPaths.delete(path) || random.next() >= share) return undefined;
		faultedPaths.add(path);
		return findFault(random.pick(FAULT_NAMES));
	};
}

/** Takes the service down at intervals, as a restart does. Returns the number of outages. */
export async function simulateOutages(
	proxy: FaultProxy,
	{ everyMs, forMs }: { everyMs: number; forMs: number },
	signal: AbortSignal,
): Promise<number> {
	let count = 0;
	while (await sleepUnlessAborted(everyMs, signal)) {
		proxy.setDown(true);
		count += 1;
		await sleepUnlessAborted(forMs, signal);
		proxy.setDown(false);
	}
	return count;
}

/** Returns whether the time has passed without an abort. */
export const sleepUnlessAborted = async (ms: number, signal: AbortSignal): Promise<boolean> =>
	await delay(ms, true, { signal }).catch(() => false);
