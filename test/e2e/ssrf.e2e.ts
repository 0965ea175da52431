// Protects users of n8n's SSRF protection: a blocked request is reported as not sent, with the settings that allow it.
import axios from 'axios';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';

const pack = 'n8n-nodes-gatehouse';
const BLOCKED = /SSRF protection blocked the request to the two-factor service: nothing was sent/;
const ALLOW_SETTINGS = /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_ALLOWED_IP_RANGES/;

/** n8n's SSRF protection blocks loopback, where the sandbox runs. */
describe('an n8n with its SSRF protection on', () => {
	let userFolder: string;
	let lab: Lab;

	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-ssrf-'));
		lab = await startLab({ userFolder, env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	const createNode = (name: string, type: string, parameters: object, typeVersion = 1) => ({
		id: `ssrf-${name}`,
		// Without one, n8n puts the workflow's ID before the path of a webhook.
		webhookId: `ssrf-${name}`,
		name,
		type,
		typeVersion,
		parameters,
		position: [0, 0] as [number, number],
		credentials: type.startsWith(pack) ? { twoFactorApi: { id: '', name: '' } } : undefined,
	});

	/** Calls a webhook, which n8n registers a moment after the workflow was activated. */
	const callWhenRegistered = async (url: string): Promise<void> => {
		for (let tries = 0; tries < 120; tries++) {
			const { status } = await axios.post(url, {}, { validateStatus: () => true });
			if (status !== 404) return;
			await delay(500);
		}
		throw new Error('The webhook was not registered');
	};

	/** Reads n8n's stored data of the first failed execution of a workflow. */
	const readFailure = async (workflowId: string): Promise<string> => {
		for (let tries = 0; tries < 120; tries++) {
			const filter = JSON.stringify({ workflowId, status: ['error'] });
			const { data } = await lab.rest.get('/executions', { params: { filter } });
			const [failedExecution] = unwrap<{ results: Array<{ id: string }> }>(data).results;
			if (failedExecution)
				return JSON.stringify((await lab.rest.get(`/executions/${failedExecution.id}`)).data);
			await delay(500);
		}
		throw new Error('No execution has failed');
	};

	test('reports in an operation, a credential test and a trigger that nothing was sent', async () => {
		const nodes = [
			createNode('Webhook', 'n8n-nodes-base.webhook', { path: 'ssrf', httpMethod: 'POST' }, 2),
			createNode('Ask', `${pack}.twoFactor`, {
				resource: 'approvalRequest',
				operation: 'create',
				twofactorId: '100001',
				message: 'Refund 5?',
			}),
		];
		const connections = { Webhook: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } };
		const askingWorkflow = await createWorkflow(
			lab.rest,
			{ name: 'Asking', nodes, connections },
			lab.credentials,
		);
		await activateWorkflow(lab.rest, askingWorkflow.id);
		await callWhenRegistered(`${lab.n8nUrl}/webhook/ssrf`);
		const operationFailure = await readFailure(askingWorkflow.id);
		expect(operationFailure).toMatch(BLOCKED);
		expect(operationFailure).toMatch(ALLOW_SETTINGS);
		expect(operationFailure).not.toMatch(/unclear whether|tried \d times/);

		const watchingWorkflow = await createWorkflow(
			lab.rest,
			{
				name: 'Watching',
				nodes: [
					createNode('Trigger', `${pack}.twoFactorTrigger`, {
						ids: 'an-id',
						options: { checkEvery: 1 },
					}),
				],
				connections: {},
			},
			lab.credentials,
		);
		await activateWorkflow(lab.rest, watchingWorkflow.id);
		const triggerFailure = await readFailure(watchingWorkflow.id);
		expect(triggerFailure).toMatch(BLOCKED);
		expect(triggerFailure).toMatch(ALLOW_SETTINGS);

		const credential = lab.credentials.find(({ type }) => type === 'twoFactorApi')!;
		const data = lab.sandbox.credentials.twoFactorApi!;
		const testResponse = await lab.rest.post('/credentials/test', {
			credentials: { id: credential.id, name: credential.name, type: credential.type, data },
		});
		expect(JSON.stringify(testResponse.data)).toMatch(BLOCKED);
		expect(JSON.stringify(testResponse.data)).toMatch(ALLOW_SETTINGS);
		expect(lab.sandbox.requestLog.entries()).toEqual([]);
	});
});
