import { approvalNode, Flow, recordingNode, Run, waitFor } from '../../../lab/drive/flows';
import type { FlowNode } from '../../../lab/drive/flows';
import { submitIds } from '../../../lab/drive/triggerWorkflows';
import type { Lab } from '../../../lab/lab';
import { unwrap } from '../../../lab/rest';

interface StoredWorkflow {
	nodes: FlowNode[];
	connections: object;
	versionId: string;
}

const WEBHOOK_ID = 'several-versions';
/** So long that no test depends on the speed of the machine. */
const TIMEOUT_MS = 240_000;

/** Returns the nodes of a version. Version 2 counts a denial as an error and polls less often. Each version marks its executions. */
const createNodes = (version: 1 | 2): FlowNode[] => [
	approvalNode('Ask', {
		message: `Version ${version}?`,
		options: version === 2 ? { errorOutcomes: ['denied'] } : {},
	}),
	recordingNode,
	{
		name: 'Decided',
		type: 'n8n-nodes-gatehouse.twoFactorTrigger',
		webhookId: WEBHOOK_ID,
		credentials: { twoFactorApi: {} },
		parameters: {
			acceptNewIds: true,
			acceptFromAnybody: true,
			path: 'watch',
			options: { checkEvery: version },
		},
	},
	{
		name: 'Mark',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			includeOtherFields: true,
			assignments: {
				assignments: [{ id: 'a', name: 'version', type: 'number', value: version }],
			},
			options: {},
		},
	},
];

/** A workflow with two published versions: a webhook that leads to a parked wait, and beside it a trigger. */
export class Versions {
	flow!: Flow;
	private firstVersion = '';

	constructor(
		private readonly lab: Lab,
		private readonly publicUrl: string,
	) {}

	/** Publishes version 1. */
	async open(): Promise<void> {
		// The wait and the trigger are separate chains.
		this.flow = await Flow.open(this.lab, createNodes(1), {}, {}, { Next: { main: [[]] } });
		this.firstVersion = (await this.readStoredWorkflow()).versionId;
	}

	/** Saves version 2 and publishes it. */
	async publishSecond(): Promise<void> {
		const { nodes, connections, versionId } = await this.readStoredWorkflow();
		const newParameters = new Map(createNodes(2).map(({ name, parameters }) => [name, parameters]));
		await this.lab.rest.patch(`/workflows/${this.flow.id}`, {
			nodes: nodes.map((node) => ({
				...node,
				parameters: newParameters.get(node.name) ?? node.parameters,
			})),
			connections,
			versionId,
		});
		await this.publish((await this.readStoredWorkflow()).versionId);
	}

	/** Publishes version 1 again, from the workflow's history. */
	async publishFirst(): Promise<void> {
		await this.publish(this.firstVersion);
	}

	/** Publishes a version and waits until n8n uses it: until then n8n 2.41.1 starts the previous version. */
	private async publish(versionId: string): Promise<void> {
		const address = `/workflows/${this.flow.id}`;
		await this.lab.rest.post(`${address}/activate`, { versionId });
		await waitFor(TIMEOUT_MS, async () => {
			const { data } = await this.lab.rest.get(`${address}/publication-status`);
			const { status, liveVersionId } = unwrap<{ status: string; liveVersionId: string }>(data);
			return status === 'published' && liveVersionId === versionId ? true : undefined;
		});
	}

	/** Submits IDs to the trigger at its public address. */
	async submit(ids: string[]): Promise<void> {
		const url = `${this.publicUrl}webhook/${WEBHOOK_ID}/watch`;
		await submitIds(url, ids, Date.now() + TIMEOUT_MS);
	}

	/** Returns the ID and the version of each execution that the trigger has started, as "ID version". */
	async readStarts(): Promise<string[]> {
		const filter = JSON.stringify({ workflowId: this.flow.id });
		const { data } = await this.lab.rest.get('/executions', { params: { filter, limit: 100 } });
		const { results } = unwrap<{ results: Array<{ id: string; mode: string }> }>(data);
		const markedItems = results
			.filter(({ mode }) => mode === 'trigger')
			.map(async ({ id }) => await new Run(this.lab, id).items('Mark'));
		return (await Promise.all(markedItems)).flat().map(({ id, version }) => `${id} ${version}`);
	}

	/** Waits until the trigger has started with these IDs. */
	async waitForStarts(...ids: string[]): Promise<void> {
		await waitFor(TIMEOUT_MS, async () => {
			const startedIds = (await this.readStarts()).map((start) => start.split(' ')[0]);
			return ids.every((id) => startedIds.includes(id)) ? true : undefined;
		});
	}

	private async readStoredWorkflow(): Promise<StoredWorkflow> {
		return unwrap<StoredWorkflow>((await this.lab.rest.get(`/workflows/${this.flow.id}`)).data);
	}
}
