import type { INode } from 'n8n-workflow';

import { faults } from '../../support/faults/catalog';
import type { Fault, InterceptedExchange } from '../../support/faults/fault';
import type { ProxiedRequest, UpstreamResponse } from '../../support/faults/proxiedRequest';
import type { FaultSelector } from '../../support/faults/proxy';
import { labelOf } from '../../support/samples/sample';
import type { Sample } from '../../support/samples/sample';
import type { OperationRun } from './cases';
import { repeatable } from './oracle';
import { runRepeated } from './run';
import type { SandboxPool } from './sandboxPool';

/** Number of equal items in each case. */
export const ITEMS = 3;

/** An operation that must not be done twice, over three equal items, with Retry On Fail. */
export interface RepeatCase {
	baseline: OperationRun;
	fault: Fault;
	/** The item whose first request of the kind fails, counted from 1. It fails once. */
	item: number;
	/** Whether the other items continue. n8n then repeats the run only if the first item has failed. */
	continues: boolean;
}

/** Result of a case: all items were done, or one was not sent again. `problems` says what is wrong with it. */
export interface RepeatResult {
	of: RepeatCase;
	end: 'done' | 'keptBack';
	problems: string[];
}

const nameOf = ({ baseline, fault, item, continues }: RepeatCase) =>
	`${labelOf(baseline.sample)}, item ${item}${continues ? ', continues' : ''}: ${fault.name}`;

/** A pause beyond every limit is just as long for the next attempt, and the size of a response makes no difference here. */
const tried = faults.filter(({ kind }) => kind !== 'closed' && kind !== 'huge');

const hits = [
	{ item: 1, continues: false },
	{ item: 2, continues: false },
	{ item: 3, continues: false },
	{ item: 1, continues: true },
];

/** An operation that handles all items together has its own tests of repeated runs. */
const isOnce = ({ sample, requests }: OperationRun) =>
	!sample.handlesItemsTogether && requests.some((entry) => !repeatable(entry));

/** Every operation that must not be done twice, under every fault, at one item after the other. */
export const allRepeatCases = (baseline: readonly OperationRun[]): RepeatCase[] =>
	casesOf(baseline, tried);

/** Selects this many per operation, so that all quick faults and all items occur. */
export function sliceOfRepeats(baseline: readonly OperationRun[], perSample: number): RepeatCase[] {
	const quick = tried.filter(({ isSlow }) => !isSlow);
	return casesOf(baseline, quick, perSample);
}

function casesOf(
	baseline: readonly OperationRun[],
	among: readonly Fault[],
	perSample = among.length,
): RepeatCase[] {
	return baseline.filter(isOnce).flatMap((of, index) =>
		Array.from({ length: perSample }, (_, turn): RepeatCase => {
			const fault = among[(index * perSample + turn) % among.length]!;
			return { baseline: of, fault, ...hits[(index + turn) % hits.length]! };
		}),
	);
}

const keyOf = ({ method, path }: ProxiedRequest) => `${method} ${path}`;

/** The requests of one item that must not be sent twice, without a fault. */
const onceIn = ({ proxied, requests }: OperationRun): string[] =>
	proxied.filter((_, index) => !repeatable(requests[index]!)).map(keyOf);

/**
 * Lets the service carry out each request once and gives the same response to every equal one, so that three equal items
 * succeed however the service treats duplicates. Injects the fault of the case.
 */
function planOf({ baseline, fault, item }: RepeatCase): FaultSelector {
	const once = onceIn(baseline);
	const responses = new Map<string, UpstreamResponse>();
	let count = 0;
	return (exchange) => {
		const key = keyOf(exchange);
		const isOne = once.includes(key);
		// A wait asks until there is a decision.
		if (baseline.sample.waitsForPerson && !isOne) return undefined;
		const spoilt = isOne && ++count === (item - 1) * once.length + 1;
		const responseTo = async ({ sendUpstream }: InterceptedExchange) => {
			const real = responses.get(key) ?? (await sendUpstream());
			responses.set(key, real);
			exchange.upstreamStatus = real.status;
			return real;
		};
		if (spoilt) {
			return {
				...fault,
				inject: async (exchange) =>
					await fault.inject({ ...exchange, sendUpstream: async () => await responseTo(exchange) }),
			};
		}
		return {
			name: 'none',
			description: 'nothing',
			kind: 'hollow',
			inject: async (exchange) => {
				const { status, headers, body } = await responseTo(exchange);
				const type = headers['content-type'];
				exchange.response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
			},
		};
	};
}

/** Whether it is not known afterwards if the service has carried the request out. */
const leavesOpen = ({ kind, name }: Fault) =>
	kind === 'lost' || kind === 'failing' || name === 'page200';

/** Returns the number of non-repeatable requests that must reach the proxy, or `undefined` where the response decides. */
function wantedRequests({ baseline, fault, item, continues }: RepeatCase): number | undefined {
	const each = onceIn(baseline).length;
	const all = ITEMS * each;
	if (fault.kind === 'hollow') return undefined;
	// Rejected: sent again, by the client or by the repeated run.
	if (!leavesOpen(fault)) return all + 1;
	return continues ? all - each + 1 : (item - 1) * each + 1;
}

function verdictOn(of: RepeatCase, ran: OperationRun): RepeatResult {
	const once = onceIn(of.baseline);
	const sent = ran.proxied.filter((exchange) => once.includes(keyOf(exchange)));
	const carriedOut = sent.filter((exchange) => exchange.upstreamStatus !== undefined).length;
	const most = ITEMS * once.length;
	const wanted = wantedRequests(of);
	const failed = ran.outputItems.filter(({ error }) => error !== undefined);
	const isDone = !ran.error && failed.length === 0;
	const problems = [
		...(ran.timedOut ? ['went on beyond all limits'] : []),
		...(carriedOut > most ? [`carried out ${carriedOut} times for ${ITEMS} items`] : []),
		...(sent.length > most + 1 ? [`sent ${sent.length} times for ${ITEMS} items`] : []),
		...(wanted !== undefined && sent.length !== wanted
			? [`sent ${sent.length} times, wanted ${wanted}: ${ran.error?.message ?? 'no error'}`]
			: []),
		...(wanted !== undefined &&
		isDone &&
		ran.outputItems.length !== ITEMS * of.baseline.outputItems.length
			? [`${ran.outputItems.length} items came out`]
			: []),
		...(wanted !== undefined && isDone === leavesOpen(of.fault)
			? [
					`ended ${isDone ? 'well' : `with ${ran.error?.message ?? `${failed[0]!.error as string}`}`}`,
				]
			: []),
	];
	return {
		of,
		end: isDone ? 'done' : 'keptBack',
		problems: problems.map((problem) => `${nameOf(of)}: ${problem}`),
	};
}

/** The same with a request for every item, also where items are sent together. */
const oneByOne = (sample: Sample): Sample => ({
	...sample,
	parameters: async (rig) => {
		const { options, ...parameters } = await sample.parameters(rig);
		return { ...parameters, options: { ...(options as object), contactsPerRequest: 1 } };
	},
});

/** Runs cases side by side and judges each. */
export async function runRepeats(
	lanes: SandboxPool,
	cases: readonly RepeatCase[],
): Promise<RepeatResult[]> {
	return await lanes.each(cases, async (rig, of) => {
		const node: Partial<INode> = {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
			...(of.continues && { onError: 'continueRegularOutput' }),
		};
		const slow = of.fault.isSlow === true;
		const ran = await runRepeated(rig, lanes.proxy, oneByOne(of.baseline.sample), planOf(of), {
			items: ITEMS,
			node,
			slow,
		});
		return verdictOn(of, ran);
	});
}
