import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost } from '../support/host';
import type { HostNode } from '../support/host';

/** A trigger that accepts IDs from any caller. */
export const acceptingTrigger = (options = {}): HostNode => ({
	type: 'twoFactorTrigger',
	parameters: {
		acceptNewIds: true,
		acceptFromAnybody: true,
		options: { checkEvery: 1, ...options },
	},
});

/** A sandbox for all tests of a file, in accelerated time, and a host for each of them. */
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
		/** Opens a host with one running trigger. */
		openAndStart: async (options = {}): Promise<void> => {
			rig.openHost(acceptingTrigger(options));
			await rig.host.start();
		},
	};
	afterEach(async () => await rig.host.close());
	return rig;
}
