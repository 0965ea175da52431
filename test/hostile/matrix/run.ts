import type { INode } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

import type { ProxiedRequest } from '../../support/faults/proxiedRequest';
import type { FaultProxy, FaultSelector } from '../../support/faults/proxy';
import type { Sample } from '../../support/samples/sample';
import type { Rig } from '../../support/sandboxRig';
import { nodeTypeOf, runNode } from '../../support/workflow';
import type { Kit } from '../../support/workflow';
import type { Case, OperationRun } from './cases';

/** Small limits, so that what ends at a limit ends soon. The time limit is small only where it is what ends the case. */
export const TRIES = 2;
const quick = { tries: TRIES, longestWait: 1, timeLimit: 30 };
const slow = { ...quick, timeLimit: 2 };
/** Allowance for a slow machine, on top of the limits. */
const SLACK_MS = 120_000;

/** Stands for something that cannot be written down as JSON. */
export const UNWRITABLE = 'unwritable: \u0000';

/** Runs an operation without a fault. */
export const runFair = async (rig: Rig, proxy: FaultProxy, sample: Sample): Promise<OperationRun> =>
	await run(rig, proxy, sample, () => undefined, quick);

/** Runs an operation with the fault of a case. */
export async function runCase(rig: Rig, proxy: FaultProxy, of: Case): Promise<OperationRun> {
	const { sample, fault, hit } = of;
	const place = placeOf(sample);
	const plan: FaultSelector = (exchange) =>
		hit === 'always' || place(exchange) === hit ? fault : undefined;
	return await run(rig, proxy, sample, plan, fault.isSlow ? slow : quick);
}

/**
 * Which request of an operation an exchange is, counted from 1; nothing when it is a repetition, since a busy machine may be too
 * slow for a short time limit. A wait repeats the same request by nature.
 */
function placeOf({ waitsForPerson }: Sample): (exchange: ProxiedRequest) => number | undefined {
	const known = new Set<string>();
	return ({ number, method, path }) => {
		if (waitsForPerson) return number;
		const name = `${method} ${path}`;
		if (known.has(name)) return undefined;
		known.add(name);
		return known.size;
	};
}

/** Several items, and the settings of the node. */
interface Repetition {
	items?: number;
	node?: Partial<INode>;
}

/** Runs an operation over equal items, one by one, with faults of its own. */
export const runRepeated = async (
	rig: Rig,
	proxy: FaultProxy,
	sample: Sample,
	plan: FaultSelector,
	{ slow: isSlow, ...more }: Repetition & { slow: boolean },
): Promise<OperationRun> => await run(rig, proxy, sample, plan, isSlow ? slow : quick, more);

async function run(
	rig: Rig,
	proxy: FaultProxy,
	sample: Sample,
	plan: FaultSelector,
	limits: typeof quick,
	{ items = 1, node = {} }: Repetition = {},
): Promise<OperationRun> {
	const { sandbox } = rig;
	const { options, ...parameters } = await sample.parameters(rig);
	sandbox.requestLog.clear();
	const route = proxy.route(sandbox.url, plan);
	const kit = kitBehind(rig, route.url, sample);
	const begun = Date.now();
	let timedOut = false;
	const state = { finished: false };
	const longest = items * (items > 1 ? 2 : 1) * longestMs(limits) + SLACK_MS;
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
				void delay(longest, undefined, { ref: false }).then(() => {
					if (state.finished) return;
					timedOut = true;
					cancel();
				});
			},
		},
	).finally(() => (state.finished = true));
	const helping = (async () => {
		while (sample.actMeanwhile && !state.finished) {
			await sample.actMeanwhile(sandbox);
			await delay(50);
		}
	})();
	const { run: done, outputItems, error, hints } = await running;
	await helping;
	const ms = Date.now() - begun;
	const leftOpen = await openAfter(route.countFaultedConnections);
	route.close();
	return {
		sample,
		outputItems,
		error: error as OperationRun['error'],
		visibleText: [
			error?.message,
			error?.stack,
			(error as { description?: string } | undefined)?.description,
			inspect(error, { depth: 8, showHidden: true }),
			written(done.data.resultData.runData.Node),
			written(done.data.resultData.error),
			written(hints),
		].join('\n'),
		secrets: secretsOf(kit, sample),
		proxied: route.proxied,
		requests: sandbox.requestLog.entries(),
		ms,
		timedOut,
		leftOpen,
	};
}

/** As n8n writes it down; what is too deep for that makes n8n fail, and is recognized by `UNWRITABLE`. */
export function written(value: unknown): string {
	try {
		return String(JSON.stringify(value));
	} catch {
		return UNWRITABLE;
	}
}

/** The most that a run may take: three requests at most, each with all its tries, and a wait of eight seconds. */
const longestMs = ({ tries, timeLimit, longestWait }: typeof quick) =>
	1000 * (3 * (tries * Math.min(timeLimit, 2) + (tries - 1) * longestWait) + 8);

/** The kit of a sandbox, its addresses behind the proxy. */
function kitBehind(rig: Rig, url: string, sample: Sample): Kit {
	const own = credentialOf(sample, rig.kit);
	const secrets = Object.entries(rig.kit.credentialData).map(([name, secret]) => [
		name,
		{
			...secret,
			...(name === own ? sample.credential?.(rig) : {}),
			baseUrl: `${secret.baseUrl}`.replace(rig.sandbox.url, url),
		},
	]);
	return { ...rig.kit, credentialData: Object.fromEntries(secrets) };
}

const credentialOf = ({ node }: Sample, kit: Kit) =>
	nodeTypeOf(kit, node).description.credentials![0]!.name;

/** Keys as they are, and the middle of a private one. */
function secretsOf(kit: Kit, sample: Sample): string[] {
	const { apiKey, privateKey } = kit.credentialData[credentialOf(sample, kit)]!;
	return [
		...(apiKey ? [`${apiKey}`] : []),
		...(privateKey ? [`${privateKey}`.split('\n')[1]!.slice(-24)] : []),
	];
}

/** Returns the number of connections that stay open although no request waits for them. */
async function openAfter(open: () => number): Promise<number> {
	for (let look = 0; look < 400 && open() > 0; look++) await delay(50);
	return open();
}
