import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, listApprovalIds, recordingNode } from '../../lab/drive/flows';
import { killableEnv } from '../../lab/environment';
import type { Lab } from '../../lab/lab';
import { listExecutions, runConcurrently, waitForStatus } from '../harness/executions';
import type { Measurement } from '../harness/measurement';
import { startTemporaryLab } from '../harness/temporaryLab';

const LOST = 'lost executions';
const EXECUTION_COUNT = 147;
const MAX_CONCURRENT_STARTS = 10;
/** Downtime after the first kill: all timers of five minutes are overdue. */
const DOWNTIME_MS = 360_000;
/** Times of the second kill after n8n is ready, one per run. */
const SECOND_KILL_MS = [2000, 20_000];
const TIMEOUT_MS = 900_000;

/** Kills n8n, and starts it when parked executions are overdue. Kills it again while it resumes them. Returns how many are lost. */
async function crashTwice(lab: Lab, secondKillMs: number): Promise<number> {
	const flow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	await runConcurrently(EXECUTION_COUNT, MAX_CONCURRENT_STARTS, async () => await flow.call());
	await waitForStatus(lab, flow, 'waiting', EXECUTION_COUNT, TIMEOUT_MS);
	await lab.n8n.stop('SIGKILL');
	await delay(DOWNTIME_MS);
	await lab.restart();
	await delay(secondKillMs);
	await lab.restart({ kill: 'SIGKILL' });
	for (const uuid of listApprovalIds(lab)) decideApproval(lab.sandbox, uuid, 'approved');
	const deadline = Date.now() + TIMEOUT_MS;
	for (;;) {
		const [success = [], crashed = []] = await Promise.all(
			['success', 'crashed'].map(async (status) => await listExecutions(lab, flow, status)),
		);
		const hasEnded = success.length + crashed.length >= EXECUTION_COUNT;
		if (hasEnded || Date.now() > deadline) return EXECUTION_COUNT - success.length;
		await delay(3000);
	}
}

/** Counts the parked executions that two crashes within a minute end. */
export const crashes: Measurement = {
	name: 'crashes',
	title: 'n8n is killed twice within a minute',
	method: `${EXECUTION_COUNT} executions are parked in a real n8n with SQLite. n8n is killed, started after ${DOWNTIME_MS / 60_000} minutes, and killed again some seconds after it is ready. Then all requests are approved. An execution is lost if it has not succeeded ${TIMEOUT_MS / 60_000} minutes later. There is one round.`,
	onlyByName: true,
	async run({ progress }) {
		const rows = [];
		for (const secondKillMs of SECOND_KILL_MS) {
			const { lab, stop } = await startTemporaryLab({
				sandbox: { registrations: 1 },
				env: killableEnv,
				progress,
			});
			try {
				const lost = await crashTwice(lab, secondKillMs);
				progress.print(`  ${lost} of ${EXECUTION_COUNT} executions are lost`);
				rows.push({ name: `${secondKillMs / 1000} s`, values: { [LOST]: [lost] } });
			} finally {
				await stop();
			}
		}
		return [
			{
				name: 'crashes',
				unit: 'executions',
				rowHeader: 'second kill after',
				contenders: [LOST],
				rows,
				display: 'table',
			},
		];
	},
};
