import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { decide, newApprovals } from '../../lab/drive/watchedIds';
import { activateWorkflow, createWorkflow, deactivateWorkflow } from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';
import { TwoFactorClient } from '../../test/sandbox/twoFactor.fixture';
import { quantile } from '../harness/figures';
import { inTurns, rowsOf } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import { httpRequest } from '../harness/nodes';
import { usage } from '../harness/usage';
import { decided, pass } from '../harness/withoutTrigger';

const RIVAL = 'Schedule, HTTP Request and If';
const OURS = 'trigger';
const SOME = 100;
const FULL = 10_000;
const SIZES = [SOME, 1000, FULL];
/** How often each ID is checked: the trigger's default. */
const EVERY_S = 2;
/** How long each is watched once all IDs were asked for: whole rounds of the schedule. */
const WATCHING_MS = 4000;
const DECISIONS = 10;
const BETWEEN_DECISIONS_MS = 100;
/** How long n8n is left alone until what was watched is forgotten. */
const SETTLING_MS = 1000;
const FULL_SPEED = 50;
const ALL_ASKED_MS = 120_000;

const nameOf = (ids: number) => `${ids.toLocaleString('en')} IDs`;
const path = '/onetouch/json/approval_requests';

/** A server that workflows call with the ID that they were started for. */
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

/** The workflow with the trigger: what is decided is told at once. */
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
	/** The first of them are watched: as many as `size` says. */
	ids: string[];
	size: number;
	seen: Map<string, number>;
	/** Makes and publishes the workflow, and gives what ends it. */
	start(): Promise<() => Promise<void>>;
}

const asked = ({ lab }: BenchN8n) => lab.sandbox.journal.count('twoFactor', 'getApprovalRequest');

/** Watches for a while, and tells what that took. */
const watch =
	(watched: Watched): Contender =>
	async () => {
		const { n8n, size, start } = watched;
		const first = asked(n8n);
		const end = await start();
		const until = Date.now() + ALL_ASKED_MS;
		while (asked(n8n) - first < size) {
			if (Date.now() > until) throw new Error(`${size} IDs were not all asked for`);
			await delay(100);
		}
		const { pid } = n8n.lab.n8n;
		const [before, count, began] = [await usage(pid), asked(n8n), Date.now()];
		await delay(WATCHING_MS);
		const [after, checks] = [await usage(pid), asked(n8n) - count];
		const took = Date.now() - began;
		const late: Record<string, number> = size < FULL ? { late: await lateness(watched) } : {};
		const heap = await n8n.heap();
		await end();
		await delay(SETTLING_MS);
		return {
			...late,
			work: (after.cpuMs - before.cpuMs) / checks,
			every: (size * took) / checks / 1000,
			memory: heap - (await n8n.heap()),
		};
	};

/** Has some decided, and tells how many seconds it took until the workflow had started. */
async function lateness({ n8n, ids, seen }: Watched): Promise<number> {
	const at = new Map<string, number>();
	for (const uuid of ids.splice(0, DECISIONS)) {
		await delay(BETWEEN_DECISIONS_MS);
		at.set(uuid, Date.now());
		decide(n8n.lab.sandbox, uuid, 'approved');
	}
	for (const until = Date.now() + 30_000; [...at.keys()].some((id) => !seen.has(id));) {
		if (Date.now() > until) throw new Error('Not every decision was noticed');
		await delay(100);
	}
	return quantile([...at].map(([id, time]) => (seen.get(id)! - time) / 1000));
}

/** Publishes a workflow, and gives what ends it. */
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
		start: async () => await publish(n8n, decided(some(theirs), service, EVERY_S)),
	});
	/** More than a schedule bears every two seconds: one pass, as quick as can be. */
	const onePass: Contender = async () => {
		const once = await n8n.open(pass(service));
		const { time, processor } = await n8n.measure(async () => await once({ ids: some(ours) }));
		return { every: time, work: (1000 * processor) / size };
	};
	try {
		const contenders: Record<string, Contender> = { [OURS]: trigger };
		const rival = size === SOME ? schedule : onePass;
		const all = size === FULL ? contenders : { [RIVAL]: rival, ...contenders };
		return await inTurns(bench, { name: nameOf(size) }, all, size > SOME);
	} finally {
		close();
	}
}

/** Watching for decisions. */
export const triggers: Measurement = {
	name: 'triggers',
	title: 'Watching for decisions',
	about: `The Two-Factor Trigger with its defaults (each ID every ${EVERY_S} s; ${FULL_SPEED} requests at a time for 10,000 IDs), beside what people build without it: a Schedule every ${EVERY_S} s, an HTTP Request for each ID, and an If. From 1,000 IDs on one pass of that takes longer than the ${EVERY_S} s, and the schedule would start ever more of them: there, one pass is measured alone. With 10,000 IDs it sends all requests at once, and n8n answers nobody else meanwhile: there it is left out.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const rows = [];
		for (const size of SIZES) rows.push(await measure(bench, n8n, size));
		const usual = { rowsAre: 'watched', contenders: [RIVAL, OURS] };
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
