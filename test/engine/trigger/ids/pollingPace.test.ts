// Protects the service from too many polls: each ID keeps its interval, and the trigger keeps to its limit and Retry-After.
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
const MAX_TRANSIT_MS = 100;

const listPollGapsMs = (id: string) => {
	const pollTimes = listPollTimes(sandbox, id);
	return pollTimes.slice(1).map((polledAt, index) => polledAt - pollTimes[index]!);
};

it.each([1, 2.5])(
	'a trigger polls no ID more often than every %s seconds, and none after its end',
	async (intervalSeconds) => {
		const enteredIds = await createApprovals(client, 40);
		const submittedIds = await createApprovals(client, 40);
		const parameters = {
			ids: enteredIds,
			acceptNewIds: true,
			acceptFromAnybody: true,
			options: { checkEvery: intervalSeconds },
		};
		host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
		await host.start();
		await host.post({ ids: submittedIds });
		const allIds = [...enteredIds, ...submittedIds];
		// Polls are counted, since a poll and an end may have the same millisecond.
		const pollsBeforeEnd = new Map<string, number>();
		for (const [index, id] of allIds.entries()) {
			if (index % 20 === 19) await delay((intervalSeconds * 1000) / 2);
			decideApproval(sandbox, id, index % 2 ? 'approved' : 'denied');
			pollsBeforeEnd.set(id, listPollTimes(sandbox, id).length);
		}
		// A restart must not shorten the interval either.
		await host.restartProcess();
		await delay(MAX_TRANSIT_MS);
		const pollsBeforeRestart = new Map(allIds.map((id) => [id, listPollTimes(sandbox, id).length]));
		await host.start('init');
		await waitUntil(() => host.executions.length === 80);
		await delay(intervalSeconds * 1000 + 500);
		expect(host.executions).toHaveLength(80);
		for (const id of allIds) {
			for (const gapMs of listPollGapsMs(id))
				expect(gapMs).toBeGreaterThanOrEqual(intervalSeconds * 1000 - MAX_TRANSIT_MS);
			// The poll that finds the end is the last one; an end that was found too late to be saved is found again after the restart.
			expect(pollsBeforeRestart.get(id)! - pollsBeforeEnd.get(id)!).toBeLessThanOrEqual(1);
			expect(listPollTimes(sandbox, id).length - pollsBeforeRestart.get(id)!).toBeLessThanOrEqual(
				1,
			);
		}
	},
	60_000,
);

it('a trigger sends as many concurrent requests as its limit allows, and no more', async () => {
	const ids = await createApprovals(client, 30);
	sandbox.faultRules.add({ service: 'twoFactor', kind: 'slow', delayMs: 300 });
	const parameters = { ids, options: { checkEvery: 1, requestsAtATime: 4 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	let maxInFlight = 0;
	for (let sample = 0; sample < 100; sample++) {
		const inFlight = sandbox.requestLog
			.entries({ operationId: 'getApprovalRequest' })
			.filter(({ status }) => status === undefined).length;
		maxInFlight = Math.max(maxInFlight, inFlight);
		await delay(20);
	}
	expect(maxInFlight).toBe(4);
	// With more IDs than the limit allows, every ID is polled late, and none is skipped.
	await waitUntil(() => ids.every((id) => listPollTimes(sandbox, id).length >= 2));
	const pollCounts = ids.map((id) => listPollTimes(sandbox, id).length);
	expect(Math.max(...pollCounts) - Math.min(...pollCounts)).toBeLessThanOrEqual(1);
});

it('a trigger sends no request before Retry-After has passed', async () => {
	const ids = await createApprovals(client, 10);
	const parameters = { ids, options: { checkEvery: 1 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	await waitUntil(() => ids.every((id) => listPollTimes(sandbox, id).length >= 1));
	sandbox.faultRules.add({ service: 'twoFactor', kind: '429', retryAfter: 4, times: 1 });
	const findRejectedRequest = () =>
		sandbox.requestLog.entries().find(({ status }) => status === 429);
	await waitUntil(() => findRejectedRequest() !== undefined);
	const { at: rejectedAtMs } = findRejectedRequest()!;
	await delay(5000);
	const delaysMs = sandbox.requestLog
		.entries({ operationId: 'getApprovalRequest' })
		// Requests that were already in flight do not count.
		.filter((entry) => entry.at > rejectedAtMs + 200)
		.map((entry) => entry.at - rejectedAtMs);
	expect(Math.min(...delaysMs)).toBeGreaterThanOrEqual(4000);
	expect(host.failedExecutions).toEqual([]);
});
