import { setTimeout as delay } from 'node:timers/promises';

import { applyPlannedOutcome, planIds } from '../../lab/drive/plannedIds';
import { submitIds, killAndRestart, publishWatchWorkflows } from '../../lab/drive/triggerWorkflows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { query } from '../../lab/queue/postgres';
import { createRandom } from '../../sandbox/random';
import { ClusterRuns } from '../harness/clusterRuns';
import type { Table } from '../harness/figures';
import { interleave, collectRows } from '../harness/measurement';
import type { Bench, Measurement } from '../harness/measurement';

const WORKER_COUNTS = [1, 2, 4];
const GATEHOUSE_QUEUE_MODE = 'Gatehouse in queue mode';

/** Five rounds make 2,000 starts. */
const SHORT_REQUESTS = { latencyMs: 50, startCount: () => 400, quickStartCount: () => 60 };
/** A worker runs ten executions concurrently. Starts grow with the workers, so each has the same load. */
const LONG_REQUESTS = {
	latencyMs: 1500,
	startCount: (workers: number) => 20 * workers,
	quickStartCount: (workers: number) => 10 * workers,
};
const KILL_START_COUNT = 400;
const WATCHED_COUNTS = { approvals: 60, jobs: 40 };
const START_TIMEOUT_MS = 180_000;

const formatRowName = (workers: number) => `${workers} ${workers === 1 ? 'worker' : 'workers'}`;

function delayResponses({ lab }: Cluster, delayMs: number): void {
	lab.sandbox.faultRules.clear('eventRegistration');
	lab.sandbox.faultRules.add({ service: 'eventRegistration', kind: 'slow', delayMs });
}

/** Kills a worker while it runs executions. Returns a text that says what happened to the starts. */
async function killWorker(cluster: Cluster, startCount: number): Promise<string> {
	const runs = await ClusterRuns.open(cluster);
	const [killedWorker, ...otherWorkers] = cluster.workers;
	const addresses = await runs.startAll(startCount, (startedCount) => {
		if (startedCount === Math.floor(startCount / 2)) void killedWorker!.stop('SIGKILL');
	});
	await runs.waitForEndedExecutions(startCount + 1);
	cluster.workers.splice(0, cluster.workers.length, ...otherWorkers);
	const executions = (await runs.readExecutions()).filter(
		({ address }) => !address?.endsWith('@warm.example'),
	);
	const countExecutions = (address: string) =>
		executions.filter((execution) => execution.address === address).length;
	const missingCount = addresses.filter((address) => countExecutions(address) === 0).length;
	const repeatedCount = addresses.filter((address) => countExecutions(address) > 1).length;
	const withoutAddressCount = executions.filter(({ address }) => address === undefined).length;
	const countByStatus = new Map<string, number>();
	for (const { status } of executions)
		countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1);
	const statuses = [...countByStatus].map(([status, count]) => `${count} ${status}`).join(', ');
	const registrationCounts = await runs.countRegistrations(addresses);
	return [
		`n8n acknowledged ${startCount} starts, each with another address. A worker was killed (SIGKILL) after half of them were requested, and the other workers continued. n8n's database contains ${executions.length} executions (${statuses}).`,
		`${missingCount} addresses have no execution, ${repeatedCount} have several, and ${withoutAddressCount} executions have no address.`,
		`The service registered ${registrationCounts.filter((count) => count === 1).length} people once, ${registrationCounts.filter((count) => count > 1).length} several times and ${registrationCounts.filter((count) => count === 0).length} never: n8n marks the executions that the killed worker was running as failed, and does not run them again.`,
	].join(' ');
}

/** Watches IDs while a worker and the main process are killed. Returns a text that says how often each started its workflow. */
async function checkSingleStarts(cluster: Cluster): Promise<string> {
	const { lab, postgres } = cluster;
	const plannedIds = await planIds(lab.sandbox, WATCHED_COUNTS, createRandom(7));
	const workflows = await publishWatchWorkflows(lab, plannedIds);
	const deadline = Date.now() + START_TIMEOUT_MS;
	for (const kind of ['approval', 'job'] as const) {
		const ids = plannedIds
			.filter((planned) => planned.kind === kind && !planned.isEntered)
			.map(({ id }) => id);
		await submitIds(workflows[kind].url, ids, deadline);
	}
	const decideRange = async (from: number, to: number) => {
		for (const plannedId of plannedIds.slice(from, to)) {
			await applyPlannedOutcome(lab.sandbox, plannedId);
			await delay(50);
		}
	};
	const thirdSize = Math.floor(plannedIds.length / 3);
	await decideRange(0, thirdSize);
	void cluster.workers.at(-1)!.stop('SIGKILL');
	await decideRange(thirdSize, 2 * thirdSize);
	const restart = killAndRestart(lab);
	await decideRange(2 * thirdSize, plannedIds.length);
	await restart;
	const quotedWorkflowIds = Object.values(workflows).map(({ workflowId }) => `'${workflowId}'`);
	const sql = `SELECT "deduplicationKey" AS key, count(*)::int AS total FROM execution_entity WHERE "workflowId" IN (${quotedWorkflowIds.join(', ')}) GROUP BY 1`;
	const readStartCounts = async () => {
		const rows = await query<{ key: string | null; total: number }>(postgres, sql);
		return new Map(rows.map(({ key, total }) => [key?.split(':').at(-1), total]));
	};
	while ((await readStartCounts()).size < plannedIds.length && Date.now() < deadline)
		await delay(500);
	// Waits for starts that should not happen.
	await delay(7000);
	const startCounts = await readStartCounts();
	const countIds = (matches: (startCount: number) => boolean) =>
		plannedIds.filter(({ id }) => matches(startCounts.get(id) ?? 0)).length;
	return `Two triggers watched ${plannedIds.length} IDs. All of them were decided while first a worker and then the main process was killed (SIGKILL). ${countIds((count) => count === 1)} IDs started their workflow once, ${countIds((count) => count > 1)} several times, ${countIds((count) => count === 0)} never.`;
}

async function measureWorkerCounts(
	bench: Bench,
	cluster: Cluster,
	{ latencyMs, startCount: fullStartCount, quickStartCount }: typeof LONG_REQUESTS,
) {
	delayResponses(cluster, latencyMs);
	const rowsByMetric = [];
	for (const workerCount of WORKER_COUNTS) {
		while (cluster.workers.length > workerCount) await cluster.workers.pop()!.stop();
		while (cluster.workers.length < workerCount) await cluster.startWorker();
		const runs = await ClusterRuns.open(cluster);
		// Warms up every worker.
		await runs.measureThroughput(10 * workerCount);
		const startCount = (bench.isQuick ? quickStartCount : fullStartCount)(workerCount);
		const contenders = {
			[GATEHOUSE_QUEUE_MODE]: async () => await runs.measureThroughput(startCount),
		};
		rowsByMetric.push(
			await interleave(bench, { name: formatRowName(workerCount) }, contenders, true),
		);
	}
	return rowsByMetric;
}

/** Measures n8n in queue mode. */
export const cluster: Measurement = {
	name: 'cluster',
	title: 'n8n in queue mode',
	method:
		'Redis, PostgreSQL, a main process and workers run on one machine and share its cores. Calls of a webhook, twenty at a time, start the example _Register people for an event_, each with another address. An execution searches for the person and registers them.',
	onlyByName: true,
	async run(bench) {
		const startedCluster = await startCluster({
			name: 'bench',
			workers: 0,
			progress: bench.progress,
		});
		try {
			const shortRequestRows = await measureWorkerCounts(bench, startedCluster, SHORT_REQUESTS);
			const longRequestRows = await measureWorkerCounts(bench, startedCluster, LONG_REQUESTS);
			delayResponses(startedCluster, SHORT_REQUESTS.latencyMs);
			const notes = [
				await killWorker(startedCluster, bench.isQuick ? 60 : KILL_START_COUNT),
				await checkSingleStarts(startedCluster),
			];
			const sharedFields = { rowHeader: 'workers', contenders: [GATEHOUSE_QUEUE_MODE] };
			const tables: Table[] = [
				{
					...sharedFields,
					name: 'cluster',
					caption: `Executions per second if the service answers after ${SHORT_REQUESTS.latencyMs} ms:`,
					unit: 'per second',
					rows: collectRows(shortRequestRows, 'throughput'),
				},
				{
					...sharedFields,
					name: 'cluster-cores',
					caption: 'CPU use of the main process and the workers together:',
					unit: '% of a core',
					rows: collectRows(shortRequestRows, 'corePercent'),
					display: 'table',
				},
				{
					...sharedFields,
					name: 'cluster-waiting',
					caption: `Executions per second if the service answers after ${LONG_REQUESTS.latencyMs} ms, so that workers mostly wait:`,
					unit: 'per second',
					rows: collectRows(longRequestRows, 'throughput'),
				},
				{
					...sharedFields,
					name: 'cluster-waiting-cores',
					caption: 'CPU use of the main process and the workers together, while they mostly wait:',
					unit: '% of a core',
					rows: collectRows(longRequestRows, 'corePercent'),
					display: 'table',
					notes,
				},
			];
			return tables;
		} finally {
			await startedCluster.stop();
		}
	},
};
