import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import services from '../../../../contracts/services.json';
import { serviceNames } from '../../../../sandbox/service';
import type { ServiceName } from '../../../../sandbox/service';

/** Names of the pack's triggers in n8n. */
export type TriggerName = `${ServiceName}Trigger`;

/** Triggers that poll IDs. */
export type IdTriggerName = 'passwordlessIdentityTrigger' | 'twoFactorTrigger';

export type Triggers = Partial<Record<TriggerName, new () => INodeType>>;

const root = join(__dirname, '../../../..');
const triggerFiles = serviceNames.map((name) => {
	const { folder } = services[name];
	return {
		name: `${name}Trigger`,
		className: `${folder}Trigger`,
		file: `nodes/${folder}/${folder}Trigger.node.ts`,
	};
});

/**
 * Creates a copy of n8n-workflow, which stands for one process: n8n loads n8n-workflow once per process, even when it loads
 * the pack's modules again.
 */
export const createProcessModule = (): typeof n8nWorkflow => ({
	...n8nWorkflow,
	sleep: async (ms, signal) => await n8nWorkflow.sleep(ms, signal),
});

/** Loads the node of a service again into a process that has loaded the pack before. */
export function loadNode(
	name: ServiceName,
	processModule: typeof n8nWorkflow,
): new () => INodeType {
	const { folder } = services[name];
	let Node: (new () => INodeType) | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => processModule);
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		Node = require(join(root, `nodes/${folder}/${folder}.node.ts`))[folder];
	});
	return Node!;
}

/** Loads triggers of the pack again, by default all: into a new process, or into one that has loaded them before. */
export function loadTriggers(
	processModule = createProcessModule(),
	wantedNames = triggerFiles.map(({ name }) => name),
): Triggers {
	let pack: Triggers | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => processModule);
		pack = Object.fromEntries(
			triggerFiles
				.filter(({ name, file }) => wantedNames.includes(name) && existsSync(join(root, file)))
				// eslint-disable-next-line @typescript-eslint/no-require-imports
				.map(({ name, className, file }) => [name, require(join(root, file))[className]]),
		);
	});
	return pack!;
}

/** Loads the triggers of a workflow into a new process, and no others, because a load takes long. */
export const loadTriggersOf = (nodes: ReadonlyArray<{ type: TriggerName }>): Triggers =>
	loadTriggers(
		undefined,
		nodes.map(({ type }) => type),
	);
