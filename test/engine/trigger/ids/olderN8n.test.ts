// Protects users of an older n8n: a trigger does not start without deduplication keys, and polls a submitted ID at once.
import { sleep } from 'n8n-workflow';
import type { ITriggerFunctions } from 'n8n-workflow';

import { createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../../../sandbox/server';
import type { Sandbox } from '../../../../sandbox/server';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { TriggerHost, waitUntil } from '../support/host';
import { loadTriggers, createProcessModule } from '../support/loadTriggers';

// An n8n without deduplication keys ignores the key: one ID would start the workflow again after every restart.

useAcceleratedTime();
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
});
afterAll(async () => await sandbox.close());

/** Creates a host whose trigger contexts get the properties that `change` returns. */
function createHostWith(change: (context: ITriggerFunctions) => object): TriggerHost {
	const host = new TriggerHost(sandbox, [
		{ type: 'twoFactorTrigger', parameters: { ids: ['some-id'] } },
	]);
	const createContext = host['triggerContext'].bind(host);
	host['triggerContext'] = (...args) => {
		const context = createContext(...args);
		return Object.assign(context, change(context));
	};
	return host;
}

/** Declares three parameters, because `canDeduplicate` reads the length of `emit`. */
const emitWithoutKey: ITriggerFunctions['emit'] = (data, response, done) =>
	void [data, response, done];

it.each<[string, () => object]>([
	['that drops the key', () => ({ emit: emitWithoutKey })],
	['without saveFailedExecution', () => ({ saveFailedExecution: undefined })],
])(
	'a trigger does not start in an n8n %s, and the error names the required version',
	async (_, change) => {
		const host = createHostWith(change);
		const error = await host.start().catch((reason: Error) => reason);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^This trigger needs n8n 2\.20 or newer\. .*Update n8n/,
			) as string,
		});
		await host.close();
	},
);

it('a trigger starts in an n8n that passes the key and has saveFailedExecution', async () => {
	const host = createHostWith(() => ({}));
	await expect(host.start('init')).resolves.toHaveLength(1);
	await host.close();
});

// The sleep of n8n 1.123 and 2.20 has no signal: a trigger that was asleep when an ID was submitted polled up to a minute later.
it('a trigger polls a submitted ID at once, even in an n8n whose sleep cannot be aborted', async () => {
	const loadTriggersWithOldSleep = () =>
		loadTriggers({ ...createProcessModule(), sleep: async (ms) => await sleep(ms) });
	const parameters = { acceptNewIds: true, acceptFromAnybody: true, options: { checkEvery: 1 } };
	const host = new TriggerHost(
		sandbox,
		[{ type: 'twoFactorTrigger', parameters }],
		'workflow-1',
		loadTriggersWithOldSleep,
	);
	try {
		await host.start();
		const [uuid] = await createApprovals(new TwoFactorClient(sandbox), 1);
		sandbox.control('twoFactor', 'decide', { uuid, decision: 'approved' });
		const postedAtMs = Date.now();
		expect((await host.post({ id: uuid })).status).toBe(200);
		await waitUntil(
			() => host.executions.length > 0,
			() => host.failedExecutions,
			120_000,
		);
		expect(host.executions[0]!.startedAtMs - postedAtMs).toBeLessThan(30_000);
	} finally {
		await host.close();
	}
});
