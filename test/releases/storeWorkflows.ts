import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import services from '../../contracts/services.json';
import { serviceNames } from '../../sandbox/service';
import type { ServiceName } from '../../sandbox/service';
import { packageTrials } from '../e2e/install/packageTrials';
import { samples } from '../support/samples';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { nameOf, runStoredNode, runStoredTrigger, prepare } from './play';
import { filesOf, parameterize, outline, PREFIX, START } from './storedWorkflows';
import type { ExpectedOutputs, StoredWorkflow } from './storedWorkflows';

const SIZE = { registrations: 100, contacts: 100 };

/**
 * Writes the workflows of a release: every operation with the parameters of its samples, and every trigger. Only once: the
 * workflows that users have stored do not change either.
 */
export async function storeWorkflows(release: string): Promise<void> {
	const rigs = [
		await openRig({ ...SIZE, idSeed: 1 }),
		await openRig({ ...SIZE, idSeed: 2 }),
	] as const;
	try {
		for (const service of serviceNames) {
			await write(release, service, await operationsOf(service, rigs));
			await write(release, `${service}Trigger`, await triggerOf(service, rigs));
		}
	} finally {
		for (const rig of rigs) await rig.close();
	}
}

type Rigs = readonly [Rig, Rig];

async function operationsOf(service: ServiceName, rigs: Rigs): Promise<[INode[], ExpectedOutputs]> {
	const nodes = [node(START.name, START.type, {}, 0)];
	const expectedOutputs: ExpectedOutputs = {};
	for (const sample of samples.filter((one) => one.node === service)) {
		const { resource, operation } = sample;
		const [firstParameters, otherParameters] = [
			await prepare(rigs[0], sample),
			await prepare(rigs[1], sample),
		];
		const sampleParameters = parameterize(firstParameters, otherParameters) as INodeParameters;
		const parameters = { resource, operation, ...sampleParameters };
		const type = `${PREFIX}${service}`;
		nodes.push(node(nameOf(sample), type, parameters, nodes.length, services[service].credential));
		const { output, error } = await runStoredNode(rigs[0], sample, nodes);
		if (error) throw error;
		expectedOutputs[nameOf(sample)] = outline(output[0]) as IDataObject;
	}
	return [nodes, expectedOutputs];
}

async function triggerOf(service: ServiceName, [rig]: Rigs): Promise<[INode[], ExpectedOutputs]> {
	const name = 'Trigger';
	const type = `${PREFIX}${service}Trigger`;
	const { trigger, credential } = packageTrials[service]!;
	const triggerNode = node(name, type, trigger as INodeParameters, 0, credential);
	const { item } = await runStoredTrigger(rig, service, triggerNode);
	return [
		[{ ...triggerNode, webhookId: `kept-${service}` }],
		{ [name]: outline(item) as IDataObject },
	];
}

function node(
	name: string,
	type: string,
	parameters: INodeParameters,
	index: number,
	credential?: string,
): INode {
	return {
		id: `66666666-0000-4000-8000-${String(index).padStart(12, '0')}`,
		...{ name, type, typeVersion: 1, position: [260 * (index % 6), 180 * Math.floor(index / 6)] },
		parameters,
		...(credential && { credentials: { [credential]: { id: credential, name: credential } } }),
	};
}

async function write(
	release: string,
	name: string,
	[nodes, expectedOutputs]: [INode[], ExpectedOutputs],
) {
	const files = filesOf(release, name);
	if (existsSync(files.workflow)) throw new Error(`${release} is already stored`);
	const [start, ...others] = nodes;
	const main = [others.map((one) => ({ node: one.name, type: 'main' as const, index: 0 }))];
	const workflow: StoredWorkflow = {
		name: `${name} as of ${release}`,
		nodes,
		connections: others.length > 0 ? { [start!.name]: { main } } : {},
		settings: { executionOrder: 'v1' },
	};
	await mkdir(path.dirname(files.expectedOutputs), { recursive: true });
	for (const [file, content] of [
		[files.workflow, workflow],
		[files.expectedOutputs, expectedOutputs],
	] as const) {
		await writeFile(file, `${JSON.stringify(content, undefined, '\t')}\n`);
	}
}
