import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

/** The pack's triggers by the names that n8n knows them by. */
export type TriggerName = 'passwordlessIdentityTrigger' | 'twoFactorTrigger';

export type Triggers = Record<TriggerName, new () => INodeType>;

/** The pack's triggers, loaded as a process of their own would load them: with nothing in memory. */
export function freshPack(): Triggers {
	let pack: Triggers | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
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
