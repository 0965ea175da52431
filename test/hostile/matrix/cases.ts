import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { LoggedRequest } from '../../../sandbox/requestLog';
import { faults } from '../../support/faults/catalog';
import type { Fault } from '../../support/faults/fault';
import type { ProxiedRequest } from '../../support/faults/proxiedRequest';
import { labelOf } from '../../support/samples/sample';
import type { Sample } from '../../support/samples/sample';

/** Which request of an operation a fault hits, counted from 1, or all of them. */
type FaultPosition = number | 'always';

/** One operation with one fault. */
export interface Case {
	sample: Sample;
	fault: Fault;
	position: FaultPosition;
}

/** Result of one run of an operation. */
export interface OperationRun {
	sample: Sample;
	outputItems: IDataObject[];
	/** The items on the second output, of an operation that has two. */
	positiveItems: IDataObject[];
	error?: Pick<NodeApiError, 'name' | 'message' | 'description'>;
	/** Messages above the output. */
	hints: string[];
	/** Everything of the run that n8n would store or show. */
	visibleText: string;
	/** The credential's secrets, which `visibleText` must not contain. */
	secrets: string[];
	/** Requests that the proxy received. */
	proxied: ProxiedRequest[];
	/** Requests that the service received. */
	requests: LoggedRequest[];
	ms: number;
	/** Whether the run exceeded all limits and was stopped. */
	timedOut: boolean;
	/** Number of connections that were still open after the run. */
	openConnections: number;
}

/** The same operation without a fault. */
export type BaselineRun = Pick<
	OperationRun,
	'sample' | 'outputItems' | 'positiveItems' | 'requests'
>;

/** Faults that also hit every request of a run: one of every kind, and those that only a limit ends. */
const PERMANENT_FAULTS = [
	'cutAfter',
	'silent',
	'dribblingBody',
	'truncated',
	'page200',
	'page502',
	'rateLimitedFor1s',
	'status500',
	'empty',
	'null',
	'deep',
	'redirect',
];

/** The requests that a fault can hit. A request that is sent again is the same one, except in a wait. */
export function requestsOf({ sample, requests }: BaselineRun): LoggedRequest[] {
	if (sample.waitsForPerson) return requests;
	const requestKey = ({ method, path, query }: LoggedRequest) =>
		JSON.stringify([method, path, query]);
	return [...new Map(requests.map((entry) => [requestKey(entry), entry])).values()];
}

/** Returns every operation with every fault, in the order of the faults' catalog. */
export function allCases(baseline: readonly BaselineRun[]): Case[] {
	return faults.flatMap((fault) => baseline.flatMap((baselineRun) => casesOf(baselineRun, fault)));
}

/**
 * Returns one case for each request of an operation, which the fault hits. A wait polls an unknown number of times, so only
 * its first two requests are hit.
 */
function casesOf(baseline: BaselineRun, fault: Fault): Case[] {
	const { sample } = baseline;
	const requestCount = Math.min(requestsOf(baseline).length, sample.waitsForPerson ? 2 : Infinity);
	const positions: FaultPosition[] = Array.from({ length: requestCount }, (_, index) => index + 1);
	if (PERMANENT_FAULTS.includes(fault.name)) positions.push('always');
	return positions.map((position) => ({ sample, fault, position }));
}

/** Selects one fault per operation, each operation with the next one, so that all faults occur. */
export function selectCases(
	baseline: readonly BaselineRun[],
	candidates: readonly Fault[],
): Case[] {
	return baseline.map((baselineRun, index) => {
		const possible = casesOf(baselineRun, candidates[index % candidates.length]!);
		return possible[index % possible.length]!;
	});
}

/** Returns a readable name of a case. */
export const describeCase = ({ sample, fault, position }: Case): string =>
	`${labelOf(sample)}: ${fault.name}, ${position === 'always' ? position : `request ${position}`}`;
