// Protects ended IDs from a crash before the start: it is requested again within 72 hours, or reported once as unclear.
import { setTimeout as delay } from 'node:timers/promises';

import {
	decideApproval,
	createApprovals,
	listPollTimes,
} from '../../../../lab/drive/approvalsAndJobs';
import type { IdSnapshot } from '../../../../nodes/engine/watch';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => await host.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Moves the requested starts in the saved state into the past, as if n8n had been down for this long. */
function backdateSavedState(byMs: number): void {
	const ids = host.savedIds();
	for (const { end } of ids) if (end?.requestedAt !== undefined) end.requestedAt -= byMs;
	host.staticDataJson = JSON.stringify({
		global: { 'node-0': { version: 1, ids, confirmedIds: [] } },
	});
}

/** Crashes n8n after it saved the requested start and before it started the workflow, and keeps it down for `downtimeMs`. */
async function crashBeforeStart(
	downtimeMs: number,
	overrides: object = {},
	savedExecutions?: 'none' | 'all',
): Promise<string> {
	const [id] = (await createApprovals(client, 1)) as [string];
	const parameters = {
		acceptNewIds: true,
		acceptFromAnybody: true,
		ids: id,
		options: { checkEvery: 1 },
		...overrides,
	};
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	if (savedExecutions) host.settings = { saveDataSuccessExecution: savedExecutions };
	await host.start();
	host.crashesBeforeNextStart = true;
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.emitCalls === 1 && host.staticDataJson.includes('requestedAt'));
	await host.restartProcess();
	backdateSavedState(downtimeMs);
	host.crashesBeforeNextStart = false;
	return id;
}

it.each([
	['11 minutes', 11 * MINUTE_MS],
	['71 hours', 71 * HOUR_MS],
])(
	'the trigger requests an unconfirmed start again if n8n is back after %s',
	async (_, downtimeMs) => {
		const id = await crashBeforeStart(downtimeMs, {}, 'all');
		await host.start('init');
		await waitUntil(() => host.executions.length === 1);
		expect(host.startedItemsById().get(id)).toMatchObject({ outcome: 'approved' });
		expect(host.failedExecutions).toEqual([]);
	},
);

it.each([
	['73 hours', 73 * HOUR_MS, undefined, /72 hours/],
	['a minute, without saving successful executions', MINUTE_MS, 'none', /does not save successful/],
] as const)(
	'the trigger reports an unconfirmed start once if n8n is back after %s',
	async (_, downtimeMs, savedExecutions, reason) => {
		const id = await crashBeforeStart(downtimeMs, {}, savedExecutions);
		const pollCount = listPollTimes(sandbox, id).length;
		for (let restart = 0; restart < 3; restart++) {
			await host.start('init');
			await delay(1300);
			await host.restartProcess();
		}
		expect(host.failedExecutions).toHaveLength(1);
		expect(host.failedExecutions[0]).toMatchObject({
			message: expect.stringContaining('unclear whether the workflow was started') as string,
			description: expect.stringMatching(reason) as string,
		});
		expect(host.failedExecutions[0]).toMatchObject({
			description: expect.stringContaining(`Check the executions`) as string,
		});
		expect(JSON.stringify(host.failedExecutions[0])).toContain(id);
		expect([host.executions, host.emittedErrors]).toEqual([[], []]);
		expect(listPollTimes(sandbox, id)).toHaveLength(pollCount);

		// The user submits the reported ID again.
		await host.start('init');
		expect((await host.post({ id, data: 'again' })).body).toMatchObject({ added: 1 });
		await waitUntil(() => host.executions.length === 1);
		expect(host.startedItemsById().get(id)).toMatchObject({ outcome: 'approved', data: 'again' });
	},
);

it('the trigger does not report an unconfirmed start for an outcome that starts nothing', async () => {
	const [id] = (await createApprovals(client, 1)) as [string];
	const parameters = { ids: id, outcomes: ['denied'], options: { checkEvery: 1 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	const end = { outcome: 'approved', endedAt: 1, requestedAt: 1 };
	const savedState: IdSnapshot = {
		version: 1,
		ids: [{ id, addedAt: 1, polls: 1, end }],
		confirmedIds: [],
	};
	host.staticDataJson = JSON.stringify({ global: { 'node-0': savedState } });
	await host.start('init');
	await delay(1300);
	expect([host.failedExecutions, host.executions, listPollTimes(sandbox, id)]).toEqual([
		[],
		[],
		[],
	]);
});
