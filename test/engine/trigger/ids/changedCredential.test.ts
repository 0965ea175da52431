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
const countPolls = () => sandbox.requestLog.count('twoFactor', 'getApprovalRequest');

async function startWatching(count: number, overrides = {}): Promise<string[]> {
	const ids = await createApprovals(client, count);
	const parameters = { ids, options: { checkEvery: 1 }, ...overrides };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	await waitUntil(() => countPolls() > 0);
	return ids;
}

/** Advances the monotonic clock by a minute, and by another one with each call of the returned function. */
function passMinute(): () => void {
	const originalNow = performance.now.bind(performance);
	let aheadMs = 60_000;
	jest.spyOn(performance, 'now').mockImplementation(() => originalNow() + aheadMs);
	return () => void (aheadMs += 60_000);
}

describe('an API key that is replaced by a wrong one while the trigger runs', () => {
	it.each([1, 20])(
		'is reported once as a rejected credential (%s IDs)',
		async (count) => {
			const ids = await startWatching(count);
			host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
			passMinute();
			await waitUntil(
				() => host.emittedErrors.length === 1,
				() => host.failedExecutions,
			);
			expect(host.emittedErrors[0]).toMatchObject({
				message: expect.stringMatching(/60001/) as string,
				description: expect.stringMatching(/Check the credential/) as string,
			});
			await host.stop();
			await host.start('activate');
			host.credentialData.twoFactorApi!.apiKey = sandbox.demo.twoFactor.apiKey;
			for (const id of ids) decideApproval(sandbox, id, 'approved');
			await waitUntil(() => host.executions.length === count, undefined, 30_000);
			expect(host.emittedErrors).toHaveLength(1);
		},
		60_000,
	);

	it('is reported even if the service rejected the previous one as well', async () => {
		await startWatching(3);
		sandbox.demo.twoFactor.apiKey = 'the right one now';
		host.credentialData.twoFactorApi!.apiKey = OTHER_KEY;
		await waitUntil(
			() => host.emittedErrors.length === 1,
			() => host.failedExecutions.map(({ message }) => message),
		);
		expect(host.emittedErrors[0]!.message).toMatch(/60001/);
		expect(host.failedExecutions).toEqual([]);
	});

	it.each(['kéy ✓ with letters that no header can carry', 'a line\nand another'])(
		'is reported even if it cannot be sent: %j',
		async (apiKey) => {
			await startWatching(2);
			host.credentialData.twoFactorApi!.apiKey = apiKey;
			passMinute();
			await waitUntil(
				() => host.emittedErrors.length === 1,
				() => host.failedExecutions.map((error) => error.message),
			);
			expect(JSON.stringify(host.emittedErrors[0])).not.toContain(apiKey);
		},
		30_000,
	);

	it('is reported as rejected, not as an unavailable service, if it happens again', async () => {
		const [id] = (await startWatching(1)) as [string];
		const right = sandbox.demo.twoFactor.apiKey;
		sandbox.demo.twoFactor.apiKey = OTHER_KEY;
		await waitUntil(() => host.emittedErrors.length === 1);
		// n8n starts it again, and it is mended; then it is changed once more.
		await host.stop();
		sandbox.demo.twoFactor.apiKey = right;
		await host.start('activate');
		const before = countPolls();
		await waitUntil(() => countPolls() >= before + 2);
		sandbox.demo.twoFactor.apiKey = OTHER_KEY;
		await waitUntil(() => host.failedExecutions.length === 1, undefined, 30_000);
		expect(host.failedExecutions[0]).toMatchObject({
			message: expect.stringMatching(/60001/) as string,
			description: expect.stringMatching(/Check the credential/) as string,
		});
		expect(host.emittedErrors).toHaveLength(1);
		sandbox.demo.twoFactor.apiKey = right;
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
	it('is used for a minute at most and reported once; polling resumes when it is back', async () => {
		const ids = await startWatching(5, { acceptNewIds: true, acceptFromAnybody: true });
		host.credentialReadError = new CredentialNotFoundError();
		const minute = passMinute();
		await waitUntil(
			() => host.emittedErrors.length === 1,
			() => host.failedExecutions,
		);
		expect(host.emittedErrors[0]).toMatchObject({
			message: expect.stringMatching(/credential .*no longer exists/) as string,
			description: expect.stringMatching(/nothing is lost/) as string,
		});
		const before = countPolls();
		expect((await host.post({ id: 'b' })).status).toBe(503);

		// n8n starts it again, and would give it up if that failed.
		await host.stop();
		await host.start('activate');
		await delay(1500);
		expect((await host.post({ id: 'b' })).status).toBe(503);
		expect(countPolls()).toBe(before);
		expect(host.emittedErrors).toHaveLength(1);

		host.credentialReadError = undefined;
		minute();
		for (const id of ids) decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === ids.length, undefined, 30_000);
	}, 60_000);

	it('prevents the start of a trigger for which it was not reported', async () => {
		host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters: { ids: 'a' } }]);
		host.credentialReadError = new CredentialNotFoundError();
		await expect(host.start()).rejects.toThrow(/does not exist/);
	});

	it('differs from a failing database, during which polling continues', async () => {
		const [id] = (await startWatching(1)) as [string];
		host.credentialReadError = new Error('SQLITE_BUSY: database is locked');
		const { credentialReads } = host;
		passMinute();
		await waitUntil(() => host.credentialReads > credentialReads);
		const before = countPolls();
		await waitUntil(() => countPolls() > before + 1);
		decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === 1);
		expect([host.emittedErrors, host.failedExecutions]).toEqual([[], []]);
	});
});
