import type { IDataObject, INode, INodeType } from 'n8n-workflow';

import services from '../../contracts/services.json';
import { keyCache } from '../../nodes/PasswordlessIdentity/keyCache';
import type { ServiceName } from '../../sandbox/service';
import { packageTrials } from '../e2e/install/packageTrials';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import type { TriggerName } from '../engine/trigger/support/host';
import { actWhileRunning } from '../operations/actWhileRunning';
import { awaitWithin } from '../support/fakeClock';
import { packServices } from '../support/pack';
import type { Sample } from '../support/samples/sample';
import type { Rig } from '../support/sandboxRig';
import { connectTo, runWorkflow, Start } from '../support/workflow';
import type { NodeKit } from '../support/workflow';
import { flattenParameters, NODE_TYPE_PREFIX, START } from './storedWorkflows';

const RUN_TIMEOUT_MS = 120_000;
const NODES: Record<string, new () => INodeType> = {
	[START.type]: Start,
	...Object.fromEntries(packServices.map(({ name, Node }) => [`${NODE_TYPE_PREFIX}${name}`, Node])),
};

/** Returns the name of a sample's node in a workflow. */
export const formatNodeName = ({ resource, operation, variant }: Sample): string =>
	[resource, operation, variant].filter(Boolean).join(' ');

/** Puts the data of a sample into a fresh sandbox, and returns its parameters. */
export async function prepareSample(rig: Rig, sample: Sample) {
	rig.sandbox.reset();
	const dropCachedKeys = () => keyCache.drop(rig.sandbox.addresses.passwordlessIdentity);
	dropCachedKeys();
	const parameters = await sample.parameters(rig);
	dropCachedKeys();
	return parameters;
}

/** Runs one node of a workflow unchanged, with what its sample needs; returns all its output. */
export async function runStoredNode(
	rig: Rig,
	sample: Sample,
	nodes: INode[],
): Promise<{ output: IDataObject[]; error?: Error }> {
	const item = flattenParameters(await prepareSample(rig, sample));
	const { credential } = services[sample.node as ServiceName];
	const credentialData = { ...rig.kit.credentialData[credential], ...sample.credential?.(rig) };
	const kit: NodeKit = {
		...rig.kit,
		nodes: NODES,
		credentialData: { [credential]: credentialData },
	};
	const node = formatNodeName(sample);
	const run = runWorkflow(kit, nodes, { [START.name]: connectTo(node) }, [item]);
	const act = sample.actMeanwhile;
	const attendedRun = act ? actWhileRunning(run, () => act(rig.sandbox)) : run;
	const endedRun = await awaitWithin(attendedRun, RUN_TIMEOUT_MS);
	const output = [0, 1].flatMap((number) => endedRun.json(node, number));
	return { output, error: endedRun.error };
}

/** Publishes a workflow with one trigger, causes the event that it waits for, and returns its start item. */
export async function runStoredTrigger({ sandbox }: Rig, service: string, node: INode) {
	const { follows, begin, finish } = packageTrials[service]!;
	sandbox.reset();
	sandbox.requestLog.clear();
	const host = new TriggerHost(sandbox, [
		{ type: `${service}Trigger` as TriggerName, parameters: node.parameters },
	]);
	try {
		await host.start();
		if (follows) {
			// The trigger reports changes after its first poll.
			await waitUntil(() =>
				sandbox.requestLog.entries().some((entry) => entry.path.endsWith(follows)),
			);
		}
		const id = await begin({ sandbox });
		if (!follows) expect(await host.post({ id })).toMatchObject({ status: 200 });
		await finish({ sandbox }, id);
		await waitUntil(
			() => host.executions.length > 0,
			() => host.failedExecutions,
			RUN_TIMEOUT_MS,
		);
		return { startCount: host.executions.length, item: host.executions[0]!.item };
	} finally {
		await host.close();
	}
}
