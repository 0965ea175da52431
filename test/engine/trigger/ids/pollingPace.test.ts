import { setTimeout as delay } from 'node:timers/promises';

import {
	decideApproval,
	createApprovals,
	listPollTimes,
} from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { useNewSandboxPerTest } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = useNewSandboxPerTest({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => {
	await host.close();
});

/** A request of a killed trigger can reach the service some milliseconds later; its response is lost. */
const ON_ITS_WAY = 100;

const gapsOf = (id: string) => {
	const polls = listPollTimes(sandbox, id);
	return polls.slice(1).map((at, index) => at - polls[index]!);
};

it.each([1, 2.5])(
	'a trigger polls no ID more often than every %s seconds, nor after its end',
	async (every) => {
		const typed = await createApprovals(client, 40);
		const submittedIds = await createApprovals(client, 40);
		const parameters = {
			ids: typed,
			acceptNewIds: true,
			acceptFromAnybody: true,
			options: { checkEvery: every },
		};
		host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
		await host.start();
		await host.post({ ids: submittedIds });
		const all = [...typed, ...submittedIds];
		// Counted, not timed: a poll and an end may fall into the same millisecond.
		const untilEnd = new Map<string, number>();
		for (const [index, id] of all.entries()) {
			if (index % 20 === 19) await delay((every * 1000) / 2);
			decideApproval(sandbox, id, index % 2 ? 'approved' : 'denied');
			untilEnd.set(id, listPollTimes(sandbox, id).length);
		}
		// A restart must not make it faster either.
		await host.restartProcess();
		await delay(ON_ITS_WAY);
		const untilDeath = new Map(all.map((id) => [id, listPollTimes(sandbox, id).length]));
		await host.start('init');
		await waitUntil(() => host.executions.length === 80);
		await delay(every * 1000 + 500);
		expect(host.executions).toHaveLength(80);
		for (const id of all) {
			for (const gap of gapsOf(id)) expect(gap).toBeGreaterThanOrEqual(every * 1000 - ON_ITS_WAY);
			// The poll that finds the end is the last one; an end that was found too late to be saved is found again after the restart.
			expect(untilDeath.get(id)! - untilEnd.get(id)!).toBeLessThanOrEqual(1);
			expect(listPollTimes(sandbox, id).length - untilDeath.get(id)!).toBeLessThanOrEqual(1);
		}
	},
	60_000,
);

it('a trigger keeps its limit of concurrent requests', async () => {
	const ids = await createApprovals(client, 30);
	sandbox.faultRules.add({ service: 'twoFactor', kind: 'slow', delayMs: 300 });
	const parameters = { ids, options: { checkEvery: 1, requestsAtATime: 4 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	let most = 0;
	for (let look = 0; look < 100; look++) {
		const underWay = sandbox.requestLog
			.entries({ operationId: 'getApprovalRequest' })
			.filter(({ status }) => status === undefined).length;
		most = Math.max(most, underWay);
		await delay(20);
	}
	expect(most).toBe(4);
	// With more IDs than the pace allows each comes late, and none is left out.
	await waitUntil(() => ids.every((id) => listPollTimes(sandbox, id).length >= 2));
	const counts = ids.map((id) => listPollTimes(sandbox, id).length);
	expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});

it('a trigger waits for Retry-After', async () => {
	const ids = await createApprovals(client, 10);
	const parameters = { ids, options: { checkEvery: 1 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	await waitUntil(() => ids.every((id) => listPollTimes(sandbox, id).length >= 1));
	sandbox.faultRules.add({ service: 'twoFactor', kind: '429', retryAfter: 4, times: 1 });
	const rejected = () => sandbox.requestLog.entries().find(({ status }) => status === 429);
	await waitUntil(() => rejected() !== undefined);
	const { at } = rejected()!;
	await delay(5000);
	const next = sandbox.requestLog
		.entries({ operationId: 'getApprovalRequest' })
		// Requests that were in flight by then do not count.
		.filter((entry) => entry.at > at + 200)
		.map((entry) => entry.at - at);
	expect(Math.min(...next)).toBeGreaterThanOrEqual(4000);
	expect(host.failedExecutions).toEqual([]);
});
