import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost } from '../support/host';
import type { HostNode } from '../support/host';

/** Returns a trigger that accepts IDs from any caller. */
export const acceptingTrigger = (options = {}): HostNode => ({
	type: 'twoFactorTrigger',
	parameters: {
		acceptNewIds: true,
		acceptFromAnybody: true,
		options: { checkEvery: 1, ...options },
	},
});

/** Sets up one sandbox for the tests of a file, in accelerated time. Each test opens its own host. */
export function useWebhookRig() {
	useAcceleratedTime();
	const sandbox = shareSandbox({ registrations: 1 });
	const rig = {
		sandbox,
		client: new TwoFactorClient(sandbox),
		host: undefined as unknown as TriggerHost,
		openHost: (...nodes: HostNode[]): void => {
			rig.host = new TriggerHost(sandbox, nodes);
		},
		/** Opens a host with one trigger that accepts IDs, and starts it. */
		openAndStart: async (options = {}): Promise<void> => {
			rig.openHost(acceptingTrigger(options));
			await rig.host.start();
		},
	};
	afterEach(async () => await rig.host.close());
	return rig;
}
