import { computeMedian, fitLine } from '../harness/figures';
import type { Row, Table } from '../harness/figures';
import { measureWhileHeld, startHold } from '../harness/heldExecutions';
import type { Hold } from '../harness/heldExecutions';
import { interleave, collectRows } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import {
	allPagesParameters,
	createCountNode,
	createGatehouseNode,
	createHttpRequestNode,
	requireUniqueItems,
	PAGE_SIZE,
	createSplitNode,
} from '../harness/nodes';
import { receiveMessage, startChild } from '../harness/processes';

const FIELD = 'RegistrationId';
const HTTP_REQUEST = 'HTTP Request';
const GATEHOUSE = 'Gatehouse';
const ITEM_COUNTS = [100, 1000, 10_000];
const PAGE_COUNTS = [10, 100, 1000];
const QUICK_SIZES = 2;
/** Two points always lie on a line, so a fit needs at least three. */
const MIN_POINTS = 3;

/** Coefficient of determination (R²) from which growth counts as linear. */
const LINEAR_R_SQUARED = 0.95;

/** Describes a contender's curve: cost of one more record, and how linear it is. */
function describeLinearity(
	rows: Row[],
	contender: string,
	recordName: string,
	unit: string,
): string[] {
	const points = rows.flatMap(({ size, values }): Array<[number, number]> =>
		values[contender]?.length ? [[size!, computeMedian(values[contender])]] : [],
	);
	if (points.length < MIN_POINTS) return [];
	const { slope, rSquared } = fitLine(points);
	const conclusion = rSquared >= LINEAR_R_SQUARED ? 'grows linearly' : '**does not grow linearly**';
	return [
		`${contender} ${conclusion}: ${slope.toPrecision(3)} ${unit} for each ${recordName}; a straight line explains ${(100 * rSquared).toFixed(1)} % of the variance.`,
	];
}

interface GrowthSetup {
	n8n: BenchN8n;
	/** Address of the service, whose events have as many pages as `PAGE_COUNTS` says. */
	url: string;
	hold: Hold;
	/** Makes n8n release the data of the previous run. */
	runEmptyWorkflow(): Promise<unknown>;
}

const createHeldContender =
	(setup: GrowthSetup, work: () => Promise<unknown>): Contender =>
	async () =>
		await measureWhileHeld(setup, work);

async function measureSizes(
	bench: Bench,
	sizes: number[],
	recordName: string,
	createContenders: (size: number) => Promise<Record<string, Contender>>,
): Promise<Table[]> {
	const rowsByMetric: Array<Record<string, Row>> = [];
	for (const size of bench.isQuick ? sizes.slice(0, QUICK_SIZES) : sizes) {
		const name = `${size.toLocaleString('en')} ${recordName}s`;
		rowsByMetric.push(
			await interleave(
				bench,
				{ name, size },
				await createContenders(size),
				rowsByMetric.length > 0,
			),
		);
	}
	const createTable = (metric: string, unit: 's' | 'MB', caption: string): Table => {
		const metricRows = collectRows(rowsByMetric, metric);
		return {
			name: `growth-${recordName}s-${metric}`,
			caption,
			unit,
			rowHeader: `${recordName}s`,
			contenders: [HTTP_REQUEST, GATEHOUSE],
			rows: metricRows,
			display: metric === 'time' ? 'curve' : 'table',
			notes: describeLinearity(metricRows, GATEHOUSE, recordName, unit),
		};
	};
	return [
		createTable('time', 's', `Time, by the number of ${recordName}s:`),
		createTable(
			'memory',
			'MB',
			`Heap that n8n uses for it at the end, by the number of ${recordName}s:`,
		),
	];
}

const createEventLocator = (id: number) => ({ __rl: true, mode: 'id', value: `${id}` });

async function measureItems(bench: Bench, setup: GrowthSetup): Promise<Table[]> {
	const { n8n, url } = setup;
	const packWorkflow = await n8n.openWorkflow([
		createSplitNode('body.ids'),
		createGatehouseNode('Work', 'eventRegistration', {
			resource: 'registration',
			operation: 'get',
			eventId: createEventLocator(1),
			registrationId: '={{ $json.id }}',
			simplify: false,
		}),
		createCountNode(FIELD),
		setup.hold.node,
	]);
	const address = `=${url}/api/v1/events/1/registrations/{{ $json.id }}`;
	const httpWorkflow = await n8n.openWorkflow([
		createSplitNode('body.ids'),
		createHttpRequestNode('Work', address, {}),
		createCountNode(FIELD),
		setup.hold.node,
	]);
	return await measureSizes(bench, ITEM_COUNTS, 'item', async (size) => {
		const ids = Array.from({ length: size }, (_, index) => index + 1);
		const createContender = (workflow: typeof packWorkflow) =>
			createHeldContender(setup, async () =>
				requireUniqueItems(await workflow({ ids }), FIELD, size),
			);
		const contenders: Record<string, Contender> = { [GATEHOUSE]: createContender(packWorkflow) };
		return size === ITEM_COUNTS.at(-1)
			? contenders
			: { [HTTP_REQUEST]: createContender(httpWorkflow), ...contenders };
	});
}

async function measurePages(bench: Bench, setup: GrowthSetup): Promise<Table[]> {
	const { n8n, url } = setup;
	return await measureSizes(bench, PAGE_COUNTS, 'page', async (size) => {
		const eventId = PAGE_COUNTS.indexOf(size) + 1;
		const packNode = createGatehouseNode('Work', 'eventRegistration', {
			resource: 'registration',
			operation: 'getMany',
			eventId: createEventLocator(eventId),
			returnAll: true,
			simplify: false,
		});
		const address = `${url}/api/v1/events/${eventId}/registrations`;
		const httpNode = createHttpRequestNode('Work', address, allPagesParameters);
		const createContender = async (node: typeof packNode) => {
			const workflow = await n8n.openWorkflow([node, createCountNode(FIELD), setup.hold.node]);
			const recordCount = size * PAGE_SIZE;
			return createHeldContender(setup, async () =>
				requireUniqueItems(await workflow(), FIELD, recordCount),
			);
		};
		const contenders: Record<string, Contender> = { [GATEHOUSE]: await createContender(packNode) };
		return size === PAGE_COUNTS.at(-1)
			? contenders
			: { [HTTP_REQUEST]: await createContender(httpNode), ...contenders };
	});
}

/** Measures how time and memory grow with the input. */
export const growth: Measurement = {
	name: 'growth',
	title: 'Growth of time and memory',
	method:
		'The same work with more and more items, one read for each, and with longer and longer lists, in pages of 200 records. The service answers at once. Linear growth is a straight line in the chart. The time ends when the execution reaches its last node. This node blocks it until the heap of n8n is measured, after a garbage collection. The HTTP Request node is not measured with the largest size, to keep the run short.',
	async run(bench) {
		const n8n = await bench.n8n();
		const hold = await startHold(FIELD);
		const runEmptyWorkflow = await n8n.openWorkflow([
			{ name: 'Nothing', type: 'n8n-nodes-base.noOp', parameters: {} },
		]);
		const child = startChild(
			require.resolve('../registrationService'),
			JSON.stringify(PAGE_COUNTS),
		);
		try {
			const url = await receiveMessage<string>(child);
			return await n8n.withCredential('eventRegistrationApi', { baseUrl: url }, async () => [
				...(await measureItems(bench, { n8n, url, hold, runEmptyWorkflow })),
				...(await measurePages(bench, { n8n, url, hold, runEmptyWorkflow })),
			]);
		} finally {
			child.kill();
			hold.close();
		}
	},
};
