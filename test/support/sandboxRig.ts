import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox, SandboxOptions } from '../../sandbox/server';
import { packServices } from './pack';
import { openForAllTests, resetBeforeEach } from './sandbox';
import { connectTo, runNode, runWorkflow } from './workflow';
import type { WorkflowRun, NodeKit, TestNode } from './workflow';

/** A running sandbox, and the pack's nodes with credentials for it, ready to run on n8n's engine. */
export interface Rig {
	sandbox: Sandbox;
	kit: NodeKit;
	/** Runs one node of the pack, by its type name such as `twoFactor`. */
	run: (
		type: string,
		parameters: INodeParameters,
		input?: IDataObject[],
		node?: Partial<INode> & { timezone?: string; onStart?: (cancel: () => void) => void },
	) => ReturnType<typeof runNode>;
	/** Runs nodes in sequence as one workflow, after a start node. */
	runSequence: (nodes: TestNode[], input?: IDataObject[]) => Promise<WorkflowRun>;
	close: () => Promise<void>;
}

/** Opens a rig. */
export async function openRig(options: SandboxOptions = {}): Promise<Rig> {
	const sandbox = await startSandbox(options);
	const kit: NodeKit = {
		nodes: Object.fromEntries(packServices.map(({ name, Node }) => [name, Node])),
		credentials: packServices.map(({ Credential }) => Credential),
		credentialData: structuredClone(sandbox.credentials),
	};
	return {
		sandbox,
		kit,
		run: async (type, parameters, input, node) => await runNode(kit, type, parameters, input, node),
		runSequence: async (nodes, input) => {
			const allNodes = [{ name: 'Start', type: 'start' }, ...nodes];
			const connections = Object.fromEntries(
				nodes.map(({ name }, index) => [allNodes[index]!.name, connectTo(name)]),
			);
			return await runWorkflow(kit, allNodes, connections, input);
		},
		close: async () => await sandbox.close(),
	};
}

/** Provides a rig for the tests of a file and resets its sandbox before each of them. */
export function useRig(options?: SandboxOptions): Rig {
	const rig = openForAllTests(async () => await openRig(options));
	resetBeforeEach(() => rig.sandbox);
	return rig;
}
