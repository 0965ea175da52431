import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals } from '../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../lab/drive/twoFactorClient';
import { activateWorkflow, createWorkflow, deactivateWorkflow } from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';
import { computeMedian } from '../harness/figures';
import { interleave, collectRows } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import { createHttpRequestNode } from '../harness/nodes';
import { measurePolling, countApprovalPolls } from '../harness/polling';
import { createSchedulePollingWorkflow, createPollOnceNodes } from '../harness/pollingWorkflows';

const POLLING_WORKFLOW = 'Schedule, HTTP Request and If';
const TRIGGER = 'trigger';
const SMALLEST_SIZE = 100;
const LARGEST_SIZE = 10_000;
const SIZES = [SMALLEST_SIZE, 1000, LARGEST_SIZE];
/** Polling interval: the trigger's default. */
const POLL_INTERVAL_SECONDS = 2;
/** Time over which polling is measured after every ID was polled once: whole rounds of the schedule. */
const MEASURED_MS = 4000;
const DECISION_COUNT = 10;
const DECISION_INTERVAL_MS = 100;
/** Time that n8n gets to free the memory of the IDs that it watched. */
const SETTLE_MS = 1000;
const MAX_CONCURRENT_REQUESTS = 50;
const POLL_TIMEOUT_MS = 120_000;

const formatRowName = (idCount: number) => `${idCount.toLocaleString('en')} IDs`;
const APPROVALS_PATH = '/onetouch/json/approval_requests';

/** Starts a server that workflows call with the ID they were started for, and that records the first call. */
async function startDecisionServer() {
	const reportedAtMs = new Map<string, number>();
	const server = createServer(({ url }, response) => {
		const id = url!.slice(1);
		if (!reportedAtMs.has(id)) reportedAtMs.set(id, Date.now());
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { reportedAtMs, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Creates the workflow with the trigger. It calls the server for every decision. */
const createTriggerWorkflow = (ids: string[], decisionUrl: string): WorkflowFile => ({
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
				options: ids.length > 1000 ? { requestsAtATime: MAX_CONCURRENT_REQUESTS } : {},
			},
		},
		{
			id: 'seen',
			typeVersion: 4.2,
			position: [220, 0],
			...(createHttpRequestNode('Seen', `=${decisionUrl}/{{ $json.id }}`, {}) as {
				name: string;
				type: string;
			}),
		},
	],
	connections: { Decided: { main: [[{ node: 'Seen', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
});

interface WatchSetup {
	n8n: BenchN8n;
	/** The IDs, of which the first `size` are watched. */
	ids: string[];
	size: number;
	reportedAtMs: Map<string, number>;
	/** Creates and publishes the workflow, and returns a function that unpublishes it. */
	publish(): Promise<() => Promise<void>>;
}

/** Watches the IDs for a while, and measures n8n's load meanwhile. */
const measureWatching =
	(setup: WatchSetup): Contender =>
	async () => {
		const { n8n, size, publish } = setup;
		const pollsBefore = countApprovalPolls(n8n.lab);
		const unpublish = await publish();
		const deadline = Date.now() + POLL_TIMEOUT_MS;
		while (countApprovalPolls(n8n.lab) - pollsBefore < size) {
			if (Date.now() > deadline) throw new Error(`Not all of ${size} IDs were polled`);
			await delay(100);
		}
		const { elapsedMs, cpuMs, polls } = await measurePolling(n8n.lab, MEASURED_MS);
		const delayMetric: Record<string, number> =
			size < LARGEST_SIZE ? { delaySeconds: await measureDelaySeconds(setup) } : {};
		const heapMbWhileWatching = await n8n.measureHeapMb();
		await unpublish();
		await delay(SETTLE_MS);
		return {
			...delayMetric,
			cpuMsPerPoll: cpuMs / polls,
			intervalSeconds: (size * elapsedMs) / polls / 1000,
			memory: heapMbWhileWatching - (await n8n.measureHeapMb()),
		};
	};

/** Decides some requests, and returns the median time until their workflow had started, in seconds. */
async function measureDelaySeconds({ n8n, ids, reportedAtMs }: WatchSetup): Promise<number> {
	const decidedAtMs = new Map<string, number>();
	for (const uuid of ids.splice(0, DECISION_COUNT)) {
		await delay(DECISION_INTERVAL_MS);
		decidedAtMs.set(uuid, Date.now());
		decideApproval(n8n.lab.sandbox, uuid, 'approved');
	}
	for (
		const deadline = Date.now() + 30_000;
		[...decidedAtMs.keys()].some((id) => !reportedAtMs.has(id));
	) {
		if (Date.now() > deadline) throw new Error('Not every decision started its workflow');
		await delay(100);
	}
	return computeMedian(
		[...decidedAtMs].map(([id, decisionMs]) => (reportedAtMs.get(id)! - decisionMs) / 1000),
	);
}

/** Creates and publishes a workflow, and returns a function that unpublishes it. */
async function publishWorkflow(
	{ lab }: BenchN8n,
	workflow: WorkflowFile,
): Promise<() => Promise<void>> {
	const { id } = await createWorkflow(lab.rest, workflow, lab.credentials);
	await activateWorkflow(lab.rest, id);
	return async () => await deactivateWorkflow(lab.rest, id);
}

async function measureSize(bench: Bench, n8n: BenchN8n, size: number) {
	const { reportedAtMs, url, close } = await startDecisionServer();
	const { sandbox } = n8n.lab;
	const decidedCount = (bench.rounds + 1) * DECISION_COUNT;
	const client = new TwoFactorClient(sandbox);
	const createIds = async (count: number) => {
		const ids: string[] = [];
		while (ids.length < count) ids.push(...(await createApprovals(client, Math.min(500, count))));
		return ids;
	};
	const triggerIds = await createIds(size + decidedCount);
	const scheduleIds = size === SMALLEST_SIZE ? await createIds(size + decidedCount) : triggerIds;
	const { apiKey, headerName } = sandbox.demo.twoFactor;
	const approvals = {
		url: sandbox.addresses.twoFactor + APPROVALS_PATH,
		headers: { [headerName]: apiKey },
		decisionUrl: url,
	};
	const takeFirst = (ids: string[]) => ids.slice(0, size);
	const trigger = measureWatching({
		n8n,
		ids: triggerIds,
		size,
		reportedAtMs,
		publish: async () =>
			await publishWorkflow(n8n, createTriggerWorkflow(takeFirst(triggerIds), url)),
	});
	const schedule = measureWatching({
		n8n,
		ids: scheduleIds,
		size,
		reportedAtMs,
		publish: async () =>
			await publishWorkflow(
				n8n,
				createSchedulePollingWorkflow(takeFirst(scheduleIds), approvals, POLL_INTERVAL_SECONDS),
			),
	});
	/** Polls all IDs once, as fast as n8n can, because one pass takes longer than the schedule's interval. */
	const measureOnePass: Contender = async () => {
		const runOnePass = await n8n.openWorkflow(createPollOnceNodes(approvals));
		const { time, cpu } = await n8n.measure(
			async () => await runOnePass({ ids: takeFirst(triggerIds) }),
		);
		return { intervalSeconds: time, cpuMsPerPoll: (1000 * cpu) / size };
	};
	try {
		const contenders: Record<string, Contender> = { [TRIGGER]: trigger };
		const pollingContender = size === SMALLEST_SIZE ? schedule : measureOnePass;
		const selectedContenders =
			size === LARGEST_SIZE ? contenders : { [POLLING_WORKFLOW]: pollingContender, ...contenders };
		return await interleave(
			bench,
			{ name: formatRowName(size) },
			selectedContenders,
			size > SMALLEST_SIZE,
		);
	} finally {
		close();
	}
}

/** Measures watching for decisions, with the trigger and without. */
export const triggers: Measurement = {
	name: 'triggers',
	title: 'Watching for decisions',
	method: `The Two-Factor Trigger with its defaults (each ID every ${POLL_INTERVAL_SECONDS} s; ${MAX_CONCURRENT_REQUESTS} requests at a time for 10,000 IDs) is compared with the workflow that users build without it: a Schedule every ${POLL_INTERVAL_SECONDS} s, an HTTP Request for each ID, and an If. With 1,000 IDs one pass of this workflow takes longer than ${POLL_INTERVAL_SECONDS} s, and the schedule would start more and more passes, so a single pass is measured. With 10,000 IDs the workflow sends all requests at once, and n8n answers no other request meanwhile, so it is not measured.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const rowsByMetric = [];
		for (const size of SIZES) rowsByMetric.push(await measureSize(bench, n8n, size));
		const sharedFields = { rowHeader: 'watched', contenders: [POLLING_WORKFLOW, TRIGGER] };
		return [
			{
				...sharedFields,
				name: 'triggers-late',
				caption: 'Time from an approval to the next node of the workflow:',
				unit: 's',
				rows: collectRows(rowsByMetric, 'delaySeconds'),
				display: 'table',
			},
			{
				...sharedFields,
				name: 'triggers-every',
				caption: 'Time between two polls of an ID:',
				unit: 's',
				rows: collectRows(rowsByMetric, 'intervalSeconds'),
			},
			{
				...sharedFields,
				name: 'triggers',
				caption: "n8n's CPU time for each poll:",
				unit: 'ms',
				rows: collectRows(rowsByMetric, 'cpuMsPerPoll'),
			},
			{
				...sharedFields,
				name: 'triggers-memory',
				caption: 'Heap that n8n frees when the IDs are no longer watched:',
				unit: 'MB',
				rows: collectRows(rowsByMetric, 'memory'),
				display: 'table',
			},
		];
	},
};
