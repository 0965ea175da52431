import { parse } from 'flatted';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { ask, Flow, next, pushes } from '../../test/e2e/park/flows';
import { decide } from '../../test/triggers/watchedIds';
import { quantile } from '../harness/figures';
import { play } from '../harness/processes';
import { usage } from '../harness/usage';

/**
 * A thousand executions that are parked in a real n8n, beside none in the same run: how much of a core and how much memory n8n
 * takes while they wait, and how often the service is asked. Then all are
 * decided at once: how long it takes until each has ended, and whether each did so once and with the right outcome. It takes
 * about ten minutes, on loopback only; it needs Linux. Run it with: npx tsx bench/parked.ts
 */

const PARKED = Number(process.env.PARKED ?? 1000);
const STARTS_AT_A_TIME = 10;
const READS_AT_A_TIME = 5;
const IDLE_MS = 15_000;
const WAITING_MS = 40_000;
const ALL_ENDED_MS = 600_000;
/** After which it gives up, and n8n ends with it. */
const LONGEST_MS = 45 * 60_000;

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

/** Does something for every number below a count, some at a time. */
async function forEach(count: number, atATime: number, work: (index: number) => Promise<unknown>) {
	let started = 0;
	const lane = async () => {
		while (started < count) await work(started++);
	};
	await Promise.all(Array.from({ length: atATime }, lane));
}

/** Watches n8n for a while in which nobody decides. */
async function watch(lab: Lab, name: string, ms: number): Promise<void> {
	const asked = () => lab.sandbox.journal.count('twoFactor', 'getApprovalRequest');
	const before = { ...(await usage(lab.n8n.pid)), asked: asked(), at: Date.now() };
	await delay(ms);
	const after = await usage(lab.n8n.pid);
	const elapsed = Date.now() - before.at;
	const core = (100 * (after.cpuMs - before.cpuMs)) / elapsed;
	const requests = (60_000 * (asked() - before.asked)) / elapsed;
	console.log(
		`${name}: ${core.toFixed(1)} % of a core, ${(after.memory / 1e6).toFixed(0)} MB, ${requests.toFixed(0)} requests a minute`,
	);
}

/** How many executions of a workflow have a status. */
async function count({ rest }: Lab, { id }: Flow, status: string): Promise<string[]> {
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

/** Waits until all executions have a status. */
async function allHave(lab: Lab, flow: Flow, status: string, withinMs: number): Promise<string[]> {
	for (const until = Date.now() + withinMs; ; await delay(3000)) {
		const ids = await count(lab, flow, status);
		if (ids.length === PARKED) return ids;
		if (Date.now() > until) throw new Error(`${ids.length} of ${PARKED} are ${status}`);
	}
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function measure(lab: Lab): Promise<void> {
	const flow = await Flow.open(lab, [ask('Ask'), next]);
	await flow.call();
	await delay(5000);
	for (const uuid of pushes(lab)) decide(lab.sandbox, uuid, 'approved');
	await delay(15_000);
	const parking = await Flow.open(lab, [ask('Ask'), next]);
	await watch(lab, 'none parked', IDLE_MS);

	const known = new Set(pushes(lab));
	const began = Date.now();
	await forEach(PARKED, STARTS_AT_A_TIME, async () => await parking.call());
	await allHave(lab, parking, 'waiting', ALL_ENDED_MS);
	console.log(`${PARKED} were parked within ${seconds(Date.now() - began)}`);
	await watch(lab, `${PARKED} parked`, WAITING_MS);

	const uuids = pushes(lab).filter((uuid) => !known.has(uuid));
	const decisions = new Map(
		uuids.map((uuid, index) => [uuid, index % 3 ? 'approved' : 'denied'] as const),
	);
	for (const [uuid, decision] of decisions) decide(lab.sandbox, uuid, decision);
	const decidedAt = Date.now();
	const ids = await allHave(lab, parking, 'success', ALL_ENDED_MS);
	const late: number[] = [];
	const seen = new Set<unknown>();
	let wrong = 0;
	await forEach(ids.length, READS_AT_A_TIME, async (index) => {
		const { data } = await lab.rest.get(`/executions/${ids[index]}`);
		const execution = unwrap<Execution>(data);
		late.push(Date.parse(execution.stoppedAt) - decidedAt);
		const { runData } = (parse(execution.data) as Result).resultData;
		const passed = (runData.Next ?? []).flatMap((run) => run.data.main[0]!);
		const [{ json } = { json: {} as Record<string, unknown> }] = passed;
		const right = decisions.get(`${json.id as string}`) === json.outcome;
		if (passed.length !== 1 || !right || runData.Ask?.length !== 1) wrong++;
		seen.add(json.id);
	});
	const sent = pushes(lab).length - known.size;
	console.log(
		`decided at once: ended after ${seconds(quantile(late))} (median), ${seconds(quantile(late, 0.95))} (95 of 100), ${seconds(Math.max(...late))} (longest); ${wrong} wrong, ${seen.size} different requests, ${sent} sent`,
	);
}

async function main(): Promise<void> {
	const tooLong = setTimeout(() => {
		console.error('This machine is too busy');
		process.exit(1);
	}, LONGEST_MS);
	tooLong.unref();
	const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-'));
	const lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
	try {
		await measure(lab);
	} finally {
		await lab.stop();
		await rm(userFolder, { recursive: true, force: true });
	}
}

play(main());
