import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import services from '../../../../contracts/services.json';
import { serviceNames } from '../../../../sandbox/service';
import type { ServiceName } from '../../../../sandbox/service';

/** The pack's triggers by the names that n8n knows them by. */
export type TriggerName = `${ServiceName}Trigger`;

/** Those that watch ids. */
export type WatchingName = 'passwordlessIdentityTrigger' | 'twoFactorTrigger';

export type Triggers = Partial<Record<TriggerName, new () => INodeType>>;

const root = join(__dirname, '../../../..');
const files = serviceNames.map((name) => {
	const { folder } = services[name];
	return {
		name: `${name}Trigger`,
		className: `${folder}Trigger`,
		file: `nodes/${folder}/${folder}Trigger.node.ts`,
	};
});

/** What stays the same as long as a process lives, whatever becomes of the modules of the pack. */
export const newProcess = (): typeof n8nWorkflow => ({
	...n8nWorkflow,
	sleep: async (ms, signal) => await n8nWorkflow.sleep(ms, signal),
});

/** The node of a service, loaded into a process that has loaded the pack before. */
export function freshNode(name: ServiceName, process: typeof n8nWorkflow): new () => INodeType {
	const { folder } = services[name];
	let Node: (new () => INodeType) | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => process);
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		Node = require(join(root, `nodes/${folder}/${folder}.node.ts`))[folder];
	});
	return Node!;
}

/** The pack's triggers, loaded anew: in a process of their own, with nothing in memory, or in one that has loaded them before. */
export function freshPack(process = newProcess()): Triggers {
	let pack: Triggers | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => process);
		pack = Object.fromEntries(
			files
				.filter(({ file }) => existsSync(join(root, file)))
				// eslint-disable-next-line @typescript-eslint/no-require-imports
				.map(({ name, className, file }) => [name, require(join(root, file))[className]]),
		);
	});
	return pack!;
}
