import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, listApprovalIds, recordingNode } from '../../lab/drive/flows';
import type { FlowNode } from '../../lab/drive/flows';
import { killableEnv } from '../../lab/environment';
import type { Lab } from '../../lab/lab';
import { listExecutions, runConcurrently, waitForStatus } from '../harness/executions';
import type { Measurement } from '../harness/measurement';
import { readPeakMemory } from '../harness/processUsage';
import { startTemporaryLab } from '../harness/temporaryLab';

const PARKED = 'parked by the pack';
const WAIT_NODE = "n8n's Wait node";
const EXECUTION_COUNT = 1000;
const QUICK_EXECUTION_COUNT = 100;
const MAX_CONCURRENT_STARTS = 10;
const DOWNTIME_MS = 600_000;
/** Time between the last parked execution and the kill. */
const SETTLE_MS = 60_000;
/** Executions whose request is decided while n8n is down: one of ten. */
const DECIDED_SHARE = 0.1;
const PARKING_TIMEOUT_MS = 900_000;
const NOTICE_TIMEOUT_MS = 1_200_000;
/** With a thousand overdue executions, n8n takes minutes to become ready on a busy machine. */
const READY_TIMEOUT_MS = 900_000;

/** Waits until ten minutes from now: all executions wait by then, and none longer than the downtime. */
const createWaitNode = (): FlowNode => ({
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId: '33333333-0000-4000-8000-000000000000',
	parameters: {
		resume: 'specificTime',
		dateTime: new Date(Date.now() + DOWNTIME_MS).toISOString(),
	},
});

interface RestartResult {
	/** Largest resident memory of n8n from the start until the decisions were noticed. */
	peakMb: number;
	/** Seconds from the start of n8n to the end of the last execution that was decided while n8n was down. */
	noticedSeconds: number;
	/** Executions that did not end successfully. */
	lost: number;
}

/** Starts `count` executions and waits until all of them wait. */
async function startExecutions(lab: Lab, flow: Flow, count: number): Promise<void> {
	await runConcurrently(count, MAX_CONCURRENT_STARTS, async () => await flow.call());
	await waitForStatus(lab, flow, 'waiting', count, PARKING_TIMEOUT_MS);
}

/** Kills n8n, and starts it again after the downtime. */
async function restartAfterDowntime(lab: Lab, whileDown: () => void): Promise<number> {
	await lab.n8n.stop('SIGKILL');
	whileDown();
	await delay(DOWNTIME_MS);
	const startedAtMs = Date.now();
	await lab.restart();
	return startedAtMs;
}

/** Waits until `count` executions have ended, however they did. Returns the seconds since `startedAtMs`. */
async function measureEnd(
	lab: Lab,
	flow: Flow,
	count: number,
	startedAtMs: number,
): Promise<number> {
	for (const deadline = startedAtMs + NOTICE_TIMEOUT_MS; ; await delay(2000)) {
		let endedCount = 0;
		for (const status of ['success', 'error', 'crashed'])
			endedCount += (await listExecutions(lab, flow, status)).length;
		if (endedCount >= count) return (Date.now() - startedAtMs) / 1000;
		if (Date.now() > deadline) throw new Error(`${endedCount} of ${count} executions have ended`);
	}
}

const countLost = async (lab: Lab, flow: Flow, count: number) =>
	count - (await listExecutions(lab, flow, 'success')).length;

async function measureWaitNode(lab: Lab, count: number): Promise<RestartResult> {
	const flow = await Flow.open(lab, [createWaitNode(), recordingNode]);
	await startExecutions(lab, flow, count);
	const startedAtMs = await restartAfterDowntime(lab, () => undefined);
	const noticedSeconds = await measureEnd(lab, flow, count, startedAtMs);
	return { peakMb: await readPeakMb(lab), noticedSeconds, lost: await countLost(lab, flow, count) };
}

async function measureParked(lab: Lab, count: number): Promise<RestartResult> {
	const flow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	await startExecutions(lab, flow, count);
	await delay(SETTLE_MS);
	const uuids = listApprovalIds(lab);
	if (uuids.length !== count) throw new Error(`${uuids.length} requests for ${count} executions`);
	// Spread over the whole series: the first and the last executions were parked at different times.
	const decided = uuids.filter((_, index) => index % Math.round(1 / DECIDED_SHARE) === 0);
	const startedAtMs = await restartAfterDowntime(lab, () => {
		for (const uuid of decided) decideApproval(lab.sandbox, uuid, 'approved');
	});
	const noticedSeconds = await measureEnd(lab, flow, decided.length, startedAtMs);
	const peakMb = await readPeakMb(lab);
	for (const uuid of uuids)
		if (!decided.includes(uuid)) decideApproval(lab.sandbox, uuid, 'approved');
	await measureEnd(lab, flow, count, Date.now()).catch(() => undefined);
	return { peakMb, noticedSeconds, lost: await countLost(lab, flow, count) };
}

const readPeakMb = async (lab: Lab) => (await readPeakMemory(lab.n8n.pid)) / 1e6;

/** Measures a start of n8n after a downtime in which executions were waiting. */
export const restarts: Measurement = {
	name: 'restarts',
	title: 'n8n starts after a downtime',
	method: `${EXECUTION_COUNT.toLocaleString('en')} executions wait in a real n8n with SQLite. n8n is killed ${SETTLE_MS / 1000} s after the last was parked, and starts again after ${DOWNTIME_MS / 60_000} minutes. The control is n8n's own Wait node, which waits until a time within the downtime. Of the parked executions, one of ten is decided while n8n is down; the time is that of the last of these, from the start of n8n's process. Afterwards all others are decided, and each must end. There is one round. The benchmark needs Linux.`,
	onlyByName: true,
	async run({ isQuick, progress }) {
		const count = isQuick ? QUICK_EXECUTION_COUNT : EXECUTION_COUNT;
		const contenders = [
			{ name: WAIT_NODE, measure: measureWaitNode },
			{ name: PARKED, measure: measureParked },
		];
		const results = new Map<string, RestartResult>();
		for (const { name, measure } of contenders) {
			const { lab, stop } = await startTemporaryLab({
				sandbox: { registrations: 1 },
				env: killableEnv,
				readyTimeoutMs: READY_TIMEOUT_MS,
				progress,
			});
			try {
				const result = await measure(lab, count);
				progress.print(`  ${name}: ${JSON.stringify(result)}`);
				results.set(name, result);
			} finally {
				await stop();
			}
		}
		const createTable = (
			caption: string,
			unit: 'MB' | 's' | 'executions',
			metric: keyof RestartResult,
		) => ({
			name: `restarts-${metric}`,
			caption,
			unit,
			rowHeader: 'executions',
			contenders: [WAIT_NODE, PARKED],
			rows: [
				{
					name: `${count}`,
					values: Object.fromEntries(
						[...results].map(([name, result]) => [name, [result[metric]]]),
					),
				},
			],
			display: 'table' as const,
		});
		return [
			createTable('Largest resident memory of n8n:', 'MB', 'peakMb'),
			createTable('Until the last overdue or decided execution had ended:', 's', 'noticedSeconds'),
			createTable('Executions that did not end successfully:', 'executions', 'lost'),
		];
	},
};
