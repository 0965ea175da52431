import axios from 'axios';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { publishWatchWorkflows, waitForExecutions } from '../../lab/drive/triggerWorkflows';
import type { WatchWorkflows } from '../../lab/drive/triggerWorkflows';
import { createRandom } from '../../sandbox/random';
import { startInstallations } from './installations';
import type { Installations } from './installations';
import { openPlainWorkflows, openReader, readResults } from './lists';
import { summarizeMemory, watchMemory } from './memory';
import type { Memory } from './memory';
import { randomFaults, simulateOutages } from './outages';
import { askPeople, readEndedIds } from './people';
import { tally } from './tally';

/**
 * A real n8n with the triggers that watch IDs and a workflow that reads lists on a schedule, for half an hour, with faults: one
 * request in twenty fails, and at intervals the service is unavailable. Then every start is compared with the services' own
 * records, and the memory of n8n with that of a plain n8n that did as much. Run it with: npm run soak -- --minutes 30
 */

const FAULT_SHARE = 0.05;
const OUTAGE_MS = 5000;
/** The longest time until every ended ID must have started an execution. */
const SETTLING_MS = 180_000;
/** Growth of the pack in MB that is allowed beyond that of a plain n8n in the same time. */
const MAX_EXTRA_GROWTH_MB = 150;

function readMinutes(): number {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
	const minutes = Number(values.minutes);
	if (minutes > 0) return minutes;
	throw new Error(`--minutes must be a number above 0, not '${values.minutes}'`);
}

async function soak(minutes: number): Promise<boolean> {
	const random = createRandom(Date.now() % 1_000_000);
	const { lab, proxy, route, plain, close } = await startInstallations(
		randomFaults(FAULT_SHARE, random),
	);
	try {
		const workflows = await publishWatchWorkflows(lab, []);
		const reader = await openReader(lab);
		const plainUrl = await openPlainWorkflows(plain, lab);
		// A workflow is active a moment before its webhook is.
		await delay(3000);
		const signal = AbortSignal.timeout(minutes * 60_000);
		const everyMs = Math.min(120_000, (minutes * 60_000) / 4);
		const onEnd = () => void axios.post(plainUrl, {}, { proxy: false }).catch(() => undefined);
		console.log(`Running for ${minutes} minutes …`);
		const [outageCount, packMemory, plainMemory] = await Promise.all([
			simulateOutages(proxy, { everyMs, forMs: OUTAGE_MS }, signal),
			watchMemory(() => lab.n8n.pid, signal),
			watchMemory(() => plain.n8n.pid, signal),
			askPeople(lab, workflows, { random, onEnd }, signal),
		]);
		const endedIds = readEndedIds(lab);
		const executions = await waitForAllStarts(lab, workflows, endedIds.length);
		const expected = await countRecords(lab.sandbox);
		const tallied = tally(endedIds, executions, await readFinishedRuns(lab, reader), expected);
		const memory = { pack: summarizeMemory(packMemory), plain: summarizeMemory(plainMemory) };
		const extraGrowthMb = computeGrowth(memory.pack) - computeGrowth(memory.plain);
		if (extraGrowthMb > MAX_EXTRA_GROWTH_MB)
			tallied.violations.push(`n8n grew ${extraGrowthMb} MB more with the pack than without it`);
		const faultCount = route.proxied.filter(({ fault }) => fault !== undefined).length;
		print([
			['minutes', minutes],
			['requests sent', route.proxied.length],
			['how many failed', `${faultCount}, in ${countFaultKinds(route.proxied)} ways`],
			['times the service was away', outageCount],
			['IDs that ended', endedIds.length],
			['executions that they started', tallied.started],
			['outage reports', tallied.reports],
			['lists read', tallied.read],
			['reads that failed with a clear error', tallied.failedReads],
			['memory with the pack, in MB', formatMemory(memory.pack)],
			['memory without it, in MB', formatMemory(memory.plain)],
			['violations', tallied.violations.length],
		]);
		for (const problem of tallied.violations.slice(0, 50)) console.log(`BROKEN ${problem}`);
		return tallied.violations.length === 0;
	} finally {
		await close();
	}
}

const computeGrowth = ({ middle, last }: Memory) => last - middle;
const formatMemory = ({ first, middle, last, most }: Memory) =>
	`${first} at first, ${middle} in the middle, ${last} at the end, ${most} at most`;
const countFaultKinds = (proxied: Array<{ fault?: string }>) =>
	new Set(proxied.flatMap(({ fault }) => fault ?? [])).size;

/**
 * Waits until this many IDs have started an execution. A trigger's report about an unavailable service is an execution too, and
 * no start.
 */
async function waitForAllStarts(
	lab: Installations['lab'],
	workflows: WatchWorkflows,
	count: number,
) {
	const deadline = Date.now() + SETTLING_MS;
	for (let expectedCount = count; ;) {
		const executions = await waitForExecutions(
			lab,
			workflows,
			expectedCount,
			deadline - Date.now(),
		);
		const ids = new Set(executions.flatMap(({ id }) => id ?? []));
		if (ids.size >= count || Date.now() >= deadline) return executions;
		expectedCount = executions.length + 1;
	}
}

/** Returns the readings that have ended; the last one may still be running. */
const readFinishedRuns = async (lab: Installations['lab'], reader: string) =>
	(await readResults(lab, reader)).filter(({ status }) => status !== 'running' && status !== 'new');

/** Counts the records of the lists that the workflow reads. */
async function countRecords({
	addresses,
	demo,
}: Installations['lab']['sandbox']): Promise<number[]> {
	const countAt = async (url: string, { headerName, apiKey }: typeof demo.eventData) => {
		const { data } = await axios.get<unknown>(url, {
			headers: { [headerName]: apiKey },
			proxy: false,
		});
		return (Array.isArray(data) ? data : (data as { data: unknown[] }).data).length;
	};
	return [
		await countAt(`${addresses.eventData}/registrations`, demo.eventData),
		await countAt(
			`${addresses.eventRegistration}/api/v1/events/1001/sessions`,
			demo.eventRegistration,
		),
	];
}

function print(rows: Array<[string, string | number]>): void {
	const width = Math.max(...rows.map(([name]) => name.length));
	console.log('');
	for (const [name, value] of rows)
		console.log(`${name.padEnd(width)}  ${value.toLocaleString('en')}`);
}

soak(readMinutes()).then(
	(passed) => process.exit(passed ? 0 : 1),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);
