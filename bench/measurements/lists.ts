import type { Row } from '../harness/figures';
import { interleave, collectRows } from '../harness/measurement';
import type { Measurement } from '../harness/measurement';
import { allPagesParameters, countNode, PAGE_SIZE, requireAllDifferent } from '../harness/nodes';
import { createRegistrationNodes } from '../harness/registrationNodes';
import type { RegistrationNodes } from '../harness/registrationNodes';

const LATENCIES_MS = [0, 20, 200];
const FIELD = 'RegistrationId';
const RIVAL = 'HTTP Request';
const SINGLE = 'Gatehouse, page by page';
const AHEAD = 'Gatehouse, 4 pages at a time';

const rowName = (ms: number) => `${ms} ms`;

/** Counts the registrations of the event by reading the service's pages. */
async function countRecords({ url, headers }: RegistrationNodes): Promise<number> {
	for (let page = 1, recordCount = 0; ; page++) {
		const response = await fetch(`${url}?page=${page}&pageSize=${PAGE_SIZE}`, { headers });
		const { length } = (await response.json()) as unknown[];
		recordCount += length;
		if (length < PAGE_SIZE) return recordCount;
	}
}

/** Measures reading a list of many pages. */
export const lists: Measurement = {
	name: 'lists',
	title: 'A list of many pages',
	method: `Return All over the 11,000 registrations of an event, in pages of ${PAGE_SIZE}, by how long the service takes to answer. The HTTP Request node reads the same pages by its own paging.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const nodes = createRegistrationNodes(n8n);
		const records = await countRecords(nodes);
		const { url, packNode, httpNode } = nodes;
		const measureNode = async (node: ReturnType<typeof httpNode>) => {
			const workflow = await n8n.openWorkflow([node, countNode(FIELD)]);
			return async () =>
				await n8n.measure(async () => requireAllDifferent(await workflow(), FIELD, records));
		};
		const parameters = { returnAll: true, simplify: false };
		const contenders = {
			[RIVAL]: await measureNode(httpNode('Work', url, allPagesParameters)),
			[SINGLE]: await measureNode(packNode('getMany', parameters)),
			[AHEAD]: await measureNode(
				packNode('getMany', { ...parameters, options: { pagesAtATime: 4 } }),
			),
		};
		const rows: Array<Record<string, Row>> = [];
		for (const ms of LATENCIES_MS) {
			n8n.delayResponses('eventRegistration', ms);
			rows.push(await interleave(bench, { name: rowName(ms) }, contenders, rows.length > 0));
		}
		n8n.delayResponses('eventRegistration', 0);
		const sharedFields = { unit: 's', rowHeader: 'service answers after' } as const;
		return [
			{
				...sharedFields,
				name: 'lists',
				caption: `Time for ${records.toLocaleString('en')} records, from the call of the webhook to its answer:`,
				contenders: [RIVAL, SINGLE, AHEAD],
				rows: collectRows(rows, 'time'),
				goals: [
					{ row: rowName(200), contender: AHEAD, against: RIVAL, atMost: 0.3 },
					{ row: rowName(20), contender: AHEAD, against: RIVAL, atMost: 0.5 },
					{ row: rowName(0), contender: AHEAD, against: SINGLE, atMost: 1.05 },
				],
			},
			{
				...sharedFields,
				name: 'lists-processor',
				caption: "n8n's CPU time:",
				contenders: [RIVAL, SINGLE, AHEAD],
				rows: collectRows(rows, 'cpu'),
				display: 'table',
			},
		];
	},
};
