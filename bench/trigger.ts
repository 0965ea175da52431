import axios from 'axios';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox } from '../sandbox/server';
import type { Sandbox } from '../sandbox/server';
import { TwoFactorClient } from '../test/sandbox/twoFactor.fixture';
import type * as Hosting from '../test/triggers/host';
import { newApprovals } from '../test/triggers/watchedIds';
import { pollPlainly } from './plainLoop';
import { play, quantile, result, start } from './processes';
import { watchInN8n } from './triggerInN8n';
import type { Service } from './triggerInN8n';

/**
 * The Two-Factor Trigger on n8n's own context, beside a bare polling loop in the same run: how long it takes from an
 * approval to the start of the workflow with 100 IDs (in a real n8n as well), and how often 1,000 IDs are polled, with how
 * many requests and how much of a core. The service and each watcher are processes of their own. Run it with:
 * npx tsx bench/trigger.ts
 */

/** The default of the node. */
const EVERY_MS = 2000;
const AT_A_TIME = 10;
const SOME = 100;
const MANY = 1000;
/** How long people take to decide, and how long many are watched: short enough for the sandbox's journal to hold it all. */
const DECIDING_MS = 20_000;
const WATCHING_MS = 15_000;
/** Until all IDs are polled evenly. */
const WARMING_MS = 6000;

type Watcher = 'plain' | 'trigger' | 'n8n';

/** What a watcher is told to do. */
interface Order {
	service: Service;
	ids: string[];
}

/** What a watcher has seen. */
interface Seen {
	/** How much of a core it took since the last time. */
	core: number;
	ends: Ends;
}

/** When the end of each ID was seen, or started a workflow. */
type Ends = Record<string, number>;

async function serve(): Promise<void> {
	const { addresses, credentials, controlUrl, demo } = await startSandbox({ registrations: 1 });
	process.send!({ addresses, credentials, controlUrl, demo });
}

/** Watches with a bare polling loop. */
function runPlainly({ service, ids }: Order): () => Ends {
	const { apiKey, headerName } = service.demo.twoFactor;
	const client = axios.create({
		baseURL: `${service.addresses.twoFactor}/onetouch/json/approval_requests`,
		headers: { [headerName]: apiKey },
		httpAgent: new Agent({ keepAlive: true }),
	});
	const ends: Ends = {};
	pollPlainly(ids, { everyMs: EVERY_MS, atATime: AT_A_TIME }, async (id) => {
		const { data } = await client.get<{ approval_request: { status: string } }>(`/${id}`);
		const pending = data.approval_request.status === 'pending';
		if (!pending) ends[id] = Date.now();
		return pending;
	});
	return () => ends;
}

async function runTrigger({ service, ids }: Order): Promise<() => Ends> {
	// Named in full: without its ending, a file that ends in .node would be taken for a native module.
	const load = async (file: string) => (await import(file)) as unknown;
	const { Host } = (await load('../test/triggers/host.ts')) as typeof Hosting;
	const pack = {
		...((await load('../nodes/TwoFactor/TwoFactorTrigger.node.ts')) as object),
	} as { TwoFactorTrigger: Hosting.Triggers['twoFactorTrigger'] };
	const host = new Host(
		service,
		[{ type: 'twoFactorTrigger', parameters: { ids } }],
		'bench',
		() => ({
			twoFactorTrigger: pack.TwoFactorTrigger,
			passwordlessIdentityTrigger: pack.TwoFactorTrigger,
		}),
	);
	await host.start('init');
	return () => {
		const problem = host.stopped[0] ?? host.failed[0];
		if (problem) throw problem;
		return Object.fromEntries(host.executions.map(({ item, at }) => [item.id, at]));
	};
}

const watchers: Record<Watcher, (order: Order) => Promise<() => Ends | Promise<Ends>>> = {
	plain: async (order) => runPlainly(order),
	trigger: runTrigger,
	n8n: async ({ service, ids }) => await watchInN8n(service, ids),
};

async function watch(watcher: Watcher): Promise<void> {
	const [order] = (await once(process, 'message')) as [Order];
	const ends = await watchers[watcher](order);
	let since = performance.now();
	let used = process.cpuUsage();
	const look = async () => {
		const { user, system } = process.cpuUsage(used);
		const core = (user + system) / 1000 / (performance.now() - since);
		since = performance.now();
		used = process.cpuUsage();
		process.send!({ core, ends: await ends() } satisfies Seen);
	};
	process.on('message', () => play(look()));
	process.send!('watching');
}

/** Starts a watcher for new approvals, and gives them with a way to ask what it has seen. */
async function open(watcher: Watcher, service: Service, count: number) {
	const ids = await newApprovals(new TwoFactorClient(service as Sandbox), count);
	const child = start(__filename, watcher);
	child.send({ service, ids } satisfies Order);
	await result(child);
	const look = async () => {
		child.send('look');
		return await result<Seen>(child);
	};
	const end = async () => {
		child.kill();
		await once(child, 'exit');
	};
	return { ids, look, end };
}

/** How many milliseconds passed from each approval to its start. */
async function approvals(watcher: Watcher, service: Service): Promise<number[]> {
	const { ids, look, end } = await open(watcher, service, SOME);
	await delay(EVERY_MS);
	const decided: Record<string, number> = {};
	const people = ids.map(async (uuid) => {
		await delay(Math.random() * DECIDING_MS);
		decided[uuid] = Date.now();
		await axios.post(`${service.controlUrl}/twoFactor/decide`, { uuid, decision: 'approved' });
	});
	await Promise.all(people);
	await delay(3 * EVERY_MS);
	const { ends } = await look();
	await end();
	const late = ids.filter((id) => ends[id] === undefined);
	if (late.length > 0) throw new Error(`${watcher}: ${late.length} approvals were not seen`);
	return ids.map((id) => ends[id]! - decided[id]!);
}

interface Throughput {
	perSecond: number;
	/** How much of a core. */
	core: number;
	/** The times between two polls of an ID, in milliseconds. */
	shortest: number;
	longest: number;
}

/** Watches many IDs for a while; nobody decides. */
async function throughput(watcher: Watcher, service: Service): Promise<Throughput> {
	const { ids, look, end } = await open(watcher, service, MANY);
	await delay(WARMING_MS);
	await look();
	const since = Date.now();
	await delay(WATCHING_MS);
	const until = Date.now();
	const { core } = await look();
	await end();
	const { data } = await axios.get<Array<{ at: number; path: string }>>(
		`${service.controlUrl}/journal`,
		{ params: { service: 'twoFactor', operation: 'getApprovalRequest' } },
	);
	const polls = new Map(ids.map((id) => [id, [] as number[]]));
	const heard = data.filter(({ at }) => at >= since && at <= until);
	for (const { at, path } of heard) polls.get(path.split('/').at(-1)!)?.push(at);
	const gapsOf = (times: number[]) => times.slice(1).map((at, index) => at - times[index]!);
	const all = [...polls.values()];
	return {
		perSecond: (1000 * heard.length) / (until - since),
		core,
		shortest: Math.min(...all.flatMap(gapsOf)),
		// The edges count as well, so that none is forgotten unseen.
		longest: Math.max(...all.flatMap((times) => gapsOf([since, ...times, until]))),
	};
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const percent = (part: number) => `${(100 * part).toFixed(0)} %`;

async function main(): Promise<void> {
	const server = start(__filename, 'serve');
	try {
		const service = await result<Service>(server);
		const medians: Partial<Record<Watcher, number>> = {};
		const costs: Partial<Record<Watcher, number>> = {};
		for (const watcher of ['plain', 'trigger', 'n8n'] as const) {
			const times = await approvals(watcher, service);
			medians[watcher] = quantile(times);
			console.log(
				`${watcher}, ${SOME} IDs: from approval to start ${seconds(quantile(times))} (median), ${seconds(quantile(times, 0.95))} (95 of 100), ${seconds(Math.max(...times))} (longest)`,
			);
		}
		for (const watcher of ['plain', 'trigger'] as const) {
			const { perSecond, core, shortest, longest } = await throughput(watcher, service);
			costs[watcher] = core / perSecond;
			console.log(
				`${watcher}, ${MANY} IDs: each every ${seconds(shortest)} to ${seconds(longest)}, ${perSecond.toFixed(0)} requests per second, ${percent(core)} of a core, ${((1000 * core) / perSecond).toFixed(2)} ms of it per request`,
			);
		}
		const ratio = (of: Partial<Record<Watcher, number>>, watcher: Watcher) =>
			(of[watcher]! / of.plain!).toFixed(2);
		console.log(
			`ratio: ${ratio(medians, 'trigger')} in time to start (${ratio(medians, 'n8n')} in a real n8n), ${ratio(costs, 'trigger')} in work per request`,
		);
	} finally {
		server.kill();
	}
}

const [role] = process.argv.slice(2);
play(role === undefined ? main() : role === 'serve' ? serve() : watch(role as Watcher));
