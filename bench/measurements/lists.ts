import type { Row } from '../harness/figures';
import { interleave, rowsOf } from '../harness/measurement';
import type { Measurement } from '../harness/measurement';
import { allPages, count, PAGE, requireAll } from '../harness/nodes';
import { registrationNodes } from '../harness/registrations';
import type { RegistrationNodes } from '../harness/registrations';

const LATENCIES = [0, 20, 200];
const FIELD = 'RegistrationId';
const RIVAL = 'HTTP Request';
const SINGLE = 'Gatehouse, page by page';
const AHEAD = 'Gatehouse, 4 pages at a time';

const nameOf = (ms: number) => `${ms} ms`;

/** Counts the registrations of the event by reading the service's pages. */
async function countRecords({ url, headers }: RegistrationNodes): Promise<number> {
	for (let page = 1, found = 0; ; page++) {
		const response = await fetch(`${url}?page=${page}&pageSize=${PAGE}`, { headers });
		const { length } = (await response.json()) as unknown[];
		found += length;
		if (length < PAGE) return found;
	}
}

/** A list of many pages. */
export const lists: Measurement = {
	name: 'lists',
	title: 'A list of many pages',
	about: `Return All over the 11,000 registrations of an event, in pages of ${PAGE}, by how long the service takes to answer. The HTTP Request node reads the same pages by its own paging.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const nodes = registrationNodes(n8n);
		const records = await countRecords(nodes);
		const { url, ours, theirs } = nodes;
		const call = async (node: ReturnType<typeof theirs>) => {
			const workflow = await n8n.open([node, count(FIELD)]);
			return async () =>
				await n8n.measure(async () => requireAll(await workflow(), FIELD, records));
		};
		const all = { returnAll: true, simplify: false };
		const contenders = {
			[RIVAL]: await call(theirs('Work', url, allPages)),
			[SINGLE]: await call(ours('getMany', all)),
			[AHEAD]: await call(ours('getMany', { ...all, options: { pagesAtATime: 4 } })),
		};
		const rows: Array<Record<string, Row>> = [];
		for (const ms of LATENCIES) {
			n8n.delayResponses('eventRegistration', ms);
			rows.push(await interleave(bench, { name: nameOf(ms) }, contenders, rows.length > 0));
		}
		n8n.delayResponses('eventRegistration', 0);
		const usual = { unit: 's', rowHeader: 'service answers after' } as const;
		return [
			{
				...usual,
				name: 'lists',
				caption: `Time for ${records.toLocaleString('en')} records, from the call of the webhook to its answer:`,
				contenders: [RIVAL, SINGLE, AHEAD],
				rows: rowsOf(rows, 'time'),
				goals: [
					{ row: nameOf(200), contender: AHEAD, against: RIVAL, atMost: 0.3 },
					{ row: nameOf(20), contender: AHEAD, against: RIVAL, atMost: 0.5 },
					{ row: nameOf(0), contender: AHEAD, against: SINGLE, atMost: 1.05 },
				],
			},
			{
				...usual,
				name: 'lists-processor',
				caption: "n8n's CPU time:",
				contenders: [RIVAL, SINGLE, AHEAD],
				rows: rowsOf(rows, 'processor'),
				shown: 'table',
			},
		];
	},
};
