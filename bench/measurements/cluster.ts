import { setTimeout as delay } from 'node:timers/promises';

import { Flow } from '../../test/e2e/park/flows';
import { startCluster } from '../../test/e2e/triggers/cluster';
import type { Cluster } from '../../test/e2e/triggers/cluster';
import { query } from '../../test/e2e/triggers/servers';
import { inTurns, rowsOf } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import { gatehouse } from '../harness/nodes';
import { usage } from '../harness/usage';

const WORKERS = [1, 2, 4];
/** In a round, so that five of them are 2,000. */
const STARTS = 400;
const QUICK_STARTS = 100;
const LATENCY_MS = 50;
const CALLS_AT_A_TIME = 20;
const ALL_ENDED_MS = 300_000;
const OURS = 'Gatehouse in queue mode';

/** Starts so many executions by calls, each of which n8n has acknowledged. */
async function startAll(flow: Flow, count: number, during?: (started: number) => void) {
	let started = 0;
	const lane = async () => {
		while (started < count) {
			during?.(++started);
			const { status } = await flow.call();
			if (status !== 200) throw new Error(`n8n answered ${status}`);
		}
	};
	await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, lane));
}

/** How many executions of a workflow have which status, once none is under way any more. */
async function ended({ postgres }: Cluster, flow: Flow, count: number) {
	const sql = `SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${flow.id}' GROUP BY status`;
	for (const until = Date.now() + ALL_ENDED_MS; ; await delay(250)) {
		const found = query(postgres, sql).map(([status, many]) => [status!, Number(many)] as const);
		const over = found.filter(([status]) => !['new', 'running'].includes(status));
		if (over.reduce((sum, [, many]) => sum + many, 0) >= count) return Object.fromEntries(found);
		if (Date.now() > until) throw new Error(`Not all have ended: ${JSON.stringify(found)}`);
	}
}

const open = async ({ lab }: Cluster) =>
	await Flow.open(lab, [
		gatehouse('Work', 'eventRegistration', {
			resource: 'event',
			operation: 'get',
			eventId: { __rl: true, mode: 'id', value: '1001' },
		}),
	]);

/** One round: throughput, and how much of a core main process and workers took. */
const work =
	(cluster: Cluster, starts: number): Contender =>
	async () => {
		const flow = await open(cluster);
		await flow.call();
		await ended(cluster, flow, 1);
		const processes = [cluster.lab.n8n, ...cluster.workers];
		const used = async () => {
			const all = await Promise.all(processes.map(async ({ pid }) => await usage(pid)));
			return all.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
		};
		const [before, began] = [await used(), Date.now()];
		await startAll(flow, starts);
		const { success } = await ended(cluster, flow, starts + 1);
		if (success !== starts + 1) throw new Error(`${success} of ${starts + 1} have succeeded`);
		const ms = Date.now() - began;
		return { throughput: (1000 * starts) / ms, core: (100 * ((await used()) - before)) / ms };
	};

/** Kills a worker in the middle of it, and says what became of all that was started. */
async function killOne(cluster: Cluster, starts: number): Promise<string> {
	const flow = await open(cluster);
	const victim = cluster.workers[0]!;
	await startAll(flow, starts, (started) => {
		if (started === Math.floor(starts / 2)) void victim.stop('SIGKILL');
	});
	const found = await ended(cluster, flow, starts);
	const { success = 0, ...others } = found;
	const total = Object.values(found).reduce((sum, many) => sum + many, 0);
	const rest = Object.entries(others).map(([status, many]) => `${many} ${status}`);
	return `A worker was killed (SIGKILL) in the middle of ${starts} starts, with the others at work: ${total} executions are on record, ${success} of them successful${rest.length > 0 ? `, ${rest.join(', ')}: what the killed worker was running, which n8n does not run again` : ''}. No start was lost.`;
}

/** n8n's own cluster. */
export const cluster: Measurement = {
	name: 'cluster',
	title: 'n8n in queue mode',
	about: `Redis, PostgreSQL, a main process and workers on this one machine. Executions are started by a webhook, ${CALLS_AT_A_TIME} calls at a time, and look up an event at a service that answers after ${LATENCY_MS} ms. All processes share the cores, so the cores are the limit here, as the second table shows: more workers bring more only where there are cores for them. Triggers start each workflow once while processes are killed: \`npm run test:cluster\` holds that.`,
	onlyByName: true,
	async run(bench) {
		const starts = bench.quick ? QUICK_STARTS : STARTS;
		const running = await startCluster(0);
		try {
			running.lab.sandbox.weather.set({
				service: 'eventRegistration',
				kind: 'slow',
				delayMs: LATENCY_MS,
			});
			const rows = [];
			for (const size of WORKERS) {
				while (running.workers.length < size) await running.startWorker();
				const name = `${size} ${size === 1 ? 'worker' : 'workers'}`;
				rows.push(await inTurns(bench, { name }, { [OURS]: work(running, starts) }));
			}
			const killed = await killOne(running, starts);
			const usual = { rowsAre: 'workers', contenders: [OURS] };
			return [
				{
					...usual,
					name: 'cluster',
					caption: 'Executions in a second:',
					unit: 'per second',
					rows: rowsOf(rows, 'throughput'),
					notes: [killed],
				},
				{
					...usual,
					name: 'cluster-cores',
					caption: 'What main process and workers took of a core, together:',
					unit: '% of a core',
					rows: rowsOf(rows, 'core'),
					shown: 'table',
				},
			];
		} finally {
			await running.stop();
		}
	},
};
