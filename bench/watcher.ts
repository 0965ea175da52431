import { sleep } from 'n8n-workflow';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { Watcher } from '../nodes/engine/watch';
import { pollPlainly } from './plainLoop';
import { play, result, start } from './processes';

/**
 * What the watcher itself costs, without n8n and without a network: every request is answered after 5 ms. Says how often each
 * of 1,000 and of 10,000 IDs is polled and how much of a core that takes, beside a bare polling loop in the same run. Each of
 * them is a process of its own. Run it with: npx tsx bench/watcher.ts
 */

/** The default of the triggers. */
const EVERY_MS = 2000;
const ANSWER_MS = 5;
/** Until all IDs are polled evenly. */
const WARMING_MS = 6000;
const WATCHING_MS = 15_000;
const loads: Order[] = [
	{ count: 1000, atATime: 10 },
	{ count: 10_000, atATime: 50 },
];

type Poller = 'plain' | 'watcher';
type Ask = (id: string) => Promise<boolean>;

/** How many IDs to poll, and with how many requests at a time. */
interface Order {
	count: number;
	atATime: number;
}

interface Seen {
	perSecond: number;
	/** How much of a core. */
	core: number;
	/** The times between two polls of an ID, in milliseconds. */
	shortest: number;
	longest: number;
}

function runWatcher(ids: string[], atATime: number, ask: Ask): void {
	const watcher = new Watcher(
		{
			sleep,
			emit: async () => undefined,
			fetch: async ({ id }) => {
				await ask(id);
				return { kind: 'pending' };
			},
		},
		{ intervalMs: EVERY_MS, maxInFlight: atATime },
		undefined,
		ids.map((id) => ({ id })),
	);
	void watcher.run(new AbortController().signal);
}

/** Polls for a while, and tells what was seen once all IDs were polled evenly. */
async function poll(poller: Poller): Promise<void> {
	const [{ count, atATime }] = (await once(process, 'message')) as [Order];
	const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
	const last = new Map<string, number>();
	let gaps = { polls: 0, shortest: Infinity, longest: 0 };
	const ask: Ask = async (id) => {
		const now = performance.now();
		const gap = now - (last.get(id) ?? NaN);
		last.set(id, now);
		gaps.polls++;
		if (gap < gaps.shortest) gaps.shortest = gap;
		if (gap > gaps.longest) gaps.longest = gap;
		await delay(ANSWER_MS);
		return true;
	};
	if (poller === 'plain') pollPlainly(ids, { everyMs: EVERY_MS, atATime }, ask);
	else runWatcher(ids, atATime, ask);

	await delay(WARMING_MS);
	gaps = { polls: 0, shortest: Infinity, longest: 0 };
	const since = performance.now();
	const used = process.cpuUsage();
	await delay(WATCHING_MS);
	const { user, system } = process.cpuUsage(used);
	const until = performance.now();
	// What was polled long ago counts as well, so that none is forgotten unseen.
	const waiting = ids.map((id) => until - (last.get(id) ?? 0));
	process.send!({
		perSecond: (1000 * gaps.polls) / (until - since),
		core: (user + system) / 1000 / (until - since),
		shortest: gaps.shortest,
		longest: Math.max(gaps.longest, ...waiting),
	} satisfies Seen);
}

async function measure(poller: Poller, order: Order): Promise<Seen> {
	const child = start(__filename, poller);
	try {
		child.send(order);
		return await result<Seen>(child);
	} finally {
		child.kill();
	}
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const percent = (part: number) => `${(100 * part).toFixed(0)} %`;

async function main(): Promise<void> {
	for (const order of loads) {
		const costs = { plain: 0, watcher: 0 };
		for (const poller of ['plain', 'watcher'] as const) {
			const { perSecond, core, shortest, longest } = await measure(poller, order);
			costs[poller] = core / perSecond;
			console.log(
				`${poller}, ${order.count} IDs, ${order.atATime} at a time: each every ${seconds(shortest)} to ${seconds(longest)}, ${perSecond.toFixed(0)} polls per second, ${percent(core)} of a core, ${(1e6 * costs[poller]).toFixed(0)} µs of it per poll`,
			);
		}
		console.log(`ratio: ${(costs.watcher / costs.plain).toFixed(2)} in work per poll`);
	}
}

const [role] = process.argv.slice(2);
play(role === 'plain' || role === 'watcher' ? poll(role) : main());
