// Protects watched IDs from a rejected credential and from outages: each is reported once, no ID is lost, no key is shown.
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { useNewSandboxPerTest } from '../../../support/sandbox';
import { sendJson, startToyServer } from '../../../support/toy';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = useNewSandboxPerTest({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => {
	await host.close();
});

const createTrigger = (ids: string[], overrides = {}) => {
	const parameters = { ids, options: { checkEvery: 1 }, ...overrides };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	return host;
};
const countPolls = () => sandbox.requestLog.count('twoFactor', 'getApprovalRequest');
const OTHER_KEY = 'another-key-0123456789';
/** The service's error code for an invalid API key. */
const INVALID_KEY = /60001/;
/** The service's error code for a suspended account. */
const SUSPENDED_ACCOUNT = /60060/;
/** A deadline of 5.4 seconds. */
const SHORT_DEADLINE = { checkEvery: 1, stopAfterHours: 0.0015 };

describe('a rejected credential', () => {
	it('fails the activation with a readable message that does not contain the key', async () => {
		createTrigger(await createApprovals(client, 3));
		host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
		const error = await host.start().catch((reason: Error) => reason);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(
				/Two-factor service: .*60001.*\. Check the credential\. Then publish the workflow again\.$/,
			) as string,
		});
		expect(JSON.stringify(error)).not.toContain(OTHER_KEY);
		// n8n tries a few times before it reports to the user, so every attempt must fail.
		await expect(host.start()).rejects.toThrow(INVALID_KEY);
		expect(host.emittedErrors).toEqual([]);
		const pollCountBefore = countPolls();
		await delay(1500);
		expect(countPolls()).toBe(pollCountBefore);
	});

	it('stops a running trigger with one emitError, and polling resumes once it is corrected', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger([], { acceptNewIds: true, acceptFromAnybody: true });
		await host.start();
		await host.post({ id, data: 'kept' });
		await waitUntil(() => countPolls() > 0);
		sandbox.demo.twoFactor.apiKey = OTHER_KEY;
		await waitUntil(() => host.emittedErrors.length === 1);
		expect(host.emittedErrors[0]!.message).toMatch(INVALID_KEY);
		const pollCountBefore = countPolls();
		await delay(1500);
		expect(countPolls()).toBe(pollCountBefore);
		expect((await host.post({ id: 'b' })).status).toBe(503);

		// n8n starts the trigger again with the static data of the activation, and gives up if the trigger fails again.
		await host.stop();
		await host.start('activate', '{}');
		decideApproval(sandbox, id, 'approved');
		await delay(5000);
		expect(countPolls() - pollCountBefore).toBeLessThanOrEqual(3);
		expect(host.emittedErrors).toHaveLength(1);

		// Once the credential is corrected in n8n, the trigger resumes without a restart.
		host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
		await waitUntil(() => host.executions.length === 1);
		expect(host.startedItemsById().get(id)).toMatchObject({ outcome: 'approved', data: 'kept' });
		expect(host.failedExecutions.length).toBeLessThanOrEqual(1);

		// Repeated rejections are not reported each time, since n8n runs the error workflow for each report; no ID is lost.
		const [laterId] = (await createApprovals(client, 1)) as [string];
		sandbox.demo.twoFactor.apiKey = 'one-more-key-0123456789';
		await host.post({ id: laterId });
		decideApproval(sandbox, laterId, 'denied');
		await delay(3000);
		expect(host.emittedErrors).toHaveLength(1);
		host.credentialData.twoFactorApi!.apiKey = 'one-more-key-0123456789';
		await waitUntil(() => host.executions.length === 2);
	});

	it('neither stops other IDs nor is reported if the service rejects it for one ID only', async () => {
		const service = await startToyServer();
		service.respondWith((request, response) => {
			const isRejected = request.url.endsWith('/odd');
			if (isRejected)
				sendJson(response, 403, { success: false, message: 'Forbidden by the gateway' });
			else {
				const uuid = request.url.split('/').at(-1);
				sendJson(response, 200, { success: true, approval_request: { uuid, status: 'pending' } });
			}
		});
		const countPollsOf = (id: string) =>
			service.requests.filter(({ url }) => url.endsWith(`/${id}`)).length;
		createTrigger(['a', 'b', 'odd']);
		host.credentialData.twoFactorApi!.baseUrl = service.url;
		await host.start('init');
		await waitUntil(() => countPollsOf('a') >= 8);
		expect([host.emittedErrors, host.failedExecutions]).toEqual([[], []]);
		expect(countPollsOf('odd')).toBeGreaterThan(0);
		expect(countPollsOf('odd')).toBeLessThan(countPollsOf('a'));
		await host.stop();
		await service.close();
	});

	it('is read again before it is reported, so that a key changed in n8n is used', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger([id]);
		await host.start();
		const { credentialReads } = host;
		sandbox.demo.twoFactor.apiKey = OTHER_KEY;
		host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
		decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === 1);
		expect(host.credentialReads).toBe(credentialReads + 1);
		expect([host.emittedErrors, host.failedExecutions]).toEqual([[], []]);
	});

	it('is also reported for a suspended account, although the status suggests a temporary failure', async () => {
		createTrigger(await createApprovals(client, 1));
		await host.start();
		client.changeSettings({ suspended: true });
		await waitUntil(() => host.emittedErrors.length === 1);
		expect(host.emittedErrors[0]!.message).toMatch(SUSPENDED_ACCOUNT);
	});
});

it('a trigger reads the credential once, not for every request', async () => {
	createTrigger(await createApprovals(client, 20));
	await host.start();
	await waitUntil(() => countPolls() > 50);
	expect(host.credentialReads).toBe(1);
});

describe('an unavailable service', () => {
	it('causes one failed execution, ends no ID, and is polled less and less often', async () => {
		const ids = await createApprovals(client, 5);
		createTrigger(ids);
		await host.start();
		await waitUntil(() => countPolls() > 5);
		sandbox.faultRules.add({ service: 'twoFactor', kind: '503' });
		const pollCountBefore = countPolls();
		await waitUntil(() => host.failedExecutions.length === 1);
		expect(host.failedExecutions[0]).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/two-factor service/i) as string,
			description: expect.stringMatching(/nothing is lost.*once/) as string,
		});
		await delay(6000);
		expect(countPolls() - pollCountBefore).toBeLessThanOrEqual(ids.length + 4);
		expect([host.failedExecutions.length, host.emittedErrors, host.executions]).toEqual([
			1,
			[],
			[],
		]);

		sandbox.faultRules.clear();
		for (const id of ids) decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === 5, undefined, 25_000);
		expect(host.failedExecutions).toHaveLength(1);
	}, 60_000);

	it.each(['drop', 'truncate', 'html', '429'] as const)(
		'does not end an ID after the fault %s',
		async (kind) => {
			const [id] = (await createApprovals(client, 1)) as [string];
			createTrigger([id]);
			sandbox.faultRules.add({ service: 'twoFactor', kind, times: 2 });
			await host.start();
			decideApproval(sandbox, id, 'approved');
			await waitUntil(() => host.executions.length === 1);
			expect(host.startedItemsById().get(id)).toMatchObject({ outcome: 'approved' });
			expect([host.failedExecutions, host.emittedErrors]).toEqual([[], []]);
		},
	);

	it('does not stop a trigger that starts together with n8n', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger([id]);
		sandbox.faultRules.add({ service: 'twoFactor', kind: 'drop', times: 1 });
		await host.start('init');
		decideApproval(sandbox, id, 'denied');
		await waitUntil(() => host.executions.length === 1);
	});

	it('causes output without the API key, even if its error message repeats the key', async () => {
		const service = await startToyServer();
		service.respondWith((request, response) => {
			const message = `Something broke near ${request.headers['x-twofactor-api-key']}`;
			sendJson(response, request.url.endsWith('/a') ? 500 : 400, { message });
		});
		createTrigger(['a', 'b'], { options: SHORT_DEADLINE });
		host.credentialData.twoFactorApi!.baseUrl = service.url;
		await host.start('init');
		await waitUntil(() => host.executions.length === 2);
		const outputAndState = JSON.stringify([host.executions, host.staticDataJson]);
		expect(outputAndState).toContain('Something broke near');
		expect(outputAndState).not.toContain(`${host.credentialData.twoFactorApi!.apiKey as string}`);
		await service.close();
	});

	it('ends no ID before its deadline if another server responds at the base URL', async () => {
		const otherServer = await startToyServer();
		otherServer.respondWith((request, response) => {
			if (request.url.endsWith('/a')) sendJson(response, 400, { message: 'What is this?' });
			else response.writeHead(307, { location: 'https://example.com/' }).end();
		});
		createTrigger(['a', 'b'], { options: SHORT_DEADLINE });
		host.credentialData.twoFactorApi!.baseUrl = otherServer.url;
		await host.start();
		await waitUntil(() => host.executions.length === 2);
		const { a, b } = Object.fromEntries(host.startedItemsById());
		const outcome = 'stillOutstanding';
		expect(a).toMatchObject({ outcome, trouble: expect.stringMatching(/What is this\?$/) });
		expect(b).toMatchObject({ outcome, trouble: expect.stringMatching(/redirects/) });
		await otherServer.close();
	});
});

describe('closing a trigger', () => {
	it('takes less than a second, can be repeated, and prevents further requests', async () => {
		createTrigger(await createApprovals(client, 30));
		const [response] = await host.start();
		await waitUntil(() => countPolls() > 10);
		sandbox.faultRules.add({ service: 'twoFactor', kind: 'slow', delayMs: 5000 });
		await delay(1200);
		const closedAtMs = Date.now();
		await response!.closeFunction!();
		await response!.closeFunction!();
		expect(Date.now() - closedAtMs).toBeLessThan(1000);
		await delay(100);
		const pollCountAtClose = countPolls();
		await delay(2500);
		expect(countPolls()).toBe(pollCountAtClose);
		expect([host.emittedErrors, host.failedExecutions]).toEqual([[], []]);
	});

	it('right after its start prevents any start of the workflow', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger([id]);
		await host.start();
		await host.stop();
		decideApproval(sandbox, id, 'approved');
		await delay(2000);
		expect(host.emitCalls).toBe(0);
	});
});
