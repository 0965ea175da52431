import type { ContactSetup } from '../contactService';
import { contactNode, createPeople, openSearchAndUpdate } from '../harness/contactNodes';
import type { Person } from '../harness/contactNodes';
import { summarize } from '../harness/figures';
import type { Row, Table } from '../harness/figures';
import { measureWhileHeld, startHold } from '../harness/heldExecutions';
import { interleave, collectRows } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import {
	allPagesParameters,
	countNode,
	httpRequestNode,
	requireAllDifferent,
	splitNode,
} from '../harness/nodes';
import { receiveMessage, startChild } from '../harness/processes';

const LATENCY_MS = 20;
const CHANGED_PERCENT = 1;
const FIELD = 'ContactId';
const HTTP_SEARCH_AND_UPDATE = 'HTTP Request, If, HTTP Request';
const HTTP_ALL_PAGES = 'HTTP Request, all pages';
const CREATE_OR_UPDATE = 'Create or Update, ten at a time';
const SYNC = 'Sync';
const SYNC_INPUT = 'the input of Sync';
/** A round of the first table takes minutes, of which Sync takes seconds; the heap differs little between rounds. */
const SLOW_ROUNDS = 1;
const MAX_SYNC_REQUESTS = 170;

const syncNode = contactNode('sync', {
	matchBy: 'Email',
	mode: 'apply',
	missing: 'leave',
	show: 'summary',
});

interface SyncSummary {
	counts: { unchanged: number; updated: number };
}

function requireSyncCounts({ counts }: SyncSummary, unchanged: number, updated: number): void {
	if (counts.unchanged === unchanged && counts.updated === updated) return;
	throw new Error(`Expected ${unchanged} unchanged, ${updated} updated: ${JSON.stringify(counts)}`);
}

interface SyncSetup {
	bench: Bench;
	n8n: BenchN8n;
	list: string;
	setUp(setup: ContactSetup): Promise<void>;
	requests(): Promise<number>;
}

const rowName = (size: number, state: string) => `${size.toLocaleString('en')} contacts, ${state}`;

/** Measures the time and the requests of each contender, with a list that no other contender has changed. */
const measureTime = (
	{ n8n, setUp, requests }: SyncSetup,
	size: number,
	work: () => Promise<unknown>,
): Contender => {
	return async () => {
		await setUp({ contacts: size, latencyMs: LATENCY_MS });
		return { ...(await n8n.measure(work)), requests: await requests() };
	};
};

async function measureChanged(rig: SyncSetup, size: number): Promise<Table[]> {
	const { bench, n8n, list } = rig;
	const updated = (size * CHANGED_PERCENT) / 100;
	const input = createPeople(size, 100 / CHANGED_PERCENT);
	const [searchWorkflow, upsertWorkflow, syncWorkflow] = [
		await openSearchAndUpdate(n8n, list, FIELD),
		await n8n.openWorkflow([
			splitNode('body.people'),
			contactNode('createOrUpdate', {}),
			countNode(FIELD),
		]),
		await n8n.openWorkflow([splitNode('body.people'), syncNode]),
	];
	const createContenders = (people: Person[], changedCount: number) => ({
		[HTTP_SEARCH_AND_UPDATE]: measureTime(rig, size, async () =>
			requireAllDifferent(await searchWorkflow({ people }), FIELD, changedCount),
		),
		[CREATE_OR_UPDATE]: measureTime(rig, size, async () =>
			requireAllDifferent(await upsertWorkflow({ people }), FIELD, people.length),
		),
		[SYNC]: measureTime(rig, size, async () =>
			requireSyncCounts(await syncWorkflow({ people }), people.length - changedCount, changedCount),
		),
	});
	const warmUpPeople = input.slice(0, size / 10);
	for (const work of Object.values(createContenders(warmUpPeople, updated / 10))) await work();
	const name = rowName(size, `${CHANGED_PERCENT} % changed`);
	const rounds = SLOW_ROUNDS;
	const rows = [
		await interleave({ ...bench, rounds }, { name }, createContenders(input, updated), true),
	];
	const sharedFields = {
		rowHeader: 'list',
		contenders: [HTTP_SEARCH_AND_UPDATE, CREATE_OR_UPDATE, SYNC],
	};
	const requests = collectRows(rows, 'requests');
	return [
		{
			...sharedFields,
			name: 'sync',
			caption: 'Time, from the call of the webhook to its answer:',
			unit: 's',
			rows: collectRows(rows, 'time'),
			goals: [
				{ row: name, contender: SYNC, against: HTTP_SEARCH_AND_UPDATE, atMost: 0.15 },
				{ row: name, contender: SYNC, against: CREATE_OR_UPDATE, atMost: 0.15 },
			],
		},
		{
			...sharedFields,
			name: 'sync-requests',
			caption: 'Requests that the service received:',
			unit: 'requests',
			rows: requests,
			display: 'table',
			notes: [describeRequests(requests)],
		},
		{
			...sharedFields,
			name: 'sync-processor',
			caption: "n8n's CPU time:",
			unit: 's',
			rows: collectRows(rows, 'cpu'),
			display: 'table',
		},
	];
}

function describeRequests([row]: Row[]): string {
	const { high } = summarize(row!.values[SYNC]!);
	const result = high <= MAX_SYNC_REQUESTS ? 'Goal reached.' : '**Goal missed.**';
	return `- ${result} ${SYNC} sends ${high} requests; the goal is at most ${MAX_SYNC_REQUESTS}.`;
}

async function measureUnchanged(rig: SyncSetup, size: number): Promise<Table> {
	const { bench, n8n, list } = rig;
	const input = createPeople(size);
	const rival = await n8n.openWorkflow([
		httpRequestNode('Work', `${list}/contacts`, allPagesParameters),
		countNode(FIELD),
	]);
	const syncWorkflow = await n8n.openWorkflow([splitNode('body.people'), syncNode]);
	const name = rowName(size, 'nothing changed');
	const rows = await interleave(
		bench,
		{ name },
		{
			[HTTP_ALL_PAGES]: measureTime(rig, size, async () =>
				requireAllDifferent(await rival(), FIELD, size),
			),
			[SYNC]: measureTime(rig, size, async () =>
				requireSyncCounts(await syncWorkflow({ people: input }), size, 0),
			),
		},
	);
	return {
		name: 'sync-unchanged',
		caption: 'Time if nothing has changed, from the call of the webhook to its answer:',
		unit: 's',
		rowHeader: 'list',
		contenders: [HTTP_ALL_PAGES, SYNC],
		rows: collectRows([rows], 'time'),
		goals: [{ row: name, contender: SYNC, against: HTTP_ALL_PAGES, atMost: 3 }],
	};
}

/** Measures what n8n's heap holds while the first contact is written, and what the input alone holds. */
async function measureSyncHeap(rig: SyncSetup, size: number): Promise<Table> {
	const { bench, n8n, list, setUp } = rig;
	const hold = await startHold(FIELD);
	const clear = await n8n.openWorkflow([
		{ name: 'Nothing', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
	const holdSetup = { n8n, hold, clear };
	const input = createPeople(size, size);
	const rival = await n8n.openWorkflow([
		httpRequestNode('Work', `${list}/contacts`, allPagesParameters),
		countNode(FIELD),
		hold.node,
	]);
	const inputOnly = await n8n.openWorkflow([
		splitNode('body.people'),
		{ ...hold.node, executeOnce: true },
	]);
	const syncWorkflow = await n8n.openWorkflow([splitNode('body.people'), syncNode]);
	const name = rowName(size, 'five fields mapped');
	let inputMemory = 0;
	const contenders: Record<string, Contender> = {
		[HTTP_ALL_PAGES]: async () => {
			await setUp({ contacts: size, latencyMs: LATENCY_MS });
			return await measureWhileHeld(holdSetup, async () =>
				requireAllDifferent(await rival(), FIELD, size),
			);
		},
		[SYNC_INPUT]: async () => {
			const heldCost = await measureWhileHeld(
				holdSetup,
				async () => await inputOnly({ people: input }),
			);
			inputMemory = heldCost.memory;
			return { memory: inputMemory };
		},
		[SYNC]: async () => {
			await setUp({ contacts: size, latencyMs: LATENCY_MS, holdUrl: `${hold.url}?all=0` });
			const heldCost = await measureWhileHeld(holdSetup, async () =>
				requireSyncCounts(await syncWorkflow({ people: input }), size - 1, 1),
			);
			return { ...heldCost, memory: heldCost.memory - inputMemory };
		},
	};
	try {
		const rounds = SLOW_ROUNDS;
		const rows = await interleave({ ...bench, rounds }, { name }, contenders, true);
		return {
			name: 'sync-heap',
			caption: "What n8n's heap holds, for Sync beyond its input and while it writes:",
			unit: 'MB',
			rowHeader: 'list',
			contenders: [HTTP_ALL_PAGES, SYNC, SYNC_INPUT],
			rows: collectRows([rows], 'memory'),
			goals: [{ row: name, contender: SYNC, against: HTTP_ALL_PAGES, atMost: 0.5 }],
			display: 'table',
		};
	} finally {
		hold.close();
	}
}

/** Measures Contact: Sync of a whole list. */
export const sync: Measurement = {
	name: 'sync',
	title: 'A contact list in step with items',
	method: `_Contact: Sync_ with _Apply_ and _Summary_ of a whole list, five fields of which are mapped; its items come with the call of the webhook. The service answers after ${LATENCY_MS} ms. Without the pack it is a search by HTTP Request for each person, an If that compares one field, and an HTTP Request for those that differ. Changes and heap are measured in one round. The heap is measured after a garbage collection: of Sync while the service holds the first contact that it writes, when the list, the input and the plan are in memory; of HTTP Request in the node after it.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const child = startChild(require.resolve('../contactService'), 'serve');
		try {
			const url = await receiveMessage<string>(child);
			const setUp = async (setup: ContactSetup) => {
				await fetch(`${url}/setup`, { method: 'POST', body: JSON.stringify(setup) });
			};
			const requests = async () => (await (await fetch(`${url}/requests`)).json()) as number;
			const rig = { bench, n8n, list: `${url}/api/v1/contactlists/1`, setUp, requests };
			const [usualSize, largeSize] = bench.isQuick ? [1000, 10_000] : [10_000, 100_000];
			return await n8n.withCredential('eventRegistrationApi', { baseUrl: url }, async () => [
				...(await measureChanged(rig, usualSize)),
				await measureUnchanged(rig, usualSize),
				await measureSyncHeap(rig, largeSize),
			]);
		} finally {
			child.kill();
		}
	},
};
