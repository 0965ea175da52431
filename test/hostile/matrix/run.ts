import type { INode } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

import type { ProxiedRequest } from '../../support/faults/proxiedRequest';
import type { FaultProxy, FaultSelector } from '../../support/faults/proxy';
import type { Sample } from '../../support/samples/sample';
import type { Rig } from '../../support/sandboxRig';
import { nodeTypeOf, runNode } from '../../support/workflow';
import type { NodeKit } from '../../support/workflow';
import type { Case, OperationRun } from './cases';

/** Small limits, so that a case ends soon at its limit. The time limit is small only in cases that end at the time limit. */
export const TRIES = 2;
const quickLimits = { tries: TRIES, longestWait: 1, timeLimit: 30 };
const slowLimits = { ...quickLimits, timeLimit: 2 };
/** Allowance for a slow machine, on top of the limits. */
const SLACK_MS = 120_000;

/** Stands for a value that cannot be written as JSON. */
export const UNWRITABLE = 'unwritable: \u0000';

/** Runs an operation without a fault. */
export const runWithoutFaults = async (
	rig: Rig,
	proxy: FaultProxy,
	sample: Sample,
): Promise<OperationRun> => await run(rig, proxy, sample, () => undefined, quickLimits);

/** Runs an operation with the fault of a case. */
export async function runCase(rig: Rig, proxy: FaultProxy, testCase: Case): Promise<OperationRun> {
	const { sample, fault, position } = testCase;
	const positionOf = createPositionCounter(sample);
	const plan: FaultSelector = (exchange) =>
		position === 'always' || positionOf(exchange) === position ? fault : undefined;
	return await run(rig, proxy, sample, plan, fault.isSlow ? slowLimits : quickLimits);
}

/**
 * Creates a function that returns the position of a request in its operation, counted from 1. It returns `undefined` for a
 * repetition, since a busy machine may be too slow for a short time limit. A wait always repeats its request.
 */
function createPositionCounter({
	waitsForPerson,
}: Sample): (exchange: ProxiedRequest) => number | undefined {
	const knownRequests = new Set<string>();
	return ({ number, method, path }) => {
		if (waitsForPerson) return number;
		const name = `${method} ${path}`;
		if (knownRequests.has(name)) return undefined;
		knownRequests.add(name);
		return knownRequests.size;
	};
}

/** Number of items, and settings of the node. */
interface Repetition {
	items?: number;
	node?: Partial<INode>;
}

/** Runs an operation over equal items, one by one, with the faults that `plan` selects. */
export const runRepeated = async (
	rig: Rig,
	proxy: FaultProxy,
	sample: Sample,
	plan: FaultSelector,
	{ isSlow, ...repetition }: Repetition & { isSlow: boolean },
): Promise<OperationRun> =>
	await run(rig, proxy, sample, plan, isSlow ? slowLimits : quickLimits, repetition);

async function run(
	rig: Rig,
	proxy: FaultProxy,
	sample: Sample,
	plan: FaultSelector,
	limits: typeof quickLimits,
	{ items = 1, node = {} }: Repetition = {},
): Promise<OperationRun> {
	const { sandbox } = rig;
	const { options, ...parameters } = await sample.parameters(rig);
	sandbox.requestLog.clear();
	const route = proxy.route(sandbox.url, plan);
	const kit = createProxiedKit(rig, route.url, sample);
	const startedAtMs = Date.now();
	let timedOut = false;
	const state = { isFinished: false };
	const maxDurationMs = items * (items > 1 ? 2 : 1) * computeMaxDurationMs(limits) + SLACK_MS;
	const running = runNode(
		kit,
		sample.node,
		{
			resource: sample.resource,
			operation: sample.operation,
			...parameters,
			options: { ...(options as object), ...limits, ...(items > 1 && { itemsAtATime: 1 }) },
		},
		Array.from({ length: items }, () => ({})),
		{
			...node,
			onStart: (cancel) => {
				void delay(maxDurationMs, undefined, { ref: false }).then(() => {
					if (state.isFinished) return;
					timedOut = true;
					cancel();
				});
			},
		},
	).finally(() => (state.isFinished = true));
	const actingMeanwhile = (async () => {
		while (sample.actMeanwhile && !state.isFinished) {
			await sample.actMeanwhile(sandbox);
			await delay(50);
		}
	})();
	const { run: workflowRun, outputItems, json, error, hints } = await running;
	await actingMeanwhile;
	const ms = Date.now() - startedAtMs;
	const openConnections = await countConnectionsLeftOpen(route.countFaultedConnections);
	route.close();
	return {
		sample,
		outputItems,
		positiveItems: json('Node', 1),
		error: error as OperationRun['error'],
		hints: hints.map(({ message }) => message),
		visibleText: [
			error?.message,
			error?.stack,
			(error as { description?: string } | undefined)?.description,
			inspect(error, { depth: 8, showHidden: true }),
			toJson(workflowRun.data.resultData.runData.Node),
			toJson(workflowRun.data.resultData.error),
			toJson(hints),
		].join('\n'),
		secrets: secretsOf(kit, sample),
		proxied: route.proxied,
		requests: sandbox.requestLog.entries(),
		ms,
		timedOut,
		openConnections,
	};
}

/** Writes a value as JSON, like n8n. Returns `UNWRITABLE` for a value that is nested too deeply, with which n8n fails. */
export function toJson(value: unknown): string {
	try {
		return String(JSON.stringify(value));
	} catch {
		return UNWRITABLE;
	}
}

/** Returns the maximum duration of a run: three requests, each with all its tries, and a wait of eight seconds. */
const computeMaxDurationMs = ({ tries, timeLimit, longestWait }: typeof quickLimits) =>
	1000 * (3 * (tries * Math.min(timeLimit, 2) + (tries - 1) * longestWait) + 8);

/** Returns the kit of a sandbox with the proxy's URL in place of the sandbox's. */
function createProxiedKit(rig: Rig, url: string, sample: Sample): NodeKit {
	const credentialName = credentialOf(sample, rig.kit);
	const secrets = Object.entries(rig.kit.credentialData).map(([name, secret]) => [
		name,
		{
			...secret,
			...(name === credentialName ? sample.credential?.(rig) : {}),
			baseUrl: `${secret.baseUrl}`.replace(rig.sandbox.url, url),
		},
	]);
	return { ...rig.kit, credentialData: Object.fromEntries(secrets) };
}

const credentialOf = ({ node }: Sample, kit: NodeKit) =>
	nodeTypeOf(kit, node).description.credentials![0]!.name;

/** Returns the API key, or a part from the middle of the private key. */
function secretsOf(kit: NodeKit, sample: Sample): string[] {
	const { apiKey, privateKey } = kit.credentialData[credentialOf(sample, kit)]!;
	return [
		...(apiKey ? [`${apiKey}`] : []),
		...(privateKey ? [`${privateKey}`.split('\n')[1]!.slice(-24)] : []),
	];
}

/** Returns the number of connections that stay open although no request waits for them. */
async function countConnectionsLeftOpen(countOpen: () => number): Promise<number> {
	for (let checks = 0; checks < 400 && countOpen() > 0; checks++) await delay(50);
	return countOpen();
}
