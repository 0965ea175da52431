// Protects the output of ID triggers: each ID ends with its outcome, and claims of another person are never output.
import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import {
	decideApproval,
	createApprovals,
	createJobs,
} from '../../../../lab/drive/approvalsAndJobs';
import {
	PasswordlessIdentityClient,
	newHolder,
	signToken,
} from '../../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';
import type { IdTriggerName } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
const issuer = new PasswordlessIdentityClient(sandbox);
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => {
	await host.close();
	sandbox.faultRules.clear();
});

/** A deadline of 3.6 seconds. */
const SHORT_DEADLINE = { checkEvery: 1, stopAfterHours: 0.001 };

const startTrigger = async (type: IdTriggerName, parameters = {}) => {
	const allParameters = { simplify: false, options: { checkEvery: 1 }, ...parameters };
	host = new TriggerHost(sandbox, [{ type, parameters: allParameters }]);
	await host.start();
};
const watchJobs = async (ids: string | string[], subject = '', overrides: INodeParameters = {}) =>
	await startTrigger('passwordlessIdentityTrigger', {
		ids: { rows: [{ ids, subject }] },
		...overrides,
	});
const readItem = (id: string | undefined) => host.startedItemsById().get(id);
const waitForStarts = async (count: number) =>
	await waitUntil(
		() => host.executions.length === count,
		() => host.executions,
	);

describe('approval requests', () => {
	it('end as approved, denied, expired or gone, each with the data of the service', async () => {
		const ids = await createApprovals(client, 3);
		const [approved, denied, expired] = ids as [string, string, string];
		await startTrigger('twoFactorTrigger', {
			ids: `${approved}, ${denied}\n${expired};no-such-request`,
		});
		const startedAtMs = Date.now();
		await delay(1500);
		decideApproval(sandbox, approved, 'approved');
		decideApproval(sandbox, denied, 'denied');
		sandbox.control('twoFactor', 'expire', { uuid: expired });
		await waitForStarts(4);
		const items = host.startedItemsById();
		for (const [outcome, id] of Object.entries({ approved, denied, expired })) {
			expect(items.get(id)).toMatchObject({
				id,
				uuid: id,
				outcome,
				status: outcome,
				message: 'Let me in?',
				seenOutstanding: true,
				data: {},
			});
		}
		expect(items.get('no-such-request')).toMatchObject({
			outcome: 'gone',
			seenOutstanding: false,
			polls: 3,
		});
		const { firstSeen, finishedAt, waitedSeconds, polls } = items.get(approved)!;
		expect(Date.parse(`${firstSeen}`)).toBeLessThanOrEqual(startedAtMs);
		expect(Date.parse(`${finishedAt}`) - Date.parse(`${firstSeen}`)).toBeGreaterThan(1500);
		expect(waitedSeconds).toBeGreaterThan(1.4);
		expect(polls).toBeGreaterThanOrEqual(2);
	});

	it('start the workflow for outcomes that an expression returns as a string', async () => {
		const [approved, denied] = (await createApprovals(client, 2)) as [string, string];
		const outcomes = "={{ 'approved, denied' }}";
		await startTrigger('twoFactorTrigger', { ids: [approved, denied], outcomes });
		decideApproval(sandbox, approved, 'approved');
		decideApproval(sandbox, denied, 'denied');
		await waitUntil(() => host.executions.length === 2);
	});

	it('start the workflow only with the outcomes that the user chose', async () => {
		const [approved, denied] = (await createApprovals(client, 2)) as [string, string];
		await startTrigger('twoFactorTrigger', { ids: [approved, denied], outcomes: ['denied'] });
		decideApproval(sandbox, approved, 'approved');
		await delay(2000);
		decideApproval(sandbox, denied, 'denied');
		await waitForStarts(1);
		await delay(1500);
		expect(host.executions.map(({ item }) => item.outcome)).toEqual(['denied']);
	});

	it('have selected fields in a fixed order with Simplify', async () => {
		const [id] = await createApprovals(client, 1);
		decideApproval(sandbox, id!, 'approved');
		await startTrigger('twoFactorTrigger', { ids: id, simplify: true });
		await waitForStarts(1);
		const fields = ['id', 'outcome', 'twofactor_id', 'message', 'details'];
		const addedFields = ['respondedAt', 'responder', 'data', 'finishedAt', 'waitedSeconds'];
		expect(Object.keys(readItem(id)!)).toEqual([...fields, ...addedFields]);
	});

	it('end as still outstanding at the deadline, with their current state', async () => {
		const [id] = await createApprovals(client, 1);
		await startTrigger('twoFactorTrigger', { ids: id, options: SHORT_DEADLINE });
		await waitForStarts(1);
		expect(readItem(id)).toMatchObject({ outcome: 'stillOutstanding', status: 'pending' });
		expect(readItem(id)!.waitedSeconds).toBeGreaterThanOrEqual(3.6);
	});

	it('output the problem of a service that did not respond before the deadline', async () => {
		const [id] = await createApprovals(client, 1);
		sandbox.faultRules.add({ service: 'twoFactor', operation: 'getApprovalRequest', kind: '503' });
		await startTrigger('twoFactorTrigger', { ids: id, options: SHORT_DEADLINE });
		await waitForStarts(1);
		expect(readItem(id)).toMatchObject({
			outcome: 'stillOutstanding',
			seenOutstanding: false,
			trouble: expect.stringMatching(/two-factor service/i) as string,
		});
	});
});

describe('scope jobs', () => {
	/** Creates a scope job that a new person has answered, and returns the job and the person. */
	async function createAnsweredJob() {
		const holder = newHolder();
		await issuer.register(holder);
		const job = await issuer.createJob({ sub: holder.fingerprint });
		const claims = { sub: holder.fingerprint, email: 'a@example.com' };
		await issuer.completeJob(job, signToken(claims, holder));
		return { job, holder };
	}

	it('end with the verified claims of the expected person', async () => {
		const { user } = sandbox.demo;
		const [job] = await createJobs(issuer, 1);
		await watchJobs(job!, user.fingerprint);
		await delay(1200);
		await sandbox.control('passwordlessIdentity', 'approve', { job });
		await waitForStarts(1);
		const item = readItem(job);
		expect(item).toMatchObject({
			id: job,
			outcome: 'completed',
			verified: true,
			subjectChecked: true,
			subject: user.fingerprint,
			claims: { sub: user.fingerprint, email: user.email },
			seenOutstanding: true,
		});
		expect(item).not.toHaveProperty('unverifiedClaims');
	});

	it('have selected fields in a fixed order with Simplify', async () => {
		const { user } = sandbox.demo;
		const [job] = await createJobs(issuer, 1);
		await sandbox.control('passwordlessIdentity', 'approve', { job });
		await watchJobs(job!, user.fingerprint, { simplify: true });
		await waitForStarts(1);
		const fields = ['id', 'outcome', 'verified', 'subjectChecked', 'claims'];
		const addedFields = ['data', 'finishedAt', 'waitedSeconds', 'token'];
		expect(Object.keys(readItem(job)!)).toEqual([...fields, ...addedFields]);
	});

	it.each([
		['cancelled', 'deny', {}],
		['timedOut', 'expire', {}],
		['gone', 'deny', { scopeCancelled: '404' }],
		['gone', 'expire', { scopeTimedOut: '410' }],
	])('end as %s after the action %s with the settings %j', async (outcome, action, settings) => {
		const [job] = await createJobs(issuer, 1);
		issuer.changeSettings(settings);
		await watchJobs(job!);
		await delay(1200);
		sandbox.control('passwordlessIdentity', action, { job });
		await waitForStarts(1);
		sandbox.reset();
		expect(readItem(job)).toMatchObject({ id: job, outcome, seenOutstanding: true });
		expect(readItem(job)).not.toHaveProperty('claims');
	});

	it('end as unverified without claims if another person answered', async () => {
		const [job] = await createJobs(issuer, 1);
		await watchJobs(job!, newHolder().fingerprint);
		await sandbox.control('passwordlessIdentity', 'approve', { job });
		await waitForStarts(1);
		const item = readItem(job)!;
		expect(item).toMatchObject({
			outcome: 'unverified',
			verified: false,
			reason: 'anotherSubject',
			message: expect.stringMatching(/not from the person who was asked/) as string,
		});
		for (const name of ['claims', 'unverifiedClaims', 'token', 'key']) {
			expect(item).not.toHaveProperty(name);
		}
		expect(JSON.stringify(item)).not.toContain(sandbox.demo.user.email);
	});

	it('end as unverified if the key was revoked', async () => {
		const { job, holder } = await createAnsweredJob();
		const keys = sandbox.control('passwordlessIdentity', 'keys') as Array<Record<string, string>>;
		const { secret } = keys.find(({ fingerprint }) => fingerprint === holder.fingerprint)!;
		await issuer.send('DELETE', `/key/${holder.fingerprint}?secret=${secret}`);
		await watchJobs(job);
		await waitForStarts(1);
		expect(readItem(job)).toMatchObject({ outcome: 'unverified', reason: 'revokedKey' });
	});

	it('end only once the key of the signature can be fetched', async () => {
		const { job } = await createAnsweredJob();
		sandbox.faultRules.add({
			service: 'passwordlessIdentity',
			operation: 'getKey',
			kind: '503',
			times: 2,
		});
		await watchJobs(job);
		await waitForStarts(1);
		expect(readItem(job)).toMatchObject({
			outcome: 'completed',
			verified: true,
			subjectChecked: false,
			claims: { email: 'a@example.com' },
		});
		expect(host.failedExecutions).toEqual([]);
	});

	it('output claims as unverified if verification is off', async () => {
		const [job] = await createJobs(issuer, 1);
		await watchJobs(job!, '', { options: { checkEvery: 1, verify: false } });
		await sandbox.control('passwordlessIdentity', 'approve', { job });
		await waitForStarts(1);
		const item = readItem(job)!;
		expect(item).toMatchObject({
			outcome: 'completed',
			verified: false,
			unverifiedClaims: { email: sandbox.demo.user.email },
		});
		expect(item).not.toHaveProperty('claims');
	});

	it('can be submitted with an expected person, who must be named by a fingerprint', async () => {
		const [job] = await createJobs(issuer, 1);
		await startTrigger('passwordlessIdentityTrigger', {
			acceptNewIds: true,
			acceptFromAnybody: true,
		});
		const { status, body } = await host.post({ id: job, subject: 'Robin' });
		expect([status, body.message]).toEqual([400, expect.stringMatching(/not a valid fingerprint/)]);
		const subject = newHolder().fingerprint;
		expect((await host.post({ id: job, subject })).status).toBe(200);
		await sandbox.control('passwordlessIdentity', 'approve', { job });
		await waitForStarts(1);
		expect(readItem(job)).toMatchObject({ outcome: 'unverified' });
	});

	it('can be entered in rows, each with several IDs and its own expected person', async () => {
		const { user } = sandbox.demo;
		const jobs = await createJobs(issuer, 3);
		await startTrigger('passwordlessIdentityTrigger', {
			ids: {
				rows: [
					{ ids: `${jobs[0]}, ${jobs[1]}`, subject: user.fingerprint },
					{ ids: jobs[2]!, subject: '' },
				],
			},
		});
		for (const job of jobs) await sandbox.control('passwordlessIdentity', 'approve', { job });
		await waitForStarts(3);
		const subjectChecks = jobs.map((job) => readItem(job)!.subjectChecked);
		expect(subjectChecks).toEqual([true, true, false]);
	});
});
