import { startClientProcess } from '../harness/bareClient';
import type { Row } from '../harness/figures';
import { interleave, collectRows } from '../harness/measurement';
import type { Measurement } from '../harness/measurement';
import { createCountNode, requireUniqueItems, createSplitNode } from '../harness/nodes';
import { createRegistrationNodes } from '../harness/registrationNodes';
import type { RegistrationNodes } from '../harness/registrationNodes';

const READ_COUNT = 1000;
const PAGE_SIZE = 200;
const LATENCIES_MS = [0, 20];
const FIELD = 'RegistrationId';
const HTTP_REQUEST = 'HTTP Request';
const BARE_CLIENT = 'bare client, ten at a time';
const N8N_REQUEST_FUNCTION = "n8n's request function alone, ten at a time";
const GATEHOUSE_10 = 'Gatehouse, ten at a time';
const GATEHOUSE_50 = 'Gatehouse, fifty at a time';

const formatRowName = (ms: number) => `${ms} ms`;

/** Reads pages of registrations and returns at least `READ_COUNT` of their IDs. */
async function readIds({ url, headers }: RegistrationNodes): Promise<number[]> {
	const ids: number[] = [];
	for (let page = 1; ids.length < READ_COUNT; page++) {
		const response = await fetch(`${url}?page=${page}&pageSize=${PAGE_SIZE}`, { headers });
		const records = (await response.json()) as Array<{ RegistrationId: number }>;
		if (records.length === 0) throw new Error(`The sandbox has only ${ids.length} registrations`);
		ids.push(...records.map(({ RegistrationId }) => RegistrationId));
	}
	return ids;
}

/** Measures one request for each of many items. */
export const items: Measurement = {
	name: 'items',
	title: 'One request for each item',
	method:
		'The workflow receives 1,000 items and reads a registration for each. Each row is for one response time of the service. By default the HTTP Request node does not limit concurrent requests, and the pack sends ten at a time. The bare client keeps its connections open, reads and parses, and does nothing else. The function that all request helpers of n8n call is measured alone, too, in a process without n8n.',
	async run(bench) {
		const n8n = await bench.n8n();
		const nodes = createRegistrationNodes(n8n);
		const { url, headers, createPackNode, createHttpNode } = nodes;
		const ids = await readIds(nodes);
		const urls = ids.map((id) => `${url}/${id}`);
		const createContender = async (node: ReturnType<typeof createHttpNode>) => {
			const workflow = await n8n.openWorkflow([
				createSplitNode('body.ids'),
				node,
				createCountNode(FIELD),
			]);
			return async () =>
				await n8n.measure(async () =>
					requireUniqueItems(await workflow({ ids }), FIELD, READ_COUNT),
				);
		};
		const createGetContender = async (itemsAtATime: number) => {
			const parameters = { registrationId: '={{ $json.id }}', simplify: false };
			return await createContender(
				createPackNode('get', { ...parameters, options: { itemsAtATime } }),
			);
		};
		const { binary } = n8n.lab.node;
		const [bareClient, requestFunctionClient] = [
			startClientProcess('bare', binary),
			startClientProcess('helper', binary),
		];
		const measureRows = async () => {
			const contenders = {
				[HTTP_REQUEST]: await createContender(createHttpNode('Work', `=${url}/{{ $json.id }}`)),
				[BARE_CLIENT]: async () => ({
					time: await bareClient.measureReadSeconds(urls, headers, 10),
				}),
				[N8N_REQUEST_FUNCTION]: async () => ({
					time: await requestFunctionClient.measureReadSeconds(urls, headers, 10),
				}),
				[GATEHOUSE_10]: await createGetContender(10),
				[GATEHOUSE_50]: await createGetContender(50),
			};
			const rowsByMetric: Array<Record<string, Row>> = [];
			for (const ms of LATENCIES_MS) {
				const measureRow = async () =>
					await interleave(bench, { name: formatRowName(ms) }, contenders, rowsByMetric.length > 0);
				rowsByMetric.push(await n8n.withDelay('eventRegistration', ms, measureRow));
			}
			return rowsByMetric;
		};
		const rowsByMetric = await measureRows().finally(() => {
			bareClient.end();
			requestFunctionClient.end();
		});
		const sharedFields = { unit: 's', rowHeader: 'service answers after' } as const;
		return [
			{
				...sharedFields,
				name: 'items',
				caption: 'Time for 1,000 reads, from the call of the webhook to its answer:',
				contenders: [HTTP_REQUEST, BARE_CLIENT, N8N_REQUEST_FUNCTION, GATEHOUSE_10, GATEHOUSE_50],
				rows: collectRows(rowsByMetric, 'time'),
				goals: [
					{
						row: formatRowName(20),
						contender: GATEHOUSE_10,
						against: BARE_CLIENT,
						atMost: 1.25,
						reason:
							"n8n's request function, which every community node must use, takes most of the remaining time: it opens a connection for each request.",
					},
					{
						row: formatRowName(20),
						contender: GATEHOUSE_50,
						against: HTTP_REQUEST,
						atMost: 0.5,
						reason: 'Here the CPU is the limit, and the request function takes most of its time.',
					},
				],
			},
			{
				...sharedFields,
				name: 'items-processor',
				caption: "n8n's CPU time:",
				contenders: [HTTP_REQUEST, GATEHOUSE_10, GATEHOUSE_50],
				rows: collectRows(rowsByMetric, 'cpu'),
				display: 'table',
			},
		];
	},
};
