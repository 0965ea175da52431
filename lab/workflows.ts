import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import type { LabCredential } from './credentials';
import { LabError } from './errors';
import { unwrap } from './rest';
import type { RestClient } from './rest';

/** The parts of a workflow's JSON file that the lab reads. */
export interface WorkflowFile {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[key: string]: unknown;
}

interface WorkflowNode {
	name: string;
	type: string;
	parameters?: object;
	credentials?: Record<string, { id?: string; name?: string }>;
	disabled?: boolean;
	[key: string]: unknown;
}

export interface LabWorkflow {
	id: string;
	name: string;
	versionId: string;
	active: boolean;
}

/** n8n's own state of a stored workflow. */
interface StoredWorkflow {
	isArchived?: boolean;
	activeVersionId?: string | null;
}

/** Replaces each reference to a credential type of the pack with the lab's credential of that type. */
export function withCredentials(
	workflow: WorkflowFile,
	credentials: LabCredential[],
): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		if (!node.credentials) return node;
		const replacedCredentials = Object.entries(node.credentials).map(([type, reference]) => {
			const labCredential = credentials.find((credential) => credential.type === type);
			return [type, labCredential ? { id: labCredential.id, name: labCredential.name } : reference];
		});
		return {
			...node,
			credentials: Object.fromEntries(replacedCredentials) as typeof node.credentials,
		};
	});
	return { ...workflow, nodes };
}

/** Matches an address of the sandbox's pages with any port. */
const SANDBOX_LINK = /http:\/\/127\.0\.0\.1:\d+(?=\/(?:phones?|desk)\b|\/?\))/g;

/** Points the links in sticky notes at the running sandbox. */
export function withLinks(workflow: WorkflowFile, sandboxUrl: string): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		const { content } = (node.parameters ?? {}) as { content?: unknown };
		if (!node.type.endsWith('.stickyNote') || typeof content !== 'string') return node;
		const linkedContent = content.replaceAll(SANDBOX_LINK, sandboxUrl);
		return { ...node, parameters: { ...node.parameters, content: linkedContent } };
	});
	return { ...workflow, nodes };
}

/** Returns an ID derived from the file's name only, so that a second start finds the workflow of the first. */
export function deriveWorkflowId(file: string): string {
	return createHash('sha256')
		.update(path.basename(file))
		.digest('base64url')
		.replaceAll(/[-_]/g, '0')
		.slice(0, 16);
}

/** Creates a workflow from its JSON, with the lab's credentials filled in. */
export async function createWorkflow(
	rest: RestClient,
	workflow: WorkflowFile,
	credentials: LabCredential[],
	id?: string,
): Promise<LabWorkflow> {
	const {
		name,
		nodes,
		connections,
		settings = {},
		pinData,
		meta,
	} = withCredentials(workflow, credentials);
	// n8n 1 requires `active`.
	const body = { id, name, nodes, connections, settings, pinData, meta, active: false };
	const { data } = await rest.post('/workflows', body);
	return unwrap<LabWorkflow>(data);
}

/** Publishes the workflow, which starts its triggers. */
export async function activateWorkflow(rest: RestClient, id: string): Promise<void> {
	const { versionId } = unwrap<LabWorkflow>((await rest.get(`/workflows/${id}`)).data);
	await rest.post(`/workflows/${id}/activate`, { versionId });
}

/** Stops the workflow's triggers. */
export async function deactivateWorkflow(rest: RestClient, id: string): Promise<void> {
	await rest.post(`/workflows/${id}/deactivate`, {});
}

/** Whether the workflow has an enabled trigger that needs activation. */
export function startsAutomatically({ nodes }: WorkflowFile): boolean {
	const TRIGGER_WITHOUT_ACTIVATION =
		/\.(manualTrigger|executeWorkflowTrigger|errorTrigger|evaluationTrigger)$/;
	return nodes.some(
		({ type, disabled }) =>
			!disabled &&
			/trigger$|\.(webhook|cron|interval)$/i.test(type) &&
			!TRIGGER_WITHOUT_ACTIVATION.test(type),
	);
}

/** Updates the links in an example of an earlier start to the running sandbox. */
async function updateLinks(rest: RestClient, id: string, sandboxUrl: string): Promise<void> {
	const stored = unwrap<WorkflowFile & LabWorkflow & StoredWorkflow>(
		(await rest.get(`/workflows/${id}`)).data,
	);
	const { nodes } = withLinks(stored, sandboxUrl);
	// n8n rejects changes to archived workflows.
	if (stored.isArchived || JSON.stringify(nodes) === JSON.stringify(stored.nodes)) return;
	await rest.patch(`/workflows/${id}`, { nodes, versionId: stored.versionId });
	// Do not publish changes that the user has not published yet.
	const isFullyPublished = stored.activeVersionId === stored.versionId;
	if (stored.active && isFullyPublished) await activateWorkflow(rest, id);
}

/**
 * Imports every example of a folder that n8n does not have yet, and activates those with triggers. Updates the links in the
 * examples that n8n already has.
 */
export async function importExamples(
	rest: RestClient,
	folder: string,
	credentials: LabCredential[],
	sandboxUrl: string,
): Promise<LabWorkflow[]> {
	const files = await readdir(folder).catch(() => [] as string[]);
	const workflows: LabWorkflow[] = [];
	for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
		const id = deriveWorkflowId(file);
		const workflow = await readWorkflow(path.join(folder, file));
		const { exists } = unwrap<{ exists: boolean }>(
			(await rest.get(`/workflows/${id}/exists`)).data,
		);
		if (exists) await updateLinks(rest, id, sandboxUrl);
		else {
			await createWorkflow(rest, withLinks(workflow, sandboxUrl), credentials, id);
			if (startsAutomatically(workflow)) await activateWorkflow(rest, id);
		}
		workflows.push(unwrap<LabWorkflow>((await rest.get(`/workflows/${id}`)).data));
	}
	return workflows;
}

export async function readWorkflow(file: string): Promise<WorkflowFile> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as WorkflowFile;
	} catch (error) {
		throw new LabError(`${file} is not a workflow: ${(error as Error).message}`);
	}
}
