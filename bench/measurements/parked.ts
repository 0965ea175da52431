import { parse } from 'flatted';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, listApprovalIds } from '../../lab/drive/flows';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { runConcurrently, waitForStatus } from '../harness/executions';
import type { Execution } from '../harness/executions';
import { computeMedian, findQuantile } from '../harness/figures';
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

interface ExecutionData {
	resultData: {
		runData: Record<
			string,
			Array<{ data: { main: Array<Array<{ json: Record<string, unknown> }>> } }>
		>;
	};
}

/** n8n's load while no request is decided. */
interface IdleLoad {
	corePercent: number;
	/** Resident memory. */
	memoryMb: number;
	/** Requests to the service. */
	requestsPerMinute: number;
}

/** Measures n8n while no request is decided. */
async function measureIdle(lab: Lab, durationMs: number): Promise<IdleLoad> {
	const { elapsedMs, cpuMs, memoryBytes, polls } = await measurePolling(lab, durationMs);
	return {
		corePercent: (100 * cpuMs) / elapsedMs,
		memoryMb: memoryBytes / 1e6,
		requestsPerMinute: (60_000 * polls) / elapsedMs,
	};
}

interface ParkedResult {
	/** Load without a parked execution. */
	baselineLoad: IdleLoad;
	parkedLoad: IdleLoad;
	/** Seconds until all were parked. */
	parkingSeconds: number;
	/** Seconds from the decision to the end of each execution. */
	delaysSeconds: number[];
}

async function measureParked(lab: Lab, count: number): Promise<ParkedResult> {
	const warmUpFlow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	await warmUpFlow.call();
	await delay(5000);
	for (const uuid of listApprovalIds(lab)) decideApproval(lab.sandbox, uuid, 'approved');
	await delay(15_000);
	const parkingFlow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	const baselineLoad = await measureIdle(lab, IDLE_MS);

	const earlierIds = new Set(listApprovalIds(lab));
	const startedAtMs = Date.now();
	await runConcurrently(count, MAX_CONCURRENT_STARTS, async () => await parkingFlow.call());
	await waitForStatus(lab, parkingFlow, 'waiting', count, END_TIMEOUT_MS);
	const parkedAtMs = Date.now();
	const parkedLoad = await measureIdle(lab, WAITING_MS);

	const uuids = listApprovalIds(lab).filter((uuid) => !earlierIds.has(uuid));
	if (uuids.length !== count) throw new Error(`${uuids.length} requests for ${count} executions`);
	const decisions = new Map(
		uuids.map((uuid, index) => [uuid, index % 3 ? 'approved' : 'denied'] as const),
	);
	for (const [uuid, decision] of decisions) decideApproval(lab.sandbox, uuid, decision);
	const decidedAtMs = Date.now();
	const ended = await waitForStatus(lab, parkingFlow, 'success', count, END_TIMEOUT_MS);
	const delaysSeconds: number[] = [];
	const outputIds = new Set<unknown>();
	let wrongCount = 0;
	await runConcurrently(ended.length, MAX_CONCURRENT_READS, async (index) => {
		const { data } = await lab.rest.get(`/executions/${ended[index]!.id}`);
		const execution = unwrap<Execution>(data);
		delaysSeconds.push((Date.parse(execution.stoppedAt) - decidedAtMs) / 1000);
		const { runData } = (parse(execution.data) as ExecutionData).resultData;
		const outputItems = (runData.Next ?? []).flatMap((run) => run.data.main[0]!);
		const [{ json } = { json: {} as Record<string, unknown> }] = outputItems;
		const hasRightOutcome = decisions.get(`${json.id as string}`) === json.outcome;
		if (outputItems.length !== 1 || !hasRightOutcome || runData.Ask?.length !== 1) wrongCount++;
		outputIds.add(json.id);
	});
	if (wrongCount > 0 || outputIds.size !== count)
		throw new Error(
			`${wrongCount} executions ended wrongly; their output names ${outputIds.size} requests`,
		);
	return {
		baselineLoad,
		parkedLoad,
		parkingSeconds: (parkedAtMs - startedAtMs) / 1000,
		delaysSeconds,
	};
}

/** Measures n8n's load from parked executions, and how soon they end once all are decided. */
export const parked: Measurement = {
	name: 'parked',
	title: 'Parked executions',
	method: `${PARKED_COUNT.toLocaleString('en')} executions wait for an approval, parked in a real n8n with SQLite. The baseline is the same n8n with no parked execution. Then all requests are decided at once, and each execution must end once and with its own outcome. There is one round. The benchmark needs Linux.`,
	onlyByName: true,
	async run({ isQuick, progress }) {
		const count = isQuick ? QUICK_PARKED_COUNT : PARKED_COUNT;
		const { lab, stop } = await startTemporaryLab({ sandbox: { registrations: 1 }, progress });
		try {
			const { baselineLoad, parkedLoad, parkingSeconds, delaysSeconds } = await measureParked(
				lab,
				count,
			);
			const contenders = ['none parked', `${count} parked`];
			const createIdleTable = (
				name: string,
				caption: string,
				unit: Unit,
				metric: keyof IdleLoad,
			): Table => ({
				name,
				caption,
				unit,
				rowHeader: 'n8n',
				contenders,
				rows: [
					{
						name: 'while none is decided',
						values: {
							[contenders[0]!]: [baselineLoad[metric]],
							[contenders[1]!]: [parkedLoad[metric]],
						},
					},
				],
				display: 'table',
			});
			const parkedName = contenders[1]!;
			return [
				createIdleTable('parked', 'CPU use of n8n while they wait:', '% of a core', 'corePercent'),
				createIdleTable('parked-memory', 'Resident memory of n8n:', 'MB', 'memoryMb'),
				createIdleTable(
					'parked-requests',
					'Requests to the service per minute:',
					'requests',
					'requestsPerMinute',
				),
				{
					name: 'parked-late',
					caption: 'Time from the decisions to the end of an execution:',
					unit: 's',
					rowHeader: 'executions',
					contenders: [parkedName],
					rows: [
						{ name: 'median', values: { [parkedName]: [computeMedian(delaysSeconds)] } },
						{
							name: '95th percentile',
							values: { [parkedName]: [findQuantile(delaysSeconds, 0.95)] },
						},
						{ name: 'longest', values: { [parkedName]: [Math.max(...delaysSeconds)] } },
					],
					display: 'table',
					notes: [`All executions were parked within ${parkingSeconds.toFixed(1)} s.`],
				},
			];
		} finally {
			await stop();
		}
	},
};
