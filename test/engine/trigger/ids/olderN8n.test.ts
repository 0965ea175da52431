import { sleep } from 'n8n-workflow';
import type { ITriggerFunctions } from 'n8n-workflow';

import { createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../../../sandbox/server';
import type { Sandbox } from '../../../../sandbox/server';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { TriggerHost, waitUntil } from '../support/host';
import { loadTriggers, createProcessModule } from '../support/loadTriggers';

// An n8n without deduplication keys ignores the key: the same ID would start the workflow after every restart.

useAcceleratedTime();
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
});
afterAll(async () => await sandbox.close());

/** A host whose contexts are changed as a test says. */
function hostWith(change: (context: ITriggerFunctions) => object): TriggerHost {
	const host = new TriggerHost(sandbox, [
		{ type: 'twoFactorTrigger', parameters: { ids: ['some-id'] } },
	]);
	const original = host['triggerContext'].bind(host);
	host['triggerContext'] = (...given) => {
		const context = original(...given);
		return Object.assign(context, change(context));
	};
	return host;
}

const threeArguments: ITriggerFunctions['emit'] = (data, response, done) =>
	void [data, response, done];

it.each<[string, () => object]>([
	['that drops the key', () => ({ emit: threeArguments })],
	['without saveFailedExecution', () => ({ saveFailedExecution: undefined })],
])(
	'a trigger does not start in an n8n %s, and the error names the required version',
	async (_, change) => {
		const host = hostWith(change);
		const error = await host.start().catch((reason: Error) => reason);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^This trigger needs n8n 2\.20 or newer\. .*Update n8n/,
			) as string,
		});
		await host.close();
	},
);

it('a trigger starts in an n8n that supports both', async () => {
	const host = hostWith(() => ({}));
	await expect(host.start('init')).resolves.toHaveLength(1);
	await host.close();
});

// The sleep of n8n 1.123 and 2.20 knows no signal: a trigger that napped when an ID came slept on for a minute.
it('a trigger polls a submitted ID at once, even in an n8n whose sleep cannot be aborted', async () => {
	const older = () =>
		loadTriggers({ ...createProcessModule(), sleep: async (ms) => await sleep(ms) });
	const parameters = { acceptNewIds: true, acceptFromAnybody: true, options: { checkEvery: 1 } };
	const host = new TriggerHost(
		sandbox,
		[{ type: 'twoFactorTrigger', parameters }],
		'workflow-1',
		older,
	);
	try {
		await host.start();
		const [uuid] = await createApprovals(new TwoFactorClient(sandbox), 1);
		sandbox.control('twoFactor', 'decide', { uuid, decision: 'approved' });
		const before = Date.now();
		expect((await host.post({ id: uuid })).status).toBe(200);
		await waitUntil(
			() => host.executions.length > 0,
			() => host.failedExecutions,
			120_000,
		);
		expect(host.executions[0]!.startedAtMs - before).toBeLessThan(30_000);
	} finally {
		await host.close();
	}
});
