import { setTimeout as delay } from 'node:timers/promises';

import type { Random } from '../../sandbox/random';
import { fault } from '../support/faults/catalog';
import type { FaultProxy, Plan } from '../support/faults/proxy';

/** Faults of the soak test, as they happen to real services; slow responses among them. */
const KINDS = [
	'cutBefore',
	'cutAfter',
	'reset',
	'silent',
	'dribblingBody',
	'truncated',
	'page502',
	'busyFor1s',
	'status500',
	'status503',
	'empty',
];

/**
 * Spoils so large a share of all requests, but the same one never twice in a row: what is unreadable three times in a row
 * has ended, by agreement, and that is not what is looked for here.
 */
export function changeable(share: number, random: Random): Plan {
	const spoilt = new Set<string>();
	return ({ path }) => {
		if (spoilt.delete(path) || random.next() >= share) return undefined;
		spoilt.add(path);
		return fault(random.pick(KINDS));
	};
}

/** Lets the service be away now and then, as when it is started anew; gives how often it was. */
export async function outages(
	proxy: FaultProxy,
	{ everyMs, forMs }: { everyMs: number; forMs: number },
	signal: AbortSignal,
): Promise<number> {
	let count = 0;
	while (await waited(everyMs, signal)) {
		proxy.down(true);
		count += 1;
		await waited(forMs, signal);
		proxy.down(false);
	}
	return count;
}

/** Waits; says no when it was cut short. */
export const waited = async (ms: number, signal: AbortSignal): Promise<boolean> =>
	await delay(ms, true, { signal }).catch(() => false);
