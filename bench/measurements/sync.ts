import type { ContactSetup } from '../contactService';
import { createContactNode, createPeople, openSearchAndUpdate } from '../harness/contactNodes';
import type { Person } from '../harness/contactNodes';
import { summarize } from '../harness/figures';
import type { Row, Table } from '../harness/figures';
import { measureWhileHeld, startHold } from '../harness/heldExecutions';
import { interleave, collectRows } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import {
	allPagesParameters,
	createCountNode,
	createHttpRequestNode,
	requireUniqueItems,
	createSplitNode,
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
/** Rounds of the first table and of the heap: a round takes minutes, and the heap differs little between rounds. */
const SLOW_ROUNDS = 1;
const MAX_SYNC_REQUESTS = 170;

const syncNode = createContactNode('sync', {
	matchBy: 'Email',
	mode: 'apply',
	missing: 'leave',
	show: 'summary',
});

interface SyncSummary {
	counts: { unchanged: number; updated: number };
}

function requireSyncCounts(
	{ counts }: SyncSummary,
	unchangedCount: number,
	updatedCount: number,
): void {
	if (counts.unchanged === unchangedCount && counts.updated === updatedCount) return;
	throw new Error(
		`Expected ${unchangedCount} unchanged, ${updatedCount} updated: ${JSON.stringify(counts)}`,
	);
}

interface SyncSetup {
	bench: Bench;
	n8n: BenchN8n;
	listUrl: string;
	setUpService(contactSetup: ContactSetup): Promise<void>;
	/** Returns the number of requests since the last `setUpService`. */
	countRequests(): Promise<number>;
}

const formatRowName = (size: number, state: string) =>
	`${size.toLocaleString('en')} contacts, ${state}`;

/** Creates a contender that fills the list again, then measures the time and the requests of `work`. */
const createTimeContender = (
	{ n8n, setUpService, countRequests }: SyncSetup,
	size: number,
	work: () => Promise<unknown>,
): Contender => {
	return async () => {
		await setUpService({ contacts: size, latencyMs: LATENCY_MS });
		return { ...(await n8n.measure(work)), requests: await countRequests() };
	};
};

async function measureChanged(setup: SyncSetup, size: number): Promise<Table[]> {
	const { bench, n8n, listUrl } = setup;
	const updatedCount = (size * CHANGED_PERCENT) / 100;
	const input = createPeople(size, 100 / CHANGED_PERCENT);
	const [searchWorkflow, upsertWorkflow, syncWorkflow] = [
		await openSearchAndUpdate(n8n, listUrl, FIELD),
		await n8n.openWorkflow([
			createSplitNode('body.people'),
			createContactNode('createOrUpdate', {}),
			createCountNode(FIELD),
		]),
		await n8n.openWorkflow([createSplitNode('body.people'), syncNode]),
	];
	const createContenders = (people: Person[], changedCount: number) => ({
		[HTTP_SEARCH_AND_UPDATE]: createTimeContender(setup, size, async () =>
			requireUniqueItems(await searchWorkflow({ people }), FIELD, changedCount),
		),
		[CREATE_OR_UPDATE]: createTimeContender(setup, size, async () =>
			requireUniqueItems(await upsertWorkflow({ people }), FIELD, people.length),
		),
		[SYNC]: createTimeContender(setup, size, async () =>
			requireSyncCounts(await syncWorkflow({ people }), people.length - changedCount, changedCount),
		),
	});
	const warmUpPeople = input.slice(0, size / 10);
	for (const work of Object.values(createContenders(warmUpPeople, updatedCount / 10))) await work();
	const name = formatRowName(size, `${CHANGED_PERCENT} % changed`);
	const rounds = SLOW_ROUNDS;
	const rowsByMetric = [
		await interleave({ ...bench, rounds }, { name }, createContenders(input, updatedCount), true),
	];
	const sharedFields = {
		rowHeader: 'list',
		contenders: [HTTP_SEARCH_AND_UPDATE, CREATE_OR_UPDATE, SYNC],
	};
	const requestRows = collectRows(rowsByMetric, 'requests');
	return [
		{
			...sharedFields,
			name: 'sync',
			caption: 'Time, from the call of the webhook to its answer:',
			unit: 's',
			rows: collectRows(rowsByMetric, 'time'),
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
			rows: requestRows,
			display: 'table',
			notes: [describeRequests(requestRows)],
		},
		{
			...sharedFields,
			name: 'sync-processor',
			caption: "n8n's CPU time:",
			unit: 's',
			rows: collectRows(rowsByMetric, 'cpu'),
			display: 'table',
		},
	];
}

function describeRequests([row]: Row[]): string {
	const { high } = summarize(row!.values[SYNC]!);
	const result = high <= MAX_SYNC_REQUESTS ? 'Goal reached.' : '**Goal missed.**';
	return `- ${result} ${SYNC} sends ${high} requests; the goal is at most ${MAX_SYNC_REQUESTS}.`;
}

async function measureUnchanged(setup: SyncSetup, size: number): Promise<Table> {
	const { bench, n8n, listUrl } = setup;
	const input = createPeople(size);
	const httpWorkflow = await n8n.openWorkflow([
		createHttpRequestNode('Work', `${listUrl}/contacts`, allPagesParameters),
		createCountNode(FIELD),
	]);
	const syncWorkflow = await n8n.openWorkflow([createSplitNode('body.people'), syncNode]);
	const name = formatRowName(size, 'nothing changed');
	const rowByMetric = await interleave(
		bench,
		{ name },
		{
			[HTTP_ALL_PAGES]: createTimeContender(setup, size, async () =>
				requireUniqueItems(await httpWorkflow(), FIELD, size),
			),
			[SYNC]: createTimeContender(setup, size, async () =>
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
		rows: collectRows([rowByMetric], 'time'),
		goals: [{ row: name, contender: SYNC, against: HTTP_ALL_PAGES, atMost: 3 }],
	};
}

/** Measures n8n's heap while the first contact is written, and its heap with the input alone. */
async function measureSyncHeap(setup: SyncSetup, size: number): Promise<Table> {
	const { bench, n8n, listUrl, setUpService } = setup;
	const hold = await startHold(FIELD);
	const runEmptyWorkflow = await n8n.openWorkflow([
		{ name: 'Nothing', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
	const holdSetup = { n8n, hold, runEmptyWorkflow };
	const input = createPeople(size, size);
	const httpWorkflow = await n8n.openWorkflow([
		createHttpRequestNode('Work', `${listUrl}/contacts`, allPagesParameters),
		createCountNode(FIELD),
		hold.node,
	]);
	const inputWorkflow = await n8n.openWorkflow([
		createSplitNode('body.people'),
		{ ...hold.node, executeOnce: true },
	]);
	const syncWorkflow = await n8n.openWorkflow([createSplitNode('body.people'), syncNode]);
	const name = formatRowName(size, 'five fields mapped');
	let inputMb = 0;
	const contenders: Record<string, Contender> = {
		[HTTP_ALL_PAGES]: async () => {
			await setUpService({ contacts: size, latencyMs: LATENCY_MS });
			return await measureWhileHeld(holdSetup, async () =>
				requireUniqueItems(await httpWorkflow(), FIELD, size),
			);
		},
		[SYNC_INPUT]: async () => {
			const costs = await measureWhileHeld(
				holdSetup,
				async () => await inputWorkflow({ people: input }),
			);
			inputMb = costs.memory;
			return { memory: inputMb };
		},
		[SYNC]: async () => {
			await setUpService({ contacts: size, latencyMs: LATENCY_MS, holdUrl: hold.url });
			const costs = await measureWhileHeld(holdSetup, async () =>
				requireSyncCounts(await syncWorkflow({ people: input }), size - 1, 1),
			);
			return { ...costs, memory: costs.memory - inputMb };
		},
	};
	try {
		const rounds = SLOW_ROUNDS;
		const rowByMetric = await interleave({ ...bench, rounds }, { name }, contenders, true);
		return {
			name: 'sync-heap',
			caption: 'Heap of n8n (for Sync: during the first write, without the input):',
			unit: 'MB',
			rowHeader: 'list',
			contenders: [HTTP_ALL_PAGES, SYNC, SYNC_INPUT],
			rows: collectRows([rowByMetric], 'memory'),
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
	title: 'Contact: Sync of a whole list',
	method: `_Contact: Sync_ with _Apply_ and _Summary_ syncs a whole list with five mapped fields. The call of the webhook contains the items. The service answers after ${LATENCY_MS} ms. Without the pack, an HTTP Request node searches for each person, an If node compares one field, and another HTTP Request node updates the contacts that differ. Changes and heap are measured in one round. The heap is measured after a garbage collection. For Sync this is while the service delays the answer to the first write, when the list, the input and the plan are in memory; for HTTP Request it is in the next node.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const child = startChild(require.resolve('../contactService'), 'serve');
		try {
			const url = await receiveMessage<string>(child);
			const setUpService = async (contactSetup: ContactSetup) => {
				await fetch(`${url}/setup`, { method: 'POST', body: JSON.stringify(contactSetup) });
			};
			const countRequests = async () => (await (await fetch(`${url}/requests`)).json()) as number;
			const setup = {
				bench,
				n8n,
				listUrl: `${url}/api/v1/contactlists/1`,
				setUpService,
				countRequests,
			};
			const [usualSize, largeSize] = bench.isQuick ? [1000, 10_000] : [10_000, 100_000];
			return await n8n.withCredential('eventRegistrationApi', { baseUrl: url }, async () => [
				...(await measureChanged(setup, usualSize)),
				await measureUnchanged(setup, usualSize),
				await measureSyncHeap(setup, largeSize),
			]);
		} finally {
			child.kill();
		}
	},
};
