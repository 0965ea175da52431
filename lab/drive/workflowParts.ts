import type { LabCredential } from '../credentials';
import type { RestClient } from '../rest';
import { activateWorkflow, createWorkflow } from '../workflows';
import type { WorkflowFile } from '../workflows';

/** Returns the connections of a node whose only output leads to one other node. */
export const connectTo = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

/** Returns a node that waits for a second, so that a kill of n8n finds a running execution. */
export const oneSecondWaitNode = (webhookId: string) => ({
	id: '22222222-0000-4000-8000-000000000000',
	name: 'Work',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	position: [220, 0],
	webhookId,
	parameters: { resume: 'timeInterval', amount: 1, unit: 'seconds' },
});

/** Creates and activates a workflow, and returns its ID. */
export async function publishWorkflow(
	rest: RestClient,
	workflow: WorkflowFile,
	credentials: LabCredential[],
): Promise<string> {
	const settings = { executionOrder: 'v1', ...workflow.settings };
	const { id } = await createWorkflow(rest, { ...workflow, settings }, credentials);
	await activateWorkflow(rest, id);
	return id;
}
