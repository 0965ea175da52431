// Protects users of n8n 3's defaults and of a reverse proxy: the pack loads, and waits and triggers work by the public URL.
// A parked execution resumes in the version of the workflow that parked it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import packServices from '../../contracts/services.json';
import { decideApproval, createApprovals } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, listApprovalIds, waitFor } from '../../lab/drive/flows';
import type { Run } from '../../lab/drive/flows';
import { readExecutions } from '../../lab/drive/triggerWorkflows';
import type { StartedExecution } from '../../lab/drive/triggerWorkflows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { findFreePort } from '../../lab/ports';
import { fetchLoadedNodes } from '../../lab/registerPack';
import { unwrap } from '../../lab/rest';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { buildDecisionFlow } from './support/flows';
import { openReverseProxy } from './support/reverseProxy';
import type { ReverseProxy } from './support/reverseProxy';
import { openTraceCollector } from './support/traceCollector';
import type { TraceCollector } from './support/traceCollector';
import { Versions } from './support/versions';

type FourIds = [string, string, string, string];

const PACK = 'n8n-nodes-gatehouse';
const NODE = `${PACK}.twoFactor`;

/** So long that no test depends on the speed of the machine. */
const TIMEOUT_MS = 240_000;

/** Defaults of n8n 3.0, switched on in n8n 2.41.1, behind a reverse proxy with a base path. */
describe('an n8n with the settings of the next major version, behind a reverse proxy', () => {
	let userFolder: string;
	let proxy: ReverseProxy;
	let collector: TraceCollector;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-next-'));
		proxy = await openReverseProxy('/automation/');
		collector = await openTraceCollector();
		const port = await findFreePort();
		proxy.forwardTo(port);
		const env = {
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			N8N_OTEL_ENABLED: 'true',
			N8N_OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
			N8N_PATH: '/automation/',
			N8N_PROXY_HOPS: '1',
			N8N_EDITOR_BASE_URL: proxy.url,
			N8N_WEBHOOK_URL: proxy.url,
		};
		lab = await startLab({ port, userFolder, env });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await Promise.all([proxy.close(), collector.close()]);
		await rm(userFolder, { recursive: true, force: true });
	});

	/** Starts an execution and waits until it is parked; returns it with the ID of the request that it sent. */
	const park = async (flow: Flow): Promise<{ run: Run; uuid: string }> => {
		const idsBefore = listApprovalIds(lab);
		const run = await (await flow.start()).waitForStatus('waiting', TIMEOUT_MS);
		const [uuid, ...otherIds] = listApprovalIds(lab).filter((id) => !idsBefore.includes(id));
		expect(otherIds).toEqual([]);
		return { run, uuid: uuid! };
	};

	test('loads a pack that was installed by hand although unverified packages are disabled', async () => {
		const { data } = await lab.rest.get('/module-settings');
		expect(unwrap<object>(data)).toMatchObject({
			'community-packages': { unverifiedCommunityNodesEnabled: false },
		});
		const names = (await fetchLoadedNodes(lab.rest, PACK)).map(({ name }) => name);
		const services = Object.keys(packServices);
		const expectedNames = services.flatMap((name) => [`${PACK}.${name}`, `${PACK}.${name}Trigger`]);
		expect(names.sort()).toEqual(expectedNames.sort());
	});

	test.each([
		['Send and Wait', { operation: 'sendAndWait' }],
		['Create that waits', { operation: 'create', wait: true, waitLimit: 7200 }],
	])('resumes a parked %s through the public URL', async (_, parameters) => {
		const flow = await Flow.open(lab, [approvalNode('Ask', parameters), recordingNode]);
		const { run, uuid } = await park(flow);
		// After this time, n8n's timer would resume the execution without the webhook.
		const timerAt = await run.resumesAt();
		decideApproval(lab.sandbox, uuid, 'approved');
		await run.waitForStatus('success', timerAt - Date.now());
		expect(await run.items('Next')).toMatchObject([{ id: uuid, outcome: 'approved' }]);
		const resumePattern = new RegExp(`^POST /automation/webhook-waiting/${run.id}\\b\\S* 200$`);
		expect(proxy.servedRequests.filter((request) => resumePattern.test(request))).toHaveLength(1);
	});

	/** Publishes a workflow that starts when an approval request is decided, and returns its ID. */
	const openTrigger = async (name: string): Promise<string> => {
		const { id } = await createWorkflow(lab.rest, buildDecisionFlow(name, name), lab.credentials);
		await activateWorkflow(lab.rest, id);
		return id;
	};

	/** Returns the triggers that the list of the option 'Trigger' offers in the editor. */
	const listTriggers = async (): Promise<unknown[]> => {
		const { id, name } = lab.credentials.find(({ type }) => type === 'twoFactorApi')!;
		const { data } = await lab.rest.post('/dynamic-node-parameters/resource-locator-results', {
			path: 'parameters.options.triggerUrl',
			methodName: 'searchTriggers',
			nodeTypeAndVersion: { name: NODE, version: 1 },
			currentNodeParameters: {},
			credentials: { twoFactorApi: { id, name } },
		});
		return unwrap<{ results: unknown[] }>(data).results;
	};

	/** Creates an approval request in a workflow that submits its ID to a trigger; returns the ID. */
	const createApproval = async (triggerUrl: object): Promise<string> => {
		const parameters = { operation: 'create', options: { triggerUrl } };
		const flow = await Flow.open(lab, [approvalNode('Ask', parameters)]);
		const run = await (await flow.start()).waitForStatus('success', TIMEOUT_MS);
		const [item] = await run.items('Ask');
		expect(item).toMatchObject({ handedOver: true });
		return `${item!.id}`;
	};

	/** Waits for the only execution of a workflow, and returns its start item. */
	const waitForOnlyStart = async (workflow: string): Promise<StartedExecution> => {
		await waitFor(TIMEOUT_MS, async () =>
			(await readExecutions(lab, workflow)).find(({ status }) => status === 'success'),
		);
		const executions = await readExecutions(lab, workflow);
		expect(executions).toHaveLength(1);
		return executions[0]!;
	};

	test('lists a trigger with its public URL, and the trigger receives an ID that is sent to this URL', async () => {
		const trigger = await openTrigger('decided-in-public');
		const triggerUrl = `${proxy.url}webhook/decided-in-public/watch`;
		// n8n starts triggers shortly after it publishes a workflow.
		const triggers = await waitFor(TIMEOUT_MS, async () => {
			const found = await listTriggers();
			return found.length > 0 ? found : undefined;
		});
		const name = 'decided-in-public › Decided';
		const url = `${proxy.url}workflow/${trigger}`;
		expect(triggers).toEqual([{ name, value: triggerUrl, url }]);
		const uuid = await createApproval({ __rl: true, mode: 'list', value: triggerUrl });
		expect(proxy.servedRequests).toContain('POST /automation/webhook/decided-in-public/watch 200');
		decideApproval(lab.sandbox, uuid, 'denied');
		expect(await waitForOnlyStart(trigger)).toMatchObject({ id: uuid, outcome: 'denied' });
	});

	test('tests a trigger with an ID that is sent to its public test URL', async () => {
		const file = buildDecisionFlow('decided-in-test', 'decided-in-test');
		const { id } = await createWorkflow(lab.rest, file, lab.credentials);
		const { data } = await lab.rest.post(`/workflows/${id}/run`, {
			triggerToStartFrom: { name: 'Decided' },
		});
		expect(unwrap(data)).toEqual({ waitingForWebhook: true });
		const value = `${proxy.url}webhook-test/decided-in-test/watch`;
		const uuid = await createApproval({ __rl: true, mode: 'url', value });
		expect(proxy.servedRequests).toContain(
			'POST /automation/webhook-test/decided-in-test/watch 200',
		);
		decideApproval(lab.sandbox, uuid, 'approved');
		expect(await waitForOnlyStart(id)).toMatchObject({ id: uuid, outcome: 'approved' });
	});

	test('sends traces that contain the nodes of the pack', async () => {
		await waitFor(TIMEOUT_MS, async () => (collector.hasReceived(NODE) ? true : undefined));
	});

	test('resumes each execution in its own version, and starts once per ID in the published version', async () => {
		const client = new TwoFactorClient(lab.sandbox);
		const [first, second, third, fourth] = (await createApprovals(client, 4)) as FourIds;
		const versions = new Versions(lab, proxy.url);
		await versions.open();
		await versions.submit([first, second]);
		const parkedInVersion1 = await park(versions.flow);
		decideApproval(lab.sandbox, first, 'approved');
		await versions.waitForStarts(first);

		await versions.publishSecond();
		await versions.submit([third]);
		const parkedInVersion2 = await park(versions.flow);
		decideApproval(lab.sandbox, parkedInVersion1.uuid, 'denied');
		await parkedInVersion1.run.waitForStatus('success', TIMEOUT_MS);
		expect(await parkedInVersion1.run.items('Next')).toMatchObject([
			{ id: parkedInVersion1.uuid, outcome: 'denied' },
		]);
		expect(await parkedInVersion1.run.nodeRuns('Ask')).toHaveLength(1);
		for (const uuid of [second, third]) decideApproval(lab.sandbox, uuid, 'approved');
		await versions.waitForStarts(second, third);

		await versions.publishFirst();
		await versions.submit([fourth]);
		decideApproval(lab.sandbox, parkedInVersion2.uuid, 'denied');
		// Only version 2 counts a denial as an error.
		await parkedInVersion2.run.waitForStatus('error', TIMEOUT_MS);
		expect(await parkedInVersion2.run.items('Next')).toEqual([]);
		decideApproval(lab.sandbox, fourth, 'approved');
		await versions.waitForStarts(fourth);
		// A second start of an ID would come with one of the next polls.
		await delay(3000);
		expect((await versions.readStarts()).sort()).toEqual(
			[`${first} 1`, `${second} 2`, `${third} 2`, `${fourth} 1`].sort(),
		);
	});
});
