import { parse } from 'flatted';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, approvalIds } from '../../lab/drive/flows';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { quantile } from '../harness/figures';
import type { Table, Unit } from '../harness/figures';
import type { Measurement } from '../harness/measurement';
import { measurePolling } from '../harness/polling';
import { startTemporaryLab } from '../harness/temporaryLab';

/** Number of parked executions, and in a quick run. */
const PARKED = 1000;
const QUICK_PARKED = 50;
const STARTS_AT_A_TIME = 10;
const READS_AT_A_TIME = 5;
const IDLE_MS = 15_000;
const WAITING_MS = 40_000;
const ALL_ENDED_MS = 600_000;

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
async function forEach(
	count: number,
	concurrency: number,
	work: (index: number) => Promise<unknown>,
) {
	let started = 0;
	const lane = async () => {
		while (started < count) await work(started++);
	};
	await Promise.all(Array.from({ length: concurrency }, lane));
}

/** n8n's load while no request is decided. */
interface Idle {
	/** Percent of a core. */
	core: number;
	/** Resident memory in megabytes. */
	memory: number;
	/** Requests to the service per minute. */
	requests: number;
}

/** Measures n8n while no request is decided. */
async function measureIdle(lab: Lab, ms: number): Promise<Idle> {
	const { elapsedMs, cpuMs, memory, polls } = await measurePolling(lab, ms);
	return {
		core: (100 * cpuMs) / elapsedMs,
		memory: memory / 1e6,
		requests: (60_000 * polls) / elapsedMs,
	};
}

/** Returns the IDs of the executions of a workflow that have a status. */
async function executionsWith({ rest }: Lab, { id }: Flow, status: string): Promise<string[]> {
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
async function allHave(lab: Lab, flow: Flow, status: string, count: number): Promise<string[]> {
	for (const until = Date.now() + ALL_ENDED_MS; ; await delay(3000)) {
		const ids = await executionsWith(lab, flow, status);
		if (ids.length === count) return ids;
		if (Date.now() > until) throw new Error(`${ids.length} of ${count} are ${status}`);
	}
}

interface Measured {
	none: Idle;
	parked: Idle;
	/** Seconds until all were parked. */
	parking: number;
	/** Seconds from the decision to the end of each execution. */
	late: number[];
}

async function measure(lab: Lab, count: number): Promise<Measured> {
	const flow = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	await flow.call();
	await delay(5000);
	for (const uuid of approvalIds(lab)) decideApproval(lab.sandbox, uuid, 'approved');
	await delay(15_000);
	const parking = await Flow.open(lab, [approvalNode('Ask'), recordingNode]);
	const none = await measureIdle(lab, IDLE_MS);

	const known = new Set(approvalIds(lab));
	const began = Date.now();
	await forEach(count, STARTS_AT_A_TIME, async () => await parking.call());
	await allHave(lab, parking, 'waiting', count);
	const parkedAt = Date.now();
	const parked = await measureIdle(lab, WAITING_MS);

	const uuids = approvalIds(lab).filter((uuid) => !known.has(uuid));
	if (uuids.length !== count) throw new Error(`${uuids.length} requests for ${count} executions`);
	const decisions = new Map(
		uuids.map((uuid, index) => [uuid, index % 3 ? 'approved' : 'denied'] as const),
	);
	for (const [uuid, decision] of decisions) decideApproval(lab.sandbox, uuid, decision);
	const decidedAt = Date.now();
	const ids = await allHave(lab, parking, 'success', count);
	const late: number[] = [];
	const seen = new Set<unknown>();
	let wrong = 0;
	await forEach(ids.length, READS_AT_A_TIME, async (index) => {
		const { data } = await lab.rest.get(`/executions/${ids[index]}`);
		const execution = unwrap<Execution>(data);
		late.push((Date.parse(execution.stoppedAt) - decidedAt) / 1000);
		const { runData } = (parse(execution.data) as Result).resultData;
		const passed = (runData.Next ?? []).flatMap((run) => run.data.main[0]!);
		const [{ json } = { json: {} as Record<string, unknown> }] = passed;
		const right = decisions.get(`${json.id as string}`) === json.outcome;
		if (passed.length !== 1 || !right || runData.Ask?.length !== 1) wrong++;
		seen.add(json.id);
	});
	if (wrong > 0 || seen.size !== count)
		throw new Error(`${wrong} executions ended wrongly, ${seen.size} different requests`);
	return { none, parked, parking: (parkedAt - began) / 1000, late };
}

/** Measures n8n's load from parked executions, and how soon they end once all are decided. */
export const parked: Measurement = {
	name: 'parked',
	title: 'Parked executions',
	about: `${PARKED.toLocaleString('en')} executions wait for an approval, parked in a real n8n with SQLite, beside none in the same n8n. Then all requests are decided at once, and each execution must end once and with its own outcome. One round; it needs Linux.`,
	onlyByName: true,
	async run({ quick, progress }) {
		const count = quick ? QUICK_PARKED : PARKED;
		const { lab, stop } = await startTemporaryLab({ sandbox: { registrations: 1 }, progress });
		try {
			const { none, parked: waiting, parking, late } = await measure(lab, count);
			const contenders = ['none parked', `${count} parked`];
			const idle = (name: string, caption: string, unit: Unit, value: keyof Idle): Table => ({
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
				shown: 'table',
			});
			const ended = contenders[1]!;
			return [
				idle('parked', 'What n8n takes of a core while they wait:', '% of a core', 'core'),
				idle('parked-memory', 'Resident memory of n8n:', 'MB', 'memory'),
				idle('parked-requests', 'Requests to the service per minute:', 'requests', 'requests'),
				{
					name: 'parked-late',
					caption: 'From the decisions to the end of an execution:',
					unit: 's',
					rowHeader: 'executions',
					contenders: [ended],
					rows: [
						{ name: 'median', values: { [ended]: [quantile(late)] } },
						{ name: '95 of a hundred', values: { [ended]: [quantile(late, 0.95)] } },
						{ name: 'longest', values: { [ended]: [Math.max(...late)] } },
					],
					shown: 'table',
					notes: [`All were parked within ${parking.toFixed(1)} s.`],
				},
			];
		} finally {
			await stop();
		}
	},
};
