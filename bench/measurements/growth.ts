import { fit, quantile } from '../harness/figures';
import type { Row, Table } from '../harness/figures';
import { measureHeld, startHold } from '../harness/hold';
import type { Hold } from '../harness/hold';
import { interleave, rowsOf } from '../harness/measurement';
import type { Bench, Contender, Measurement } from '../harness/measurement';
import type { BenchN8n } from '../harness/n8n';
import { allPages, count, gatehouse, httpRequest, requireAll, PAGE, split } from '../harness/nodes';
import { nextMessage, startChild } from '../harness/processes';

const FIELD = 'RegistrationId';
const RIVAL = 'HTTP Request';
const OURS = 'Gatehouse';
const ITEMS = [100, 1000, 10_000];
const PAGES = [10, 100, 1000];
const QUICK = 2;
/** Two points always fit a line. */
const FEWEST_POINTS = 3;

/** A straight line explains nearly all of what grows evenly. */
const EVEN = 0.95;

/** Describes a contender's curve: cost of one more record, and how linear it is. */
function straightness(rows: Row[], contender: string, one: string, unit: string): string[] {
	const points = rows.flatMap(({ size, values }): Array<[number, number]> =>
		values[contender]?.length ? [[size!, quantile(values[contender])]] : [],
	);
	if (points.length < FEWEST_POINTS) return [];
	const { slope, rSquared } = fit(points);
	const word = rSquared >= EVEN ? 'grows evenly' : '**does not grow evenly**';
	return [
		`${contender} ${word}: ${slope.toPrecision(3)} ${unit} for each ${one}; a straight line explains ${(100 * rSquared).toFixed(1)} % of the differences.`,
	];
}

interface Growth {
	n8n: BenchN8n;
	/** The service, whose events have as many pages as `PAGES` says. */
	url: string;
	hold: Hold;
	/** Runs an empty workflow, so that n8n releases the data of the previous run. */
	clear(): Promise<unknown>;
}

const grown =
	(growth: Growth, work: () => Promise<unknown>): Contender =>
	async () =>
		await measureHeld(growth, work);

async function grow(
	bench: Bench,
	sizes: number[],
	one: string,
	contendersOf: (size: number) => Promise<Record<string, Contender>>,
): Promise<Table[]> {
	const rows: Array<Record<string, Row>> = [];
	for (const size of bench.quick ? sizes.slice(0, QUICK) : sizes) {
		const name = `${size.toLocaleString('en')} ${one}s`;
		rows.push(await interleave(bench, { name, size }, await contendersOf(size), rows.length > 0));
	}
	const table = (what: string, unit: 's' | 'MB', caption: string): Table => {
		const found = rowsOf(rows, what);
		return {
			name: `growth-${one}s-${what}`,
			caption,
			unit,
			rowHeader: `${one}s`,
			contenders: [RIVAL, OURS],
			rows: found,
			shown: what === 'time' ? 'curve' : 'table',
			notes: straightness(found, OURS, one, unit),
		};
	};
	return [
		table('time', 's', `Time, by the number of ${one}s:`),
		table('memory', 'MB', `What n8n's heap holds for it at the end, by the number of ${one}s:`),
	];
}

const eventId = (id: number) => ({ __rl: true, mode: 'id', value: `${id}` });

async function growItems(bench: Bench, growth: Growth): Promise<Table[]> {
	const { n8n, url } = growth;
	const ours = await n8n.open([
		split('body.ids'),
		gatehouse('Work', 'eventRegistration', {
			resource: 'registration',
			operation: 'get',
			eventId: eventId(1),
			registrationId: '={{ $json.id }}',
			simplify: false,
		}),
		count(FIELD),
		growth.hold.node,
	]);
	const address = `=${url}/api/v1/events/1/registrations/{{ $json.id }}`;
	const theirs = await n8n.open([
		split('body.ids'),
		httpRequest('Work', address, {}),
		count(FIELD),
		growth.hold.node,
	]);
	return await grow(bench, ITEMS, 'item', async (size) => {
		const ids = Array.from({ length: size }, (_, index) => index + 1);
		const run = (workflow: typeof ours) =>
			grown(growth, async () => requireAll(await workflow({ ids }), FIELD, size));
		const contenders: Record<string, Contender> = { [OURS]: run(ours) };
		return size === ITEMS.at(-1) ? contenders : { [RIVAL]: run(theirs), ...contenders };
	});
}

async function growPages(bench: Bench, growth: Growth): Promise<Table[]> {
	const { n8n, url } = growth;
	return await grow(bench, PAGES, 'page', async (size) => {
		const event = PAGES.indexOf(size) + 1;
		const ours = gatehouse('Work', 'eventRegistration', {
			resource: 'registration',
			operation: 'getMany',
			eventId: eventId(event),
			returnAll: true,
			simplify: false,
		});
		const address = `${url}/api/v1/events/${event}/registrations`;
		const theirs = httpRequest('Work', address, allPages);
		const run = async (node: typeof ours) => {
			const workflow = await n8n.open([node, count(FIELD), growth.hold.node]);
			const records = size * PAGE;
			return grown(growth, async () => requireAll(await workflow(), FIELD, records));
		};
		const contenders: Record<string, Contender> = { [OURS]: await run(ours) };
		return size === PAGES.at(-1) ? contenders : { [RIVAL]: await run(theirs), ...contenders };
	});
}

/** More of the same. */
export const growth: Measurement = {
	name: 'growth',
	title: 'How it grows',
	about:
		'The same work with ever more items, one read for each, and with ever longer lists, in pages of 200 records, at a service that answers at once. What grows evenly is a straight line. Time is counted to the last node, in which the execution is held until the heap of n8n is cleaned and measured. The HTTP Request node is left out of the largest size, to keep the run short.',
	async run(bench) {
		const n8n = await bench.n8n();
		const hold = await startHold(FIELD);
		const clear = await n8n.open([
			{ name: 'Nothing', type: 'n8n-nodes-base.noOp', parameters: {} },
		]);
		const child = startChild(require.resolve('../registrationService'), JSON.stringify(PAGES));
		try {
			const url = await nextMessage<string>(child);
			return await n8n.withCredential('eventRegistrationApi', { baseUrl: url }, async () => [
				...(await growItems(bench, { n8n, url, hold, clear })),
				...(await growPages(bench, { n8n, url, hold, clear })),
			]);
		} finally {
			child.kill();
			hold.close();
		}
	},
};
