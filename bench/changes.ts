import axios from 'axios';
import type { INodeType } from 'n8n-workflow';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { EventRegistrationApi } from '../credentials/EventRegistrationApi.credentials';
import type * as Support from '../test/support/workflow';
import type * as Hosting from '../test/triggers/host';
import { quantile } from './harness/figures';
import { play, result, start } from './harness/processes';
import { startService } from './registrationService';

/**
 * The Event Registration Trigger over 50 events with 2,000 registrations each, on n8n's own context, beside what people build
 * without it in the same run: Get Many with Changed After for each event, on a schedule. Says how many requests, how much of
 * the processor and how much memory a look takes, how large its static data is and how long writing that blocks n8n, and how
 * long it takes from a registration to the start of the workflow. Run it with: npx tsx bench/changes.ts
 */

const EVENTS = 50;
const EACH = 2000;
const NEW_ONES = 20;
/** The shortest interval of the node and its default, and how many looks are measured. */
const INTERVALS = [
	{ intervalSeconds: 10, looks: 5 },
	{ intervalSeconds: 60, looks: 2 },
];

type Follower = 'trigger' | 'schedule';

interface Order {
	url: string;
	intervalSeconds: number;
	looks: number;
}

interface Seen {
	/** Of the processor, in milliseconds, since the last time. */
	cpuMs: number;
	memory: number;
	/** When each registration was seen, or started a workflow. */
	starts: Record<string, number>;
	/** Static data in bytes, and the longest time that writing it took. */
	column: number;
	longestSaveMs: number;
}

const credentialFor = (url: string) => ({
	baseUrl: url,
	apiKey: 'key',
	headerName: 'Authorization',
	prefix: '',
	firstPage: '1',
});

// Named in full: without its ending, a file that ends in .node would be taken for a native module.
const load = async <T>(file: string) => (await import(file)) as T;

async function runTrigger({
	url,
	intervalSeconds,
}: Order): Promise<() => Omit<Seen, 'cpuMs' | 'memory'>> {
	const { Host } = await load<typeof Hosting>('../test/triggers/host.ts');
	const { EventRegistrationTrigger } = await load<{
		EventRegistrationTrigger: new () => INodeType;
	}>('../nodes/EventRegistration/EventRegistrationTrigger.node.ts');
	const host = new Host(
		{ credentials: { eventRegistrationApi: credentialFor(url) } },
		[
			{
				type: 'eventRegistrationTrigger',
				parameters: {
					triggerOn: ['registrationCreated'],
					where: 'allCurrentEvents',
					options: { pollingInterval: intervalSeconds },
				},
			},
		],
		'bench',
		() => ({ eventRegistrationTrigger: EventRegistrationTrigger }),
	);
	await host.start('init');
	return () => {
		const problem = host.stopped[0] ?? host.failed[0];
		if (problem) throw problem;
		return {
			starts: Object.fromEntries(host.executions.map(({ item, at }) => [item.RegistrationId, at])),
			column: host.column.length,
			longestSaveMs: host.longestSaveMs,
		};
	};
}

/** A workflow as people build it: the events, then for each what has changed since the last time. */
async function runSchedule({
	url,
	intervalSeconds,
}: Order): Promise<() => Omit<Seen, 'cpuMs' | 'memory'>> {
	const { runNode } = await load<typeof Support>('../test/support/workflow.ts');
	const { EventRegistration } = await load<{ EventRegistration: new () => INodeType }>(
		'../nodes/EventRegistration/EventRegistration.node.ts',
	);
	const kit = {
		nodes: { eventRegistration: EventRegistration },
		credentials: [EventRegistrationApi],
		secrets: { eventRegistrationApi: credentialFor(url) },
	};
	const starts: Record<string, number> = {};
	let since = new Date().toISOString();
	const look = async () => {
		const began = new Date().toISOString();
		const { out: events } = await runNode(kit, 'eventRegistration', {
			resource: 'event',
			operation: 'getMany',
			returnAll: true,
		});
		const { out: changed } = await runNode(
			kit,
			'eventRegistration',
			{
				resource: 'registration',
				operation: 'getMany',
				eventId: { __rl: true, mode: 'id', value: '={{ $json.EventId }}' },
				returnAll: true,
				filters: { changedAfter: since },
			},
			events,
		);
		for (const { RegistrationId } of changed) starts[`${RegistrationId as number}`] ??= Date.now();
		since = began;
	};
	play(
		(async () => {
			for (;;) {
				const next = delay(1000 * intervalSeconds);
				await look();
				await next;
			}
		})(),
	);
	return () => ({ starts, column: 0, longestSaveMs: 0 });
}

async function follow(follower: Follower): Promise<void> {
	const [order] = (await once(process, 'message')) as [Order];
	const see = await (follower === 'trigger' ? runTrigger : runSchedule)(order);
	let used = process.cpuUsage();
	process.on('message', () => {
		const { user, system } = process.cpuUsage(used);
		used = process.cpuUsage();
		const cpuMs = (user + system) / 1000;
		process.send!({ cpuMs, memory: process.memoryUsage.rss(), ...see() } satisfies Seen);
	});
	process.send!('following');
}

interface Measured {
	requests: number;
	cpuMs: number;
	memory: number;
	delays: number[];
	last: Seen;
}

/** Lets a follower look some times while nothing happens, and then while people register. */
async function measure(follower: Follower, order: Order): Promise<Measured> {
	const child = start(__filename, follower);
	child.send(order);
	await result(child);
	const see = async () => {
		child.send('see');
		return await result<Seen>(child);
	};
	const requests = async () => (await axios.get<number>(`${order.url}/requests`)).data;
	const interval = 1000 * order.intervalSeconds;
	// The first look reads more than the others.
	await delay(interval + interval / 2);
	await see();
	const before = await requests();
	await delay(order.looks * interval);
	const idle = await see();
	const asked = (await requests()) - before;
	const registered: Record<string, number> = {};
	const people = Array.from({ length: NEW_ONES }, async () => {
		await delay(Math.random() * 2 * interval);
		const event = Math.floor(Math.random() * EVENTS);
		const { data } = await axios.post<{ RegistrationId: number }>(`${order.url}/register/${event}`);
		registered[data.RegistrationId] = Date.now();
	});
	await Promise.all(people);
	await delay(2 * interval);
	const last = await see();
	child.kill();
	await once(child, 'exit');
	const late = Object.keys(registered).filter((id) => last.starts[id] === undefined);
	if (late.length > 0) throw new Error(`${follower}: ${late.length} registrations were not seen`);
	return {
		requests: asked / order.looks,
		cpuMs: idle.cpuMs / order.looks,
		memory: idle.memory,
		delays: Object.entries(registered).map(([id, at]) => last.starts[id]! - at),
		last,
	};
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Lets a follower have a service of its own. */
async function measureAlone(follower: Follower, order: Omit<Order, 'url'>): Promise<Measured> {
	const server = start(__filename, 'serve');
	try {
		return await measure(follower, { ...order, url: await result<string>(server) });
	} finally {
		server.kill();
	}
}

async function main(): Promise<void> {
	for (const order of INTERVALS) {
		const [trigger, schedule] = await Promise.all([
			measureAlone('trigger', order),
			measureAlone('schedule', order),
		]);
		for (const [name, { requests, cpuMs, memory, delays }] of Object.entries({
			trigger,
			schedule,
		})) {
			console.log(
				`${name}, every ${order.intervalSeconds} s: ${requests.toFixed(0)} requests and ${cpuMs.toFixed(0)} ms of the processor a look, ${(memory / 1e6).toFixed(0)} MB; from a registration to the start ${seconds(quantile(delays))} (median), ${seconds(Math.max(...delays))} (longest)`,
			);
		}
		console.log(
			`ratio: ${(trigger.requests / schedule.requests).toFixed(2)} in requests, ${(trigger.cpuMs / schedule.cpuMs).toFixed(2)} in work; static data ${trigger.last.column} bytes, written in ${trigger.last.longestSaveMs.toFixed(1)} ms at most`,
		);
	}
}

const serve = async () => void process.send!(await startService(Array<number>(EVENTS).fill(EACH)));
const [role] = process.argv.slice(2);
play(role === undefined ? main() : role === 'serve' ? serve() : follow(role as Follower));
