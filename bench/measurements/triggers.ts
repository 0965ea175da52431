import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, newApprovals } from '../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../lab/drive/twoFactorClient';
import { activateWorkflow, createWorkflow, deactivateWorkflow } from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';
import { quantile } from '../harness/figures';
import { interleave, rowsOf } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import { httpRequest } from '../harness/nodes';
import { measurePolling, pollsOfApprovals } from '../harness/polling';
import { schedulePollingWorkflow, pollOncePerId } from '../harness/withoutTrigger';

const RIVAL = 'Schedule, HTTP Request and If';
const OURS = 'trigger';
const SOME = 100;
const FULL = 10_000;
const SIZES = [SOME, 1000, FULL];
/** Polling interval: the trigger's default. */
const EVERY_S = 2;
/** Time over which polling is measured after every ID was polled once: whole rounds of the schedule. */
const WATCHING_MS = 4000;
const DECISIONS = 10;
const BETWEEN_DECISIONS_MS = 100;
/** Time that n8n gets to free the memory of the IDs it watched. */
const SETTLING_MS = 1000;
const FULL_SPEED = 50;
const ALL_POLLED_MS = 120_000;

const nameOf = (ids: number) => `${ids.toLocaleString('en')} IDs`;
const path = '/onetouch/json/approval_requests';

/** Starts a server that workflows call with the ID they were started for, and that records the first call. */
async function listen() {
	const seen = new Map<string, number>();
	const server = createServer(({ url }, response) => {
		const id = url!.slice(1);
		if (!seen.has(id)) seen.set(id, Date.now());
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { seen, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The workflow with the trigger, which calls the server for every decision. */
const withTrigger = (ids: string[], seenUrl: string): WorkflowFile => ({
	name: 'Watch',
	nodes: [
		{
			id: 'trigger',
			name: 'Decided',
			type: 'n8n-nodes-gatehouse.twoFactorTrigger',
			typeVersion: 1,
			position: [0, 0],
			credentials: { twoFactorApi: {} },
			parameters: {
				ids: ids.join(', '),
				options: ids.length > 1000 ? { requestsAtATime: FULL_SPEED } : {},
			},
		},
		{
			id: 'seen',
			typeVersion: 4.2,
			position: [220, 0],
			...(httpRequest('Seen', `=${seenUrl}/{{ $json.id }}`, {}) as { name: string; type: string }),
		},
	],
	connections: { Decided: { main: [[{ node: 'Seen', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
});

interface Watched {
	n8n: BenchN8n;
	/** The first `size` of them are watched. */
	ids: string[];
	size: number;
	seen: Map<string, number>;
	/** Creates and publishes the workflow, and returns a function that unpublishes it. */
	start(): Promise<() => Promise<void>>;
}

/** Watches the IDs for a while, and measures what that takes. */
const watch =
	(watched: Watched): Contender =>
	async () => {
		const { n8n, size, start } = watched;
		const first = pollsOfApprovals(n8n.lab);
		const end = await start();
		const until = Date.now() + ALL_POLLED_MS;
		while (pollsOfApprovals(n8n.lab) - first < size) {
			if (Date.now() > until) throw new Error(`Not all of ${size} IDs were polled`);
			await delay(100);
		}
		const { elapsedMs, cpuMs, polls } = await measurePolling(n8n.lab, WATCHING_MS);
		const late: Record<string, number> = size < FULL ? { late: await lateness(watched) } : {};
		const heap = await n8n.heap();
		await end();
		await delay(SETTLING_MS);
		return {
			...late,
			work: cpuMs / polls,
			every: (size * elapsedMs) / polls / 1000,
			memory: heap - (await n8n.heap()),
		};
	};

/** Decides some requests, and returns the median time until their workflow had started, in seconds. */
async function lateness({ n8n, ids, seen }: Watched): Promise<number> {
	const at = new Map<string, number>();
	for (const uuid of ids.splice(0, DECISIONS)) {
		await delay(BETWEEN_DECISIONS_MS);
		at.set(uuid, Date.now());
		decideApproval(n8n.lab.sandbox, uuid, 'approved');
	}
	for (const until = Date.now() + 30_000; [...at.keys()].some((id) => !seen.has(id));) {
		if (Date.now() > until) throw new Error('Not every decision was noticed');
		await delay(100);
	}
	return quantile([...at].map(([id, time]) => (seen.get(id)! - time) / 1000));
}

/** Creates and publishes a workflow, and returns a function that unpublishes it. */
async function publish({ lab }: BenchN8n, workflow: WorkflowFile): Promise<() => Promise<void>> {
	const { id } = await createWorkflow(lab.rest, workflow, lab.credentials);
	await activateWorkflow(lab.rest, id);
	return async () => await deactivateWorkflow(lab.rest, id);
}

async function measure(bench: Bench, n8n: BenchN8n, size: number) {
	const { seen, url, close } = await listen();
	const { sandbox } = n8n.lab;
	const spare = (bench.rounds + 1) * DECISIONS;
	const client = new TwoFactorClient(sandbox);
	const ids = async (count: number) => {
		const all: string[] = [];
		while (all.length < count) all.push(...(await newApprovals(client, Math.min(500, count))));
		return all;
	};
	const ours = await ids(size + spare);
	const theirs = size === SOME ? await ids(size + spare) : ours;
	const { apiKey, headerName } = sandbox.demo.twoFactor;
	const service = {
		url: sandbox.addresses.twoFactor + path,
		headers: { [headerName]: apiKey },
		seenUrl: url,
	};
	const some = (list: string[]) => list.slice(0, size);
	const trigger = watch({
		n8n,
		ids: ours,
		size,
		seen,
		start: async () => await publish(n8n, withTrigger(some(ours), url)),
	});
	const schedule = watch({
		n8n,
		ids: theirs,
		size,
		seen,
		start: async () => await publish(n8n, schedulePollingWorkflow(some(theirs), service, EVERY_S)),
	});
	/** Polls all IDs once, as fast as n8n can: one pass takes longer than the schedule's interval. */
	const onePass: Contender = async () => {
		const once = await n8n.open(pollOncePerId(service));
		const { time, processor } = await n8n.measure(async () => await once({ ids: some(ours) }));
		return { every: time, work: (1000 * processor) / size };
	};
	try {
		const contenders: Record<string, Contender> = { [OURS]: trigger };
		const rival = size === SOME ? schedule : onePass;
		const all = size === FULL ? contenders : { [RIVAL]: rival, ...contenders };
		return await interleave(bench, { name: nameOf(size) }, all, size > SOME);
	} finally {
		close();
	}
}

/** Measures watching for decisions, with the trigger and without. */
export const triggers: Measurement = {
	name: 'triggers',
	title: 'Watching for decisions',
	about: `The Two-Factor Trigger with its defaults (each ID every ${EVERY_S} s; ${FULL_SPEED} requests at a time for 10,000 IDs), beside what people build without it: a Schedule every ${EVERY_S} s, an HTTP Request for each ID, and an If. From 1,000 IDs on one pass of that takes longer than the ${EVERY_S} s, and the schedule would start ever more of them: there, one pass is measured alone. With 10,000 IDs it sends all requests at once, and n8n answers nobody else meanwhile: there it is left out.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const rows = [];
		for (const size of SIZES) rows.push(await measure(bench, n8n, size));
		const usual = { rowHeader: 'watched', contenders: [RIVAL, OURS] };
		return [
			{
				...usual,
				name: 'triggers-late',
				caption: 'From an approval to the next node of the workflow:',
				unit: 's',
				rows: rowsOf(rows, 'late'),
				shown: 'table',
			},
			{
				...usual,
				name: 'triggers-every',
				caption: 'Each ID is checked every:',
				unit: 's',
				rows: rowsOf(rows, 'every'),
			},
			{
				...usual,
				name: 'triggers',
				caption: "Work of n8n's processor for each check:",
				unit: 'ms',
				rows: rowsOf(rows, 'work'),
			},
			{
				...usual,
				name: 'triggers-memory',
				caption:
					"What n8n's heap holds for them, which it gives back when they are no longer watched:",
				unit: 'MB',
				rows: rowsOf(rows, 'memory'),
				shown: 'table',
			},
		];
	},
};
