import { setTimeout as delay } from 'node:timers/promises';

import { applyPlannedOutcome, planIds } from '../../lab/drive/plannedIds';
import { submitIds, killAndRestart, openWatchWorkflows } from '../../lab/drive/triggerWorkflows';
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
const SHORT_REQUESTS = { latencyMs: 50, starts: () => 400, quick: () => 60 };
/** A worker runs ten executions concurrently. Starts grow with the workers, so each has the same load. */
const LONG_REQUESTS = {
	latencyMs: 1500,
	starts: (workers: number) => 20 * workers,
	quick: (workers: number) => 10 * workers,
};
const KILLED_STARTS = 400;
const WATCHED_COUNTS = { approvals: 60, jobs: 40 };
const START_TIMEOUT_MS = 180_000;

const rowName = (workers: number) => `${workers} ${workers === 1 ? 'worker' : 'workers'}`;

function delayResponses({ lab }: Cluster, ms: number): void {
	lab.sandbox.faultRules.clear('eventRegistration');
	lab.sandbox.faultRules.add({ service: 'eventRegistration', kind: 'slow', delayMs: ms });
}

/** Kills a worker while it runs executions, and reports what became of every start. */
async function killWorker(cluster: Cluster, starts: number): Promise<string> {
	const runs = await ClusterRuns.open(cluster);
	const [victim, ...others] = cluster.workers;
	const addresses = await runs.startAll(starts, (started) => {
		if (started === Math.floor(starts / 2)) void victim!.stop('SIGKILL');
	});
	await runs.waitForEnd(starts + 1);
	cluster.workers.splice(0, cluster.workers.length, ...others);
	const records = (await runs.readExecutions()).filter(
		({ address }) => !address?.endsWith('@warm.example'),
	);
	const countExecutions = (address: string) =>
		records.filter((record) => record.address === address).length;
	const missingCount = addresses.filter((address) => countExecutions(address) === 0).length;
	const repeatedCount = addresses.filter((address) => countExecutions(address) > 1).length;
	const unnamedCount = records.filter(({ address }) => address === undefined).length;
	const countByStatus = new Map<string, number>();
	for (const { status } of records) countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1);
	const statuses = [...countByStatus].map(([status, many]) => `${many} ${status}`).join(', ');
	const registrationCounts = await runs.countRegistrations(addresses);
	return [
		`A worker was killed (SIGKILL) in the middle of ${starts} starts that n8n had acknowledged, each with an address of its own, while others went on. On record are ${records.length} executions (${statuses}).`,
		`By address: ${missingCount} starts have no execution, ${repeatedCount} have several, and of ${unnamedCount} executions n8n has kept no address.`,
		`The service has registered ${registrationCounts.filter((many) => many === 1).length} of the people once, ${registrationCounts.filter((many) => many > 1).length} more often, and ${registrationCounts.filter((many) => many === 0).length} not at all: what the killed worker was running, n8n marks as failed and does not run again.`,
	].join(' ');
}

/** Watches IDs while a worker and the main process are killed, and reports how often each has started its workflow. */
async function checkSingleStarts(cluster: Cluster): Promise<string> {
	const { lab, postgres } = cluster;
	const plannedIds = await planIds(lab.sandbox, WATCHED_COUNTS, createRandom(7));
	const workflows = await openWatchWorkflows(lab, plannedIds);
	const deadline = Date.now() + START_TIMEOUT_MS;
	for (const kind of ['approval', 'job'] as const) {
		const ids = plannedIds
			.filter((planned) => planned.kind === kind && !planned.isEntered)
			.map(({ id }) => id);
		await submitIds(workflows[kind].url, ids, deadline);
	}
	const decideSome = async (from: number, to: number) => {
		for (const member of plannedIds.slice(from, to)) {
			await applyPlannedOutcome(lab.sandbox, member);
			await delay(50);
		}
	};
	const third = Math.floor(plannedIds.length / 3);
	await decideSome(0, third);
	void cluster.workers.at(-1)!.stop('SIGKILL');
	await decideSome(third, 2 * third);
	const restarted = killAndRestart(lab);
	await decideSome(2 * third, plannedIds.length);
	await restarted;
	const ids = Object.values(workflows).map(({ workflow }) => `'${workflow}'`);
	const sql = `SELECT "deduplicationKey" AS key, count(*)::int AS many FROM execution_entity WHERE "workflowId" IN (${ids.join(', ')}) GROUP BY 1`;
	const readStartCounts = async () => {
		const rows = await query<{ key: string | null; many: number }>(postgres, sql);
		return new Map(rows.map(({ key, many }) => [key?.split(':').at(-1), many]));
	};
	while ((await readStartCounts()).size < plannedIds.length && Date.now() < deadline)
		await delay(500);
	// Time for starts that should not happen.
	await delay(7000);
	const startCounts = await readStartCounts();
	const count = (test: (many: number) => boolean) =>
		plannedIds.filter(({ id }) => test(startCounts.get(id) ?? 0)).length;
	return `Two triggers watched ${plannedIds.length} IDs, all of which were decided while a worker and then the main process were killed (SIGKILL). ${count((many) => many === 1)} have started their workflow once, ${count((many) => many > 1)} more often, ${count((many) => many === 0)} never.`;
}

async function measure(
	bench: Bench,
	cluster: Cluster,
	{ latencyMs, starts, quick }: typeof LONG_REQUESTS,
) {
	delayResponses(cluster, latencyMs);
	const rows = [];
	for (const size of WORKER_COUNTS) {
		while (cluster.workers.length > size) await cluster.workers.pop()!.stop();
		while (cluster.workers.length < size) await cluster.startWorker();
		const runs = await ClusterRuns.open(cluster);
		// Warms up every worker.
		await runs.measureThroughput(10 * size);
		const count = (bench.isQuick ? quick : starts)(size);
		const contenders = { [GATEHOUSE_QUEUE_MODE]: async () => await runs.measureThroughput(count) };
		rows.push(await interleave(bench, { name: rowName(size) }, contenders, true));
	}
	return rows;
}

/** Measures n8n in queue mode. */
export const cluster: Measurement = {
	name: 'cluster',
	title: 'n8n in queue mode',
	method:
		'Redis, PostgreSQL, a main process and workers on this one machine. Calls of a webhook, twenty at a time, start the example _Register people for an event_, each with an address of its own: a search, and a registration. All processes share the cores.',
	onlyByName: true,
	async run(bench) {
		const startedCluster = await startCluster({
			name: 'bench',
			workers: 0,
			progress: bench.progress,
		});
		try {
			const shortRows = await measure(bench, startedCluster, SHORT_REQUESTS);
			const longRows = await measure(bench, startedCluster, LONG_REQUESTS);
			delayResponses(startedCluster, SHORT_REQUESTS.latencyMs);
			const notes = [
				await killWorker(startedCluster, bench.isQuick ? 60 : KILLED_STARTS),
				await checkSingleStarts(startedCluster),
			];
			const sharedFields = { rowHeader: 'workers', contenders: [GATEHOUSE_QUEUE_MODE] };
			const tables: Table[] = [
				{
					...sharedFields,
					name: 'cluster',
					caption: `Executions a second where the service answers after ${SHORT_REQUESTS.latencyMs} ms:`,
					unit: 'per second',
					rows: collectRows(shortRows, 'throughput'),
				},
				{
					...sharedFields,
					name: 'cluster-cores',
					caption: 'What main process and workers took of a core for it, together:',
					unit: '% of a core',
					rows: collectRows(shortRows, 'core'),
					display: 'table',
				},
				{
					...sharedFields,
					name: 'cluster-waiting',
					caption: `Executions a second where the service answers after ${LONG_REQUESTS.latencyMs} ms, so that workers mostly wait:`,
					unit: 'per second',
					rows: collectRows(longRows, 'throughput'),
				},
				{
					...sharedFields,
					name: 'cluster-waiting-cores',
					caption: 'What main process and workers took of a core for that:',
					unit: '% of a core',
					rows: collectRows(longRows, 'core'),
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
