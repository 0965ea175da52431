// Protects users who test, rename or publish a trigger, or correct its credential: no ID is lost, and each starts once.
import axios from 'axios';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals, createJobs } from '../../lab/drive/approvalsAndJobs';
import { readExecutions, submitIds } from '../../lab/drive/triggerWorkflows';
import type { StartedExecution } from '../../lab/drive/triggerWorkflows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { activateWorkflow, createWorkflow, deactivateWorkflow } from '../../lab/workflows';
import { PasswordlessIdentityClient } from '../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { buildApprovalFlow } from './support/flows';

describe('a trigger in a real n8n', () => {
	let userFolder: string;
	let lab: Lab;
	let client: TwoFactorClient;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-life-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
		client = new TwoFactorClient(lab.sandbox);
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	let workflowCount = 0;
	/** Creates a workflow that consists of a trigger. */
	const createTrigger = async (
		parameters: object,
		kind: 'twoFactor' | 'passwordlessIdentity' = 'twoFactor',
	) => {
		const webhookId = `life-${++workflowCount}`;
		const trigger = {
			id: `33333333-0000-4000-8000-00000000000${workflowCount}`,
			name: 'Finished',
			type: `n8n-nodes-gatehouse.${kind}Trigger`,
			typeVersion: 1,
			position: [0, 0],
			webhookId,
			credentials: { [`${kind}Api`]: {} },
			parameters: { options: { checkEvery: 1 }, path: 'watch', ...parameters },
		};
		const { id } = await createWorkflow(
			lab.rest,
			{ name: `Life ${workflowCount}`, nodes: [trigger], connections: {}, settings: {} },
			lab.credentials,
		);
		const url = (prefix: string) => `${lab.n8nUrl}/${prefix}/${webhookId}/watch`;
		return { id, liveUrl: url('webhook'), testUrl: url('webhook-test') };
	};
	const newDeadline = () => Date.now() + 60_000;
	const waitForStarts = async (workflow: string, count: number): Promise<StartedExecution[]> => {
		for (const deadline = newDeadline(); Date.now() < deadline; await delay(300)) {
			const executions = await readExecutions(lab, workflow);
			if (executions.length >= count && executions.every(({ status }) => status !== 'running'))
				return executions;
		}
		throw new Error(`${workflow} was not started`);
	};

	describe('that is tested by hand', () => {
		const runByHand = async (workflow: string, name = 'Finished') =>
			unwrap<{ waitingForWebhook?: boolean; executionId?: string }>(
				(
					await lab.rest.post(`/workflows/${workflow}/run`, {
						triggerToStartFrom: { name },
					})
				).data,
			);
		const postTo = async (url: string, body?: object, headers = {}) =>
			await axios.post(url, body, { headers, proxy: false, validateStatus: () => true });

		test('waits for the entered ID if its webhook is off', async () => {
			const [uuid] = await createApprovals(client, 1);
			const { id } = await createTrigger({ ids: uuid, acceptNewIds: false });
			expect(await runByHand(id)).toHaveProperty('executionId');
			await delay(2500);
			decideApproval(lab.sandbox, uuid!, 'denied');
			expect(await waitForStarts(id, 1)).toMatchObject([
				{ status: 'success', id: uuid, outcome: 'denied' },
			]);
		});

		test('accepts an ID that is posted to the test URL if its webhook is on', async () => {
			const [job] = await createJobs(new PasswordlessIdentityClient(lab.sandbox), 1);
			const { id, testUrl: url } = await createTrigger(
				{ acceptNewIds: true, acceptFromAnybody: true },
				'passwordlessIdentity',
			);
			expect(await runByHand(id)).toEqual({ waitingForWebhook: true });
			// The trigger still listens after a rejected request.
			expect((await postTo(url, { nothing: 1 })).status).toBe(400);
			const origin = 'https://elsewhere.example';
			expect((await postTo(url, { id: job }, { origin })).status).toBe(403);
			const { status, data } = await postTo(url, { id: job, data: { order: 7 } });
			expect([status, data]).toEqual([200, { test: true, watched: 1 }]);
			await lab.sandbox.control('passwordlessIdentity', 'approve', { job });
			expect(await waitForStarts(id, 1)).toMatchObject([
				{ status: 'success', id: job, outcome: 'completed' },
			]);
		});

		test('polls the entered ID without a POST if its webhook is on', async () => {
			const [uuid] = await createApprovals(client, 1);
			const { id } = await createTrigger({ ids: uuid });
			expect(await runByHand(id)).toHaveProperty('executionId');
			decideApproval(lab.sandbox, uuid!, 'approved');
			expect(await waitForStarts(id, 1)).toMatchObject([
				{ status: 'success', id: uuid, outcome: 'approved' },
			]);
		});

		test('keeps listening after the check by the Create operation, and accepts the new ID', async () => {
			const { id, testUrl: triggerUrl } = await createTrigger({});
			const question = 'May the trigger be tested?';
			const flow = buildApprovalFlow(lab.sandbox, question, { options: { triggerUrl } });
			const askingWorkflow = await createWorkflow(lab.rest, flow, lab.credentials);
			const listPushes = () =>
				lab.sandbox.requestLog
					.entries()
					.filter(
						({ method, path: requestPath }) =>
							method === 'POST' && requestPath.endsWith('/approval_requests'),
					);
			const countBefore = listPushes().length;
			await runByHand(askingWorkflow.id, 'Start');
			expect(await waitForStarts(askingWorkflow.id, 1)).toMatchObject([
				{ status: 'error', error: 'The trigger at this test URL is not listening' },
			]);
			// The failed run has sent no approval request.
			expect(listPushes()).toHaveLength(countBefore);
			expect(await runByHand(id)).toEqual({ waitingForWebhook: true });
			await runByHand(askingWorkflow.id, 'Start');
			const runs = (await waitForStarts(askingWorkflow.id, 2)).map(({ status }) => status);
			expect(runs.sort()).toEqual(['error', 'success']);
			expect(listPushes()).toHaveLength(countBefore + 1);
		});
	});

	test('continues if its node is renamed and the workflow published again', async () => {
		const [firstId, secondId] = (await createApprovals(client, 2)) as [string, string];
		const { id, liveUrl } = await createTrigger({ acceptNewIds: true, acceptFromAnybody: true });
		await activateWorkflow(lab.rest, id);
		await submitIds(liveUrl, [firstId, secondId], newDeadline());
		decideApproval(lab.sandbox, firstId, 'approved');
		await waitForStarts(id, 1);
		const { nodes, versionId } = unwrap<{ nodes: Array<{ name: string }>; versionId: string }>(
			(await lab.rest.get(`/workflows/${id}`)).data,
		);
		const renamed = nodes.map((node) => ({ ...node, name: 'Renamed' }));
		await lab.rest.patch(`/workflows/${id}`, { nodes: renamed, connections: {}, versionId });
		await activateWorkflow(lab.rest, id);
		decideApproval(lab.sandbox, secondId, 'denied');
		const startedItems = await waitForStarts(id, 2);
		await delay(3000);
		expect(await readExecutions(lab, id)).toHaveLength(2);
		expect(startedItems.map((start) => `${start.id} ${start.outcome}`).sort()).toEqual(
			[`${firstId} approved`, `${secondId} denied`].sort(),
		);
		await deactivateWorkflow(lab.rest, id);
	});

	describe('whose credential is rejected', () => {
		const countRequests = () => lab.sandbox.requestLog.count('twoFactor', 'getApprovalRequest');
		/** Changes the key in n8n. */
		const setKey = async (apiKey: string) => {
			const credential = lab.credentials.find(({ type }) => type === 'twoFactorApi')!;
			const { headerName } = lab.sandbox.demo.twoFactor;
			const data = { baseUrl: lab.sandbox.addresses.twoFactor, headerName, apiKey };
			await lab.rest.patch(`/credentials/${credential.id}`, { ...credential, data });
		};
		/** Changes the key that the service requires. */
		const requireKey = (apiKey: string) => {
			lab.sandbox.demo.twoFactor.apiKey = apiKey;
		};

		// n8n has two ways to restart a trigger. The older one uses the static data from the time of the activation.
		test.each([['true'], ['false']])(
			'loses no ID, and continues after the key is corrected (publication service: %s)',
			async (service) => {
				await lab.restart({ env: { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: service } });
				const { id, liveUrl } = await createTrigger({
					acceptNewIds: true,
					acceptFromAnybody: true,
				});
				await activateWorkflow(lab.rest, id);
				const [uuid] = (await createApprovals(client, 1)) as [string];
				await submitIds(liveUrl, [uuid], newDeadline());
				await delay(1500);

				requireKey(`key-of-${service}-0123456789`);
				decideApproval(lab.sandbox, uuid, 'approved');
				await delay(5000);
				const countBefore = countRequests();
				await delay(8000);
				expect(countRequests() - countBefore).toBeLessThanOrEqual(3);
				const failedExecutions = await readExecutions(lab, id);
				expect(failedExecutions.every(({ error }) => /60001/.test(`${error}`))).toBe(true);
				expect(failedExecutions.length).toBeLessThanOrEqual(1);

				await setKey(`key-of-${service}-0123456789`);
				const startedItems = await waitForStarts(id, failedExecutions.length + 1);
				expect(startedItems.find((start) => start.id === uuid)).toMatchObject({
					outcome: 'approved',
				});

				// A key that is changed in n8n and in the service does not stop a running trigger.
				const [laterId] = (await createApprovals(client, 1)) as [string];
				await submitIds(liveUrl, [laterId], newDeadline());
				await setKey(`next-key-of-${service}-0123456789`);
				requireKey(`next-key-of-${service}-0123456789`);
				decideApproval(lab.sandbox, laterId, 'denied');
				await waitForStarts(id, startedItems.length + 1);
				await deactivateWorkflow(lab.rest, id);
				const countAfterDeactivation = countRequests();
				await delay(3000);
				expect(countRequests()).toBe(countAfterDeactivation);
			},
			200_000,
		);

		test('fails the activation with the error of the service', async () => {
			requireKey('nobody-knows-0123456789');
			const [uuid] = (await createApprovals(client, 1)) as [string];
			const { id } = await createTrigger({ ids: uuid });
			const reason = await activateWorkflow(lab.rest, id).catch(
				(error: { response: { data: unknown } }) => JSON.stringify(error.response.data),
			);
			expect(reason).toMatch(/60001/);
		});
	});
});
