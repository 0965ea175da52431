import type { INode } from 'n8n-workflow';

import { faults } from '../../support/faults/catalog';
import type { Fault, InterceptedExchange } from '../../support/faults/fault';
import type { ProxiedRequest, UpstreamResponse } from '../../support/faults/proxiedRequest';
import type { FaultSelector } from '../../support/faults/proxy';
import { labelOf } from '../../support/samples/sample';
import type { Sample } from '../../support/samples/sample';
import type { OperationRun } from './cases';
import { isRepeatable } from './oracle';
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
	repeatCase: RepeatCase;
	end: 'done' | 'keptBack';
	problems: string[];
}

const describeRepeatCase = ({ baseline, fault, item, continues }: RepeatCase) =>
	`${labelOf(baseline.sample)}, item ${item}${continues ? ', continues' : ''}: ${fault.name}`;

/** All faults except two kinds: a pause beyond every limit also stops the next attempt, and the size of a response has no influence. */
const injectedFaults = faults.filter(({ kind }) => kind !== 'longRateLimit' && kind !== 'huge');

const faultedItems = [
	{ item: 1, continues: false },
	{ item: 2, continues: false },
	{ item: 3, continues: false },
	{ item: 1, continues: true },
];

/** An operation that handles all items together has its own tests of repeated runs. */
const mustNotRepeat = ({ sample, requests }: OperationRun) =>
	!sample.handlesItemsTogether && requests.some((entry) => !isRepeatable(entry));

/** Returns a case for every operation that must not be done twice and every fault, with changing items. */
export const allRepeatCases = (baseline: readonly OperationRun[]): RepeatCase[] =>
	casesOf(baseline, injectedFaults);

/** Selects one case per operation, so that all quick faults and all items occur. */
export function selectRepeatCases(baseline: readonly OperationRun[]): RepeatCase[] {
	const quickFaults = injectedFaults.filter(({ isSlow }) => !isSlow);
	return casesOf(baseline, quickFaults, 1);
}

function casesOf(
	baseline: readonly OperationRun[],
	candidates: readonly Fault[],
	perSample = candidates.length,
): RepeatCase[] {
	return baseline.filter(mustNotRepeat).flatMap((baselineRun, index) =>
		Array.from({ length: perSample }, (_, turn): RepeatCase => {
			const fault = candidates[(index * perSample + turn) % candidates.length]!;
			return {
				baseline: baselineRun,
				fault,
				...faultedItems[(index + turn) % faultedItems.length]!,
			};
		}),
	);
}

const keyOf = ({ method, path }: ProxiedRequest) => `${method} ${path}`;

/** Returns the requests that must not be sent twice, as one item sends them without a fault. */
const unrepeatableRequestsOf = ({ proxied, requests }: OperationRun): string[] =>
	proxied.filter((_, index) => !isRepeatable(requests[index]!)).map(keyOf);

/**
 * Lets the service carry out each request once and gives the same response to every equal one, so that three equal items
 * succeed however the service treats duplicates. Injects the fault of the case.
 */
function createFaultSelector({ baseline, fault, item }: RepeatCase): FaultSelector {
	const unrepeatable = unrepeatableRequestsOf(baseline);
	const responses = new Map<string, UpstreamResponse>();
	let count = 0;
	return (exchange) => {
		const key = keyOf(exchange);
		const isUnrepeatable = unrepeatable.includes(key);
		// A wait polls until there is a decision.
		if (baseline.sample.waitsForPerson && !isUnrepeatable) return undefined;
		const isFaulted = isUnrepeatable && ++count === (item - 1) * unrepeatable.length + 1;
		const responseTo = async ({ sendUpstream }: InterceptedExchange) => {
			const realResponse = responses.get(key) ?? (await sendUpstream());
			responses.set(key, realResponse);
			exchange.upstreamStatus = realResponse.status;
			return realResponse;
		};
		if (isFaulted) {
			return {
				...fault,
				inject: async (exchange) =>
					await fault.inject({ ...exchange, sendUpstream: async () => await responseTo(exchange) }),
			};
		}
		return {
			name: 'none',
			description: 'nothing',
			kind: 'wrongBody',
			inject: async (exchange) => {
				const { status, headers, body } = await responseTo(exchange);
				const type = headers['content-type'];
				exchange.response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
			},
		};
	};
}

/** Whether the caller cannot know after this fault if the service has carried out the request. */
const leavesEffectUnclear = ({ kind, name }: Fault) =>
	kind === 'lost' || kind === 'failing' || name === 'page200';

/** Returns the number of non-repeatable requests that must reach the proxy, or `undefined` where the response decides. */
function countExpectedRequests({
	baseline,
	fault,
	item,
	continues,
}: RepeatCase): number | undefined {
	const requestsPerItem = unrepeatableRequestsOf(baseline).length;
	const allRequests = ITEMS * requestsPerItem;
	if (fault.kind === 'wrongBody') return undefined;
	// Rejected: sent again, by the client or by the repeated run.
	if (!leavesEffectUnclear(fault)) return allRequests + 1;
	return continues ? allRequests - requestsPerItem + 1 : (item - 1) * requestsPerItem + 1;
}

function evaluateRepeatCase(repeatCase: RepeatCase, operationRun: OperationRun): RepeatResult {
	const unrepeatable = unrepeatableRequestsOf(repeatCase.baseline);
	const sentRequests = operationRun.proxied.filter((exchange) =>
		unrepeatable.includes(keyOf(exchange)),
	);
	const carriedOutCount = sentRequests.filter(
		(exchange) => exchange.upstreamStatus !== undefined,
	).length;
	const maxCount = ITEMS * unrepeatable.length;
	const expectedCount = countExpectedRequests(repeatCase);
	const failedItems = operationRun.outputItems.filter(({ error }) => error !== undefined);
	const isDone = !operationRun.error && failedItems.length === 0;
	const problems = [
		...(operationRun.timedOut ? ['exceeded all limits'] : []),
		...(carriedOutCount > maxCount
			? [`carried out ${carriedOutCount} times for ${ITEMS} items`]
			: []),
		...(sentRequests.length > maxCount + 1
			? [`sent ${sentRequests.length} times for ${ITEMS} items`]
			: []),
		...(expectedCount !== undefined && sentRequests.length !== expectedCount
			? [
					`sent ${sentRequests.length} times, wanted ${expectedCount}: ${operationRun.error?.message ?? 'no error'}`,
				]
			: []),
		...(expectedCount !== undefined &&
		isDone &&
		operationRun.outputItems.length !== ITEMS * repeatCase.baseline.outputItems.length
			? [`${operationRun.outputItems.length} items in the output`]
			: []),
		...(expectedCount !== undefined && isDone === leavesEffectUnclear(repeatCase.fault)
			? [
					`ended ${isDone ? 'well' : `with ${operationRun.error?.message ?? `${failedItems[0]!.error as string}`}`}`,
				]
			: []),
	];
	return {
		repeatCase,
		end: isDone ? 'done' : 'keptBack',
		problems: problems.map((problem) => `${describeRepeatCase(repeatCase)}: ${problem}`),
	};
}

/** Returns the sample with one request for every item, also in operations that send items together. */
const withOneItemPerRequest = (sample: Sample): Sample => ({
	...sample,
	parameters: async (rig) => {
		const { options, ...parameters } = await sample.parameters(rig);
		return { ...parameters, options: { ...(options as object), contactsPerRequest: 1 } };
	},
});

/** Runs cases concurrently and evaluates each. */
export async function runRepeats(
	pool: SandboxPool,
	cases: readonly RepeatCase[],
): Promise<RepeatResult[]> {
	return await pool.runEach(cases, async (rig, repeatCase) => {
		const node: Partial<INode> = {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
			...(repeatCase.continues && { onError: 'continueRegularOutput' }),
		};
		const isSlow = repeatCase.fault.isSlow === true;
		const operationRun = await runRepeated(
			rig,
			pool.proxy,
			withOneItemPerRequest(repeatCase.baseline.sample),
			createFaultSelector(repeatCase),
			{
				items: ITEMS,
				node,
				isSlow,
			},
		);
		return evaluateRepeatCase(repeatCase, operationRun);
	});
}
