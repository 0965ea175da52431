import type { Row } from '../harness/figures';
import { interleave, collectRows } from '../harness/measurement';
import type { Measurement } from '../harness/measurement';
import {
	allPagesParameters,
	createCountNode,
	PAGE_SIZE,
	requireUniqueItems,
} from '../harness/nodes';
import { createRegistrationNodes } from '../harness/registrationNodes';
import type { RegistrationNodes } from '../harness/registrationNodes';

const LATENCIES_MS = [0, 20, 200];
const COUNTED_FIELD = 'RegistrationId';
const HTTP_REQUEST = 'HTTP Request';
const GATEHOUSE_1_PAGE = 'Gatehouse, page by page';
const GATEHOUSE_4_PAGES = 'Gatehouse, 4 pages at a time';

const formatRowName = (ms: number) => `${ms} ms`;

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
	method: `Return All reads the 11,000 registrations of an event, in pages of ${PAGE_SIZE}. Each row is for one response time of the service. The HTTP Request node reads the same pages with its own pagination.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const nodes = createRegistrationNodes(n8n);
		const recordCount = await countRecords(nodes);
		const { url, createPackNode, createHttpNode } = nodes;
		const createContender = async (node: ReturnType<typeof createHttpNode>) => {
			const workflow = await n8n.openWorkflow([node, createCountNode(COUNTED_FIELD)]);
			return async () =>
				await n8n.measure(async () =>
					requireUniqueItems(await workflow(), COUNTED_FIELD, recordCount),
				);
		};
		const parameters = { returnAll: true, simplify: false };
		const contenders = {
			[HTTP_REQUEST]: await createContender(createHttpNode('Work', url, allPagesParameters)),
			[GATEHOUSE_1_PAGE]: await createContender(createPackNode('getMany', parameters)),
			[GATEHOUSE_4_PAGES]: await createContender(
				createPackNode('getMany', { ...parameters, options: { pagesAtATime: 4 } }),
			),
		};
		const rowsByMetric: Array<Record<string, Row>> = [];
		for (const ms of LATENCIES_MS) {
			const measureRow = async () =>
				await interleave(bench, { name: formatRowName(ms) }, contenders, rowsByMetric.length > 0);
			rowsByMetric.push(await n8n.withDelay('eventRegistration', ms, measureRow));
		}
		const sharedFields = { unit: 's', rowHeader: 'service answers after' } as const;
		return [
			{
				...sharedFields,
				name: 'lists',
				caption: `Time for ${recordCount.toLocaleString('en')} records, from the call of the webhook to its answer:`,
				contenders: [HTTP_REQUEST, GATEHOUSE_1_PAGE, GATEHOUSE_4_PAGES],
				rows: collectRows(rowsByMetric, 'time'),
				goals: [
					{
						row: formatRowName(200),
						contender: GATEHOUSE_4_PAGES,
						against: HTTP_REQUEST,
						atMost: 0.3,
					},
					{
						row: formatRowName(20),
						contender: GATEHOUSE_4_PAGES,
						against: HTTP_REQUEST,
						atMost: 0.5,
					},
					{
						row: formatRowName(0),
						contender: GATEHOUSE_4_PAGES,
						against: GATEHOUSE_1_PAGE,
						atMost: 1.05,
					},
				],
			},
			{
				...sharedFields,
				name: 'lists-processor',
				caption: "n8n's CPU time:",
				contenders: [HTTP_REQUEST, GATEHOUSE_1_PAGE, GATEHOUSE_4_PAGES],
				rows: collectRows(rowsByMetric, 'cpu'),
				display: 'table',
			},
		];
	},
};
