import type { ContactSetup } from '../contactService';
import { contact, people, searchAndChange } from '../harness/contacts';
import type { Person } from '../harness/contacts';
import { summary } from '../harness/figures';
import type { Row, Table } from '../harness/figures';
import { measureHeld, startHold } from '../harness/hold';
import { interleave, rowsOf } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import { allPages, count, httpRequest, requireAll, split } from '../harness/nodes';
import { nextMessage, startChild } from '../harness/processes';

const LATENCY_MS = 20;
const CHANGED_PERCENT = 1;
const FIELD = 'ContactId';
const SEARCHING = 'HTTP Request, If, HTTP Request';
const READING = 'HTTP Request, all pages';
const EACH = 'Create or Update, ten at a time';
const SYNC = 'Sync';
const INPUT = 'the input of Sync';
/** A round of the first table takes minutes, of which Sync takes seconds; the heap differs little between rounds. */
const SLOW_ROUNDS = 1;
const MAX_REQUESTS = 170;

const syncNode = contact('sync', {
	matchBy: 'Email',
	mode: 'apply',
	missing: 'leave',
	show: 'summary',
});

interface Synced {
	counts: { unchanged: number; updated: number };
}

function requireSynced({ counts }: Synced, unchanged: number, updated: number): void {
	if (counts.unchanged === unchanged && counts.updated === updated) return;
	throw new Error(`Expected ${unchanged} unchanged, ${updated} updated: ${JSON.stringify(counts)}`);
}

interface Rig {
	bench: Bench;
	n8n: BenchN8n;
	list: string;
	setUp(setup: ContactSetup): Promise<void>;
	requests(): Promise<number>;
}

const sized = (size: number, rest: string) => `${size.toLocaleString('en')} contacts, ${rest}`;

/** Measures the time and the requests of each contender, with a list that no other has changed. */
const timed = (
	{ n8n, setUp, requests }: Rig,
	size: number,
	work: () => Promise<unknown>,
): Contender => {
	return async () => {
		await setUp({ contacts: size, latencyMs: LATENCY_MS });
		return { ...(await n8n.measure(work)), requests: await requests() };
	};
};

async function changed(rig: Rig, size: number): Promise<Table[]> {
	const { bench, n8n, list } = rig;
	const updated = (size * CHANGED_PERCENT) / 100;
	const input = people(size, 100 / CHANGED_PERCENT);
	const [rival, each, ours] = [
		await searchAndChange(n8n, list, FIELD),
		await n8n.open([split('body.people'), contact('createOrUpdate', {}), count(FIELD)]),
		await n8n.open([split('body.people'), syncNode]),
	];
	const contenders = (some: Person[], differing: number) => ({
		[SEARCHING]: timed(rig, size, async () =>
			requireAll(await rival({ people: some }), FIELD, differing),
		),
		[EACH]: timed(rig, size, async () =>
			requireAll(await each({ people: some }), FIELD, some.length),
		),
		[SYNC]: timed(rig, size, async () =>
			requireSynced(await ours({ people: some }), some.length - differing, differing),
		),
	});
	const few = input.slice(0, size / 10);
	for (const work of Object.values(contenders(few, updated / 10))) await work();
	const name = sized(size, `${CHANGED_PERCENT} % changed`);
	const rounds = SLOW_ROUNDS;
	const rows = [await interleave({ ...bench, rounds }, { name }, contenders(input, updated), true)];
	const usual = { rowHeader: 'list', contenders: [SEARCHING, EACH, SYNC] };
	const requests = rowsOf(rows, 'requests');
	return [
		{
			...usual,
			name: 'sync',
			caption: 'Time, from the call of the webhook to its answer:',
			unit: 's',
			rows: rowsOf(rows, 'time'),
			goals: [
				{ row: name, contender: SYNC, against: SEARCHING, atMost: 0.15 },
				{ row: name, contender: SYNC, against: EACH, atMost: 0.15 },
			],
		},
		{
			...usual,
			name: 'sync-requests',
			caption: 'Requests that the service received:',
			unit: 'requests',
			rows: requests,
			shown: 'table',
			notes: [requestsNote(requests)],
		},
		{
			...usual,
			name: 'sync-processor',
			caption: "n8n's CPU time:",
			unit: 's',
			rows: rowsOf(rows, 'processor'),
			shown: 'table',
		},
	];
}

function requestsNote([row]: Row[]): string {
	const { high } = summary(row!.values[SYNC]!);
	const verdict = high <= MAX_REQUESTS ? 'Goal reached.' : '**Goal missed.**';
	return `- ${verdict} ${SYNC} sends ${high} requests; the goal is at most ${MAX_REQUESTS}.`;
}

async function unchanged(rig: Rig, size: number): Promise<Table> {
	const { bench, n8n, list } = rig;
	const input = people(size);
	const rival = await n8n.open([httpRequest('Work', `${list}/contacts`, allPages), count(FIELD)]);
	const ours = await n8n.open([split('body.people'), syncNode]);
	const name = sized(size, 'nothing changed');
	const rows = await interleave(
		bench,
		{ name },
		{
			[READING]: timed(rig, size, async () => requireAll(await rival(), FIELD, size)),
			[SYNC]: timed(rig, size, async () => requireSynced(await ours({ people: input }), size, 0)),
		},
	);
	return {
		name: 'sync-unchanged',
		caption: 'Time if nothing has changed, from the call of the webhook to its answer:',
		unit: 's',
		rowHeader: 'list',
		contenders: [READING, SYNC],
		rows: rowsOf([rows], 'time'),
		goals: [{ row: name, contender: SYNC, against: READING, atMost: 3 }],
	};
}

/** Measures what n8n's heap holds while the first contact is written, and what the input alone holds. */
async function heap(rig: Rig, size: number): Promise<Table> {
	const { bench, n8n, list, setUp } = rig;
	const hold = await startHold(FIELD);
	const clear = await n8n.open([{ name: 'Nothing', type: 'n8n-nodes-base.noOp', parameters: {} }]);
	const held = { n8n, hold, clear };
	const input = people(size, size);
	const rival = await n8n.open([
		httpRequest('Work', `${list}/contacts`, allPages),
		count(FIELD),
		hold.node,
	]);
	const inputOnly = await n8n.open([split('body.people'), { ...hold.node, executeOnce: true }]);
	const ours = await n8n.open([split('body.people'), syncNode]);
	const name = sized(size, 'five fields mapped');
	let inputMemory = 0;
	const contenders: Record<string, Contender> = {
		[READING]: async () => {
			await setUp({ contacts: size, latencyMs: LATENCY_MS });
			return await measureHeld(held, async () => requireAll(await rival(), FIELD, size));
		},
		[INPUT]: async () => {
			const found = await measureHeld(held, async () => await inputOnly({ people: input }));
			inputMemory = found.memory;
			return { memory: inputMemory };
		},
		[SYNC]: async () => {
			await setUp({ contacts: size, latencyMs: LATENCY_MS, holdUrl: `${hold.url}?all=0` });
			const found = await measureHeld(held, async () =>
				requireSynced(await ours({ people: input }), size - 1, 1),
			);
			return { ...found, memory: found.memory - inputMemory };
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
			contenders: [READING, SYNC, INPUT],
			rows: rowsOf([rows], 'memory'),
			goals: [{ row: name, contender: SYNC, against: READING, atMost: 0.5 }],
			shown: 'table',
		};
	} finally {
		hold.close();
	}
}

/** Contact: Sync of a whole list. */
export const sync: Measurement = {
	name: 'sync',
	title: 'A contact list in step with items',
	about: `_Contact: Sync_ with _Apply_ and _Summary_ of a whole list, five fields of which are mapped; its items come with the call of the webhook. The service answers after ${LATENCY_MS} ms. Without the pack it is a search by HTTP Request for each person, an If that compares one field, and an HTTP Request for those that differ. Changes and heap are measured in one round. The heap is measured after a garbage collection: of Sync while the service holds the first contact that it writes, when the list, the input and the plan are in memory; of HTTP Request in the node after it.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const child = startChild(require.resolve('../contactService'), 'serve');
		try {
			const url = await nextMessage<string>(child);
			const setUp = async (setup: ContactSetup) => {
				await fetch(`${url}/setup`, { method: 'POST', body: JSON.stringify(setup) });
			};
			const requests = async () => (await (await fetch(`${url}/requests`)).json()) as number;
			const rig = { bench, n8n, list: `${url}/api/v1/contactlists/1`, setUp, requests };
			const [usual, large] = bench.quick ? [1000, 10_000] : [10_000, 100_000];
			return await n8n.withCredential('eventRegistrationApi', { baseUrl: url }, async () => [
				...(await changed(rig, usual)),
				await unchanged(rig, usual),
				await heap(rig, large),
			]);
		} finally {
			child.kill();
		}
	},
};
