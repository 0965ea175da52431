// Protects watched IDs when a credential is replaced or deleted in n8n: there is one report, and polling resumes afterwards.
import { UserError } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { useNewSandboxPerTest } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = useNewSandboxPerTest({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => {
	jest.restoreAllMocks();
	await host.close();
});

const OTHER_KEY = 'another-key-0123456789';
const MINUTE_MS = 60_000;
/** The service's error code for an invalid API key. */
const INVALID_KEY = /60001/;
const countPolls = () => sandbox.requestLog.count('twoFactor', 'getApprovalRequest');

/** Starts a trigger with new approval requests, and waits for its first poll. */
async function startWatching(idCount: number, overrides = {}): Promise<string[]> {
	const ids = await createApprovals(client, idCount);
	const parameters = { ids, options: { checkEvery: 1 }, ...overrides };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	await waitUntil(() => countPolls() > 0);
	return ids;
}

/** Advances the monotonic clock by a minute, and by another one with each call of the returned function. */
function advanceClockByMinute(): () => void {
	const originalNow = performance.now.bind(performance);
	let aheadMs = MINUTE_MS;
	jest.spyOn(performance, 'now').mockImplementation(() => originalNow() + aheadMs);
	return () => void (aheadMs += MINUTE_MS);
}

describe('an API key that is replaced by a wrong one while the trigger runs', () => {
	it.each([1, 20])(
		'is reported once as a rejected credential (%s IDs)',
		async (idCount) => {
			const ids = await startWatching(idCount);
			host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
			advanceClockByMinute();
			await waitUntil(
				() => host.emittedErrors.length === 1,
				() => host.failedExecutions,
			);
			expect(host.emittedErrors[0]).toMatchObject({
				message: expect.stringMatching(INVALID_KEY) as string,
				description: expect.stringMatching(/Check the credential/) as string,
			});
			await host.stop();
			await host.start('activate');
			host.credentialData.twoFactorApi!.apiKey = sandbox.demo.twoFactor.apiKey;
			for (const id of ids) decideApproval(sandbox, id, 'approved');
			await waitUntil(() => host.executions.length === idCount, undefined, 30_000);
			expect(host.emittedErrors).toHaveLength(1);
		},
		60_000,
	);

	it('is reported even if the service rejects the previous key, too', async () => {
		await startWatching(3);
		sandbox.demo.twoFactor.apiKey = 'the right one now';
		host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
		await waitUntil(
			() => host.emittedErrors.length === 1,
			() => host.failedExecutions.map(({ message }) => message),
		);
		expect(host.emittedErrors[0]!.message).toMatch(INVALID_KEY);
		expect(host.failedExecutions).toEqual([]);
	});

	it.each(['kéy ✓ with letters that no header can carry', 'a line\nand another'])(
		'is reported even if it cannot be sent: %j',
		async (apiKey) => {
			await startWatching(2);
			host.credentialData.twoFactorApi!.apiKey = apiKey;
			advanceClockByMinute();
			await waitUntil(
				() => host.emittedErrors.length === 1,
				() => host.failedExecutions.map((error) => error.message),
			);
			expect(JSON.stringify(host.emittedErrors[0])).not.toContain(apiKey);
		},
		30_000,
	);

	it('is reported as a rejected credential, not as an unavailable service, if it happens a second time', async () => {
		const [id] = (await startWatching(1)) as [string];
		const validKey = sandbox.demo.twoFactor.apiKey;
		sandbox.demo.twoFactor.apiKey = OTHER_KEY;
		await waitUntil(() => host.emittedErrors.length === 1);
		// The key is corrected, and n8n starts the trigger again; then the key is changed once more.
		await host.stop();
		sandbox.demo.twoFactor.apiKey = validKey;
		await host.start('activate');
		const pollCountBefore = countPolls();
		await waitUntil(() => countPolls() >= pollCountBefore + 2);
		sandbox.demo.twoFactor.apiKey = OTHER_KEY;
		await waitUntil(() => host.failedExecutions.length === 1, undefined, 30_000);
		expect(host.failedExecutions[0]).toMatchObject({
			message: expect.stringMatching(INVALID_KEY) as string,
			description: expect.stringMatching(/Check the credential/) as string,
		});
		expect(host.emittedErrors).toHaveLength(1);
		sandbox.demo.twoFactor.apiKey = validKey;
		decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === 1, undefined, 30_000);
	}, 90_000);
});

/** The error that n8n throws. n8n exports no class for it that a node could import. */
class CredentialNotFoundError extends UserError {
	constructor() {
		super('Credential with ID "1" does not exist for type "twoFactorApi".');
	}
}

describe('a credential that is deleted in n8n while the trigger runs', () => {
	it('is used for at most a minute and reported once; polling resumes when it exists again', async () => {
		const ids = await startWatching(5, { acceptNewIds: true, acceptFromAnybody: true });
		host.credentialReadError = new CredentialNotFoundError();
		const advanceByAnotherMinute = advanceClockByMinute();
		await waitUntil(
			() => host.emittedErrors.length === 1,
			() => host.failedExecutions,
		);
		expect(host.emittedErrors[0]).toMatchObject({
			message: expect.stringMatching(/credential .*no longer exists/) as string,
			description: expect.stringMatching(/nothing is lost/) as string,
		});
		const pollCountBefore = countPolls();
		expect((await host.post({ id: 'b' })).status).toBe(503);

		// n8n starts the trigger again, and would give up if that failed.
		await host.stop();
		await host.start('activate');
		await delay(1500);
		expect((await host.post({ id: 'b' })).status).toBe(503);
		expect(countPolls()).toBe(pollCountBefore);
		expect(host.emittedErrors).toHaveLength(1);

		host.credentialReadError = undefined;
		advanceByAnotherMinute();
		for (const id of ids) decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === ids.length, undefined, 30_000);
	}, 60_000);

	it('prevents the start of a trigger that has not reported the deletion before', async () => {
		host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters: { ids: 'a' } }]);
		host.credentialReadError = new CredentialNotFoundError();
		await expect(host.start()).rejects.toThrow(/does not exist/);
	});

	it('is not assumed while the database fails: polling continues', async () => {
		const [id] = (await startWatching(1)) as [string];
		host.credentialReadError = new Error('SQLITE_BUSY: database is locked');
		const { credentialReads } = host;
		advanceClockByMinute();
		await waitUntil(() => host.credentialReads > credentialReads);
		const pollCountBefore = countPolls();
		await waitUntil(() => countPolls() > pollCountBefore + 1);
		decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === 1);
		expect([host.emittedErrors, host.failedExecutions]).toEqual([[], []]);
	});
});
