// Protects users who restore n8n's database: with Start From Now, IDs that ended before start nothing, and are reported.
import { setTimeout as delay } from 'node:timers/promises';

import {
	createApprovals,
	createJobs,
	decideApproval,
	listPollTimes,
} from '../../../../lab/drive/approvalsAndJobs';
import { PasswordlessIdentityClient } from '../../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';
import type { IdTriggerName } from '../support/host';
import { backUpDatabase, setStartFromNow } from '../support/restoreBackup';

useAcceleratedTime();

const TWO_HOURS_MS = 2 * 3_600_000;
const sandbox = shareSandbox({ registrations: 1 });
const twoFactor = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => await host.close());

const services: Record<
	IdTriggerName,
	{ create(count: number): Promise<string[]>; answer(id: string): void }
> = {
	twoFactorTrigger: {
		create: async (count) => await createApprovals(twoFactor, count),
		answer: (id) => decideApproval(sandbox, id, 'approved'),
	},
	passwordlessIdentityTrigger: {
		create: async (count) => await createJobs(new PasswordlessIdentityClient(sandbox), count),
		answer: (id) => void sandbox.control('passwordlessIdentity', 'approve', { job: id }),
	},
};
const startedIds = () => host.executions.map(({ item }) => item.id).sort();

/**
 * Publishes a trigger with 11 IDs, copies the database, lets ten of them start the workflow, and restores the copy. Returns
 * these ten, and the one that is still outstanding.
 */
async function restoreAfterTenStarts(type: IdTriggerName, overrides = {}) {
	const [outstanding, ...ended] = (await services[type].create(11)) as [string, ...string[]];
	const parameters = { acceptFromAnybody: true, options: { checkEvery: 1, ...overrides } };
	host = new TriggerHost(sandbox, [{ type, parameters }]);
	await host.start();
	await host.post({ ids: [outstanding, ...ended] });
	await waitUntil(() => listPollTimes(sandbox, outstanding).length > 1);
	const restore = backUpDatabase(host);
	for (const id of ended) services[type].answer(id);
	await waitUntil(() => host.executions.length === 10);
	await restore();
	expect([host.executions, host.failedExecutions]).toEqual([[], []]);
	return { outstanding, ended: ended.sort() };
}

describe.each(Object.keys(services) as IdTriggerName[])('%s', (type) => {
	it('starts for none of ten IDs that ended before Start From Now, and for later ends', async () => {
		const { outstanding, ended } = await restoreAfterTenStarts(type);
		await delay(5000);
		setStartFromNow(host);
		await host.start();
		await waitUntil(() => host.failedExecutions.length === 1, undefined, 120_000);
		const [report] = host.failedExecutions as [Error & { description: string }];
		expect(report.message).toContain('10 IDs');
		for (const id of ended) expect(report.description).toContain(id);
		expect(report.description).not.toContain(outstanding);

		// The answer comes while n8n is off, after a restart in which nothing else was saved.
		await host.restartProcess();
		services[type].answer(outstanding);
		await delay(TWO_HOURS_MS / 4);
		await host.start('init');
		await waitUntil(() => host.executions.length === 1);
		expect(startedIds()).toEqual([outstanding]);

		// The operator submits one of the reported IDs, since its execution has not done its work.
		await host.post({ id: ended[0] });
		await waitUntil(() => host.executions.length === 2);
		await delay(70_000);
		expect(startedIds()).toEqual([ended[0], outstanding].sort());
		expect(host.failedExecutions).toHaveLength(1);
	});

	it('reports once, without the option, that the workflow starts for IDs that ended long ago', async () => {
		const { ended } = await restoreAfterTenStarts(type);
		await delay(TWO_HOURS_MS);
		await host.start('init');
		await waitUntil(() => host.failedExecutions.length === 1, undefined, 120_000);
		// An outstanding scope job times out meanwhile.
		expect(startedIds()).toEqual(expect.arrayContaining(ended));
		expect(host.failedExecutions[0]).toMatchObject({
			message: 'The workflow is started for 10 IDs that ended up to 2 hours ago',
			description: expect.stringContaining('Start From Now') as string,
		});
		const startCount = host.executions.length;
		await host.restartProcess();
		await host.start('init');
		await delay(70_000);
		expect(host.executions).toHaveLength(startCount);
		expect(host.failedExecutions).toHaveLength(1);
	});
});

it('IDs that were accepted after the copy are watched only once they are submitted again', async () => {
	const ids = await createApprovals(twoFactor, 6);
	const parameters = { acceptFromAnybody: true, options: { checkEvery: 1 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	const restore = backUpDatabase(host);
	await host.post({ ids });
	await restore();
	setStartFromNow(host);
	await host.start();
	for (const id of ids) decideApproval(sandbox, id, 'approved');
	await delay(70_000);
	expect([host.executions, host.failedExecutions]).toEqual([[], []]);
	await host.post({ ids });
	await waitUntil(() => host.executions.length === 6);
});

it('a start that was pending in the copy is not repeated, and reported with its ID', async () => {
	const [id] = (await createApprovals(twoFactor, 1)) as [string];
	const parameters = { ids: id, options: { checkEvery: 1 } };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	host.crashesBeforeNextStart = true;
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.staticDataJson.includes('requestedAt'));
	await host.restartProcess();
	host.crashesBeforeNextStart = false;
	setStartFromNow(host);
	for (let start = 0; start < 2; start++) {
		await host.start();
		await delay(70_000);
		await host.restartProcess();
	}
	expect(host.executions).toEqual([]);
	expect(host.failedExecutions).toHaveLength(1);
	expect(JSON.stringify(host.failedExecutions[0])).toContain(id);
});

it.each([
	['', /is empty/],
	['={{ $now }}', /must be a date/],
	['2099-01-01T00:00:00Z', /in the future/],
	['soon', /must be a date/],
])('Start From Now cannot be "%s"', async (startFrom, message) => {
	host = new TriggerHost(sandbox, [
		{ type: 'twoFactorTrigger', parameters: { options: { startFrom } } },
	]);
	await expect(host.start()).rejects.toThrow(message);
});
