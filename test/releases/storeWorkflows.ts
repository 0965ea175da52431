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
import { formatNodeName, runStoredNode, runStoredTrigger, prepareSample } from './play';
import {
	locateFiles,
	parameterize,
	createOutline,
	NODE_TYPE_PREFIX,
	START,
} from './storedWorkflows';
import type { ExpectedOutputs, StoredWorkflow } from './storedWorkflows';

const SANDBOX_SIZE = { registrations: 100, contacts: 100 };

/**
 * Writes the workflows of a release: every operation with the parameters of its samples, and every trigger. Only once: the
 * workflows that users have stored do not change either.
 */
export async function storeWorkflows(release: string): Promise<void> {
	const rigs = [
		await openRig({ ...SANDBOX_SIZE, idSeed: 1 }),
		await openRig({ ...SANDBOX_SIZE, idSeed: 2 }),
	] as const;
	try {
		for (const service of serviceNames) {
			await writeWorkflow(release, service, await createOperationWorkflow(service, rigs));
			await writeWorkflow(release, `${service}Trigger`, await createTriggerWorkflow(service, rigs));
		}
	} finally {
		for (const rig of rigs) await rig.close();
	}
}

type Rigs = readonly [Rig, Rig];

async function createOperationWorkflow(
	service: ServiceName,
	rigs: Rigs,
): Promise<[INode[], ExpectedOutputs]> {
	const nodes = [createNode(START.name, START.type, {}, 0)];
	const expectedOutputs: ExpectedOutputs = {};
	for (const sample of samples.filter((candidate) => candidate.node === service)) {
		const { resource, operation } = sample;
		const [firstParameters, otherParameters] = [
			await prepareSample(rigs[0], sample),
			await prepareSample(rigs[1], sample),
		];
		const sampleParameters = parameterize(firstParameters, otherParameters) as INodeParameters;
		const parameters = { resource, operation, ...sampleParameters };
		const type = `${NODE_TYPE_PREFIX}${service}`;
		nodes.push(
			createNode(
				formatNodeName(sample),
				type,
				parameters,
				nodes.length,
				services[service].credential,
			),
		);
		const { output, error } = await runStoredNode(rigs[0], sample, nodes);
		if (error) throw error;
		expectedOutputs[formatNodeName(sample)] = createOutline(output[0]) as IDataObject;
	}
	return [nodes, expectedOutputs];
}

async function createTriggerWorkflow(
	service: ServiceName,
	[rig]: Rigs,
): Promise<[INode[], ExpectedOutputs]> {
	const name = 'Trigger';
	const type = `${NODE_TYPE_PREFIX}${service}Trigger`;
	const { trigger, credential } = packageTrials[service]!;
	const triggerNode = createNode(name, type, trigger as INodeParameters, 0, credential);
	const { item } = await runStoredTrigger(rig, service, triggerNode);
	return [
		[{ ...triggerNode, webhookId: `kept-${service}` }],
		{ [name]: createOutline(item) as IDataObject },
	];
}

function createNode(
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

async function writeWorkflow(
	release: string,
	name: string,
	[nodes, expectedOutputs]: [INode[], ExpectedOutputs],
) {
	const files = locateFiles(release, name);
	if (existsSync(files.workflow)) throw new Error(`${release} is already stored`);
	const [start, ...others] = nodes;
	const main = [others.map(({ name: node }) => ({ node, type: 'main' as const, index: 0 }))];
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
