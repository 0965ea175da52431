import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

/** The pack's triggers by the names that n8n knows them by. */
export type TriggerName = 'passwordlessIdentityTrigger' | 'twoFactorTrigger';

export type Triggers = Record<TriggerName, new () => INodeType>;

/** What stays the same as long as a process lives, whatever becomes of the modules of the pack. */
export const newProcess = (): typeof n8nWorkflow => ({
	...n8nWorkflow,
	sleep: async (ms, signal) => await n8nWorkflow.sleep(ms, signal),
});

/** The pack's triggers, loaded anew: in a process of their own, with nothing in memory, or in one that has loaded them before. */
export function freshPack(process = newProcess()): Triggers {
	let pack: Triggers | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => process);
		/* eslint-disable @typescript-eslint/no-require-imports */
		pack = {
			passwordlessIdentityTrigger:
				require('../../nodes/PasswordlessIdentity/PasswordlessIdentityTrigger.node')
					.PasswordlessIdentityTrigger,
			twoFactorTrigger: require('../../nodes/TwoFactor/TwoFactorTrigger.node').TwoFactorTrigger,
		};
		/* eslint-enable @typescript-eslint/no-require-imports */
	});
	return pack!;
}
