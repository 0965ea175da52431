import { parse } from 'flatted';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, listApprovalIds } from '../../lab/drive/flows';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { quantile } from '../harness/figures';
import type { Table, Unit } from '../harness/figures';
import type { Measurement } from '../harness/measurement';
import { measurePolling } from '../harness/polling';
import { startTemporaryLab } from '../harness/temporaryLab';

/** Number of parked executions, in a full and in a quick run. */
const PARKED_COUNT = 1000;
const QUICK_PARKED_COUNT = 50;
const MAX_CONCURRENT_STARTS = 10;
const MAX_CONCURRENT_READS = 5;
const IDLE_MS = 15_000;
const WAITING_MS = 40_000;
const END_TIMEOUT_MS = 600_000;

interface Execution {
	id: string;
	status: string;
	stoppedAt: string;
	data: string;
}

interface Result {
	resultData: {
		runData: Record<
			string,
			Array<{ data: { main: Array<Array<{ json: Record<string, unknown> }>> } }>
		>;
	};
}

/** Calls `work` with every number below a count, within a concurrency limit. */
async function runConcurrently(
	count: number,
	concurrency: number,
	work: (index: number) => Promise<unknown>,
) {
	let started = 0;
	const runWorker = async () => {
		while (started < count) await work(started++);
	};
	await Promise.all(Array.from({ length: concurrency }, runWorker));
}

/** n8n's load while no request is decided. */
interface IdleLoad {
	/** Percent of a core. */
	core: number;
	/** Resident memory in megabytes. */
	memory: number;
	/** Requests to the service per minute. */
	requests: number;
}

/** Measures n8n while no request is decided. */
async function measureIdle(lab: Lab, ms: number): Promise<IdleLoad> {
	const { elapsedMs, cpuMs, memoryBytes, polls } = await measurePolling(lab, ms);
	return {
		core: (100 * cpuMs) / elapsedMs,
		memory: memoryBytes / 1e6,
		requests: (60_000 * polls) / elapsedMs,
	};
}

/** Returns the IDs of the executions of a workflow that have a status. */
async function listExecutions({ rest }: Lab, { id }: Flow, status: string): Promise<string[]> {
	const ids: string[] = [];
	let cursor: string | undefined;
	do {
		const filter = JSON.stringify({ workflowId: id, status: [status] });
		const params = { filter, limit: 100, cursor };
		const page = unwrap<{ results: Execution[]; nextCursor?: string | null }>(
			(await rest.get('/executions', { params })).data,
		);
		ids.push(...page.results.map((execution) => execution.id));
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return ids;
}

/** Waits until this many executions have a status. */
async function waitForStatus(
	lab: Lab,
	flow: Flow,
	status: string,
	count: number,
): Promise<string[]> {
	for (const deadline = Date.now() + END_TIMEOUT_MS; ; await delay(3000)) {
		const ids = await listExecutions(lab, flow, status);
		if (ids.length === count) return ids;
		if (Date.now() > deadline) throw new Error(`${ids.length} of ${count} are ${status}`);
	}
}

interface ParkedResult {
	none: IdleLoad;
	parked: IdleLoad;
	/** Seconds until all were parked. */
	parkingSeconds: number;
	/** Seconds from the decision to the end of each execution. */
	delaysSeconds: number[];
}

async function measure(lab: Lab, count: number): Promise<ParkedResult> {
	const warmUpFlow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	await warmUpFlow.call();
	await delay(5000);
	for (const uuid of listApprovalIds(lab)) decideApproval(lab.sandbox, uuid, 'approved');
	await delay(15_000);
	const parkingFlow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	const none = await measureIdle(lab, IDLE_MS);

	const earlierIds = new Set(listApprovalIds(lab));
	const startedAt = Date.now();
	await runConcurrently(count, MAX_CONCURRENT_STARTS, async () => await parkingFlow.call());
	await waitForStatus(lab, parkingFlow, 'waiting', count);
	const parkedAt = Date.now();
	const parked = await measureIdle(lab, WAITING_MS);

	const uuids = listApprovalIds(lab).filter((uuid) => !earlierIds.has(uuid));
	if (uuids.length !== count) throw new Error(`${uuids.length} requests for ${count} executions`);
	const decisions = new Map(
		uuids.map((uuid, index) => [uuid, index % 3 ? 'approved' : 'denied'] as const),
	);
	for (const [uuid, decision] of decisions) decideApproval(lab.sandbox, uuid, decision);
	const decidedAt = Date.now();
	const ids = await waitForStatus(lab, parkingFlow, 'success', count);
	const delaysSeconds: number[] = [];
	const outputIds = new Set<unknown>();
	let wrongCount = 0;
	await runConcurrently(ids.length, MAX_CONCURRENT_READS, async (index) => {
		const { data } = await lab.rest.get(`/executions/${ids[index]}`);
		const execution = unwrap<Execution>(data);
		delaysSeconds.push((Date.parse(execution.stoppedAt) - decidedAt) / 1000);
		const { runData } = (parse(execution.data) as Result).resultData;
		const outputItems = (runData.Next ?? []).flatMap((run) => run.data.main[0]!);
		const [{ json } = { json: {} as Record<string, unknown> }] = outputItems;
		const isRightOutcome = decisions.get(`${json.id as string}`) === json.outcome;
		if (outputItems.length !== 1 || !isRightOutcome || runData.Ask?.length !== 1) wrongCount++;
		outputIds.add(json.id);
	});
	if (wrongCount > 0 || outputIds.size !== count)
		throw new Error(`${wrongCount} executions ended wrongly, ${outputIds.size} different requests`);
	return {
		none,
		parked,
		parkingSeconds: (parkedAt - startedAt) / 1000,
		delaysSeconds: delaysSeconds,
	};
}

/** Measures n8n's load from parked executions, and how soon they end once all are decided. */
export const parked: Measurement = {
	name: 'parked',
	title: 'Parked executions',
	method: `${PARKED_COUNT.toLocaleString('en')} executions wait for an approval, parked in a real n8n with SQLite, beside none in the same n8n. Then all requests are decided at once, and each execution must end once and with its own outcome. One round; it needs Linux.`,
	onlyByName: true,
	async run({ isQuick, progress }) {
		const count = isQuick ? QUICK_PARKED_COUNT : PARKED_COUNT;
		const { lab, stop } = await startTemporaryLab({ sandbox: { registrations: 1 }, progress });
		try {
			const {
				none,
				parked: waiting,
				parkingSeconds: parking,
				delaysSeconds: delaysSeconds,
			} = await measure(lab, count);
			const contenders = ['none parked', `${count} parked`];
			const createIdleTable = (
				name: string,
				caption: string,
				unit: Unit,
				value: keyof IdleLoad,
			): Table => ({
				name,
				caption,
				unit,
				rowHeader: 'n8n',
				contenders,
				rows: [
					{
						name: 'while none is decided',
						values: { [contenders[0]!]: [none[value]], [contenders[1]!]: [waiting[value]] },
					},
				],
				display: 'table',
			});
			const parkedName = contenders[1]!;
			return [
				createIdleTable(
					'parked',
					'What n8n takes of a core while they wait:',
					'% of a core',
					'core',
				),
				createIdleTable('parked-memory', 'Resident memory of n8n:', 'MB', 'memory'),
				createIdleTable(
					'parked-requests',
					'Requests to the service per minute:',
					'requests',
					'requests',
				),
				{
					name: 'parked-late',
					caption: 'From the decisions to the end of an execution:',
					unit: 's',
					rowHeader: 'executions',
					contenders: [parkedName],
					rows: [
						{ name: 'median', values: { [parkedName]: [quantile(delaysSeconds)] } },
						{ name: '95 of a hundred', values: { [parkedName]: [quantile(delaysSeconds, 0.95)] } },
						{ name: 'longest', values: { [parkedName]: [Math.max(...delaysSeconds)] } },
					],
					display: 'table',
					notes: [`All were parked within ${parking.toFixed(1)} s.`],
				},
			];
		} finally {
			await stop();
		}
	},
};
