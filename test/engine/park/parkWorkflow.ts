import { Workflow } from 'n8n-workflow';
import type { IConnections, IDataObject, IRun, IWorkflowSettings } from 'n8n-workflow';

import { TwoFactorApi } from '../../../credentials/TwoFactorApi.credentials';
import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { toStoredNode, connectTo, nodeTypeOf } from '../../support/workflow';
import type { NodeKit, TestNode } from '../../support/workflow';
import {
	asReview,
	asTool,
	n8nTools,
	openTriggers,
	recordingTool,
	ReviewedAgent,
} from '../review/reviewVariants';
import type { MemoryResponse } from './memoryHttp';
import { createSurroundingNodes } from './nodes';
import type { NodeRecords } from './nodes';
import type { PackProcess } from './packProcess';
import { SERVICE } from './parkService';

/** Options of the workflow and its process. */
export interface HostOptions {
	/** Settings of the workflow. */
	settings?: IWorkflowSettings;
	/** Time after which n8n resumes parked executions to poll again. */
	resumeAfterMs?: number;
	/** Whether executions have no ID, like those of MCP tools. */
	withoutExecutionId?: boolean;
	/** Tools of the node named Agent. */
	tools?: TestNode[];
	/** Further triggers connected to the node named Ask. */
	otherTriggers?: TestNode[];
	/** Tools that the node named Ask reviews. */
	reviewedTools?: TestNode[];
}

/** An execution as n8n's database stores it. */
export interface StoredExecution {
	id: string;
	status: 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	data: string;
	waitTill?: number;
	run?: IRun;
}

/** Returns n8n's response to the question whether it is ready; `undefined`: a proxy does not let the question pass. */
export const readinessResponse = (isReady: boolean | undefined): MemoryResponse =>
	isReady === undefined
		? { status: 404, body: 'Not found' }
		: { status: isReady ? 200 : 503, body: { status: isReady ? 'ok' : 'error' } };

/** The host whose node types a kit contains. */
interface KitOwner extends NodeRecords {
	readonly packProcess: PackProcess;
	/** Input items of reviewed tools. */
	readonly toolInputs: IDataObject[];
	/** Whether the credential was deleted. */
	readonly isCredentialDeleted: boolean;
	/** Key in the credential. */
	readonly apiKey: string;
	/** The people whom the credential names. */
	readonly people: string;
}

/** Returns the node types of the owner's current process, with a credential that can be deleted. */
export function buildKit(owner: KitOwner): NodeKit {
	const { packProcess, toolInputs } = owner;
	// The message of n8n 2.41.1 (credentials-helper).
	const deletedMessage =
		'Credential with ID "twoFactorApi" does not exist for type "twoFactorApi".';
	const readCredential = () => {
		if (owner.isCredentialDeleted) throw new Error(deletedMessage);
		return { baseUrl: SERVICE, apiKey: owner.apiKey, headerName: 'Key', people: owner.people };
	};
	return {
		nodes: {
			...packProcess.nodes,
			...createSurroundingNodes(owner),
			twoFactorTool: asTool(packProcess.nodes.twoFactor),
			twoFactorHitlTool: asReview(packProcess.nodes.twoFactor),
			...openTriggers,
			reviewedAgent: ReviewedAgent,
			eventRegistrationTool: asTool(EventRegistration),
			'test.recordingTool': recordingTool(toolInputs),
			...n8nTools(toolInputs),
		},
		credentials: [TwoFactorApi],
		credentialData: Object.defineProperty({}, 'twoFactorApi', { get: readCredential }),
	};
}

/** Returns a workflow of these nodes in a row, with the tools and further triggers of the options. */
export function buildWorkflow(kit: NodeKit, nodes: TestNode[], options: HostOptions): Workflow {
	const { tools = [], otherTriggers = [], reviewedTools = [] } = options;
	const connections: IConnections = Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, connectTo(name)]),
	);
	for (const { name } of tools) connections[name] = connectTo('Agent', 'ai_tool');
	for (const { name } of otherTriggers) connections[name] = connectTo('Ask');
	for (const { name } of reviewedTools) connections[name] = connectTo('Ask', 'ai_tool');
	return new Workflow({
		id: 'test',
		name: 'Test',
		active: true,
		nodes: [...nodes, ...tools, ...otherTriggers, ...reviewedTools].map((node, index) =>
			toStoredNode(node, index, kit),
		),
		connections,
		nodeTypes: {
			getByName: (name) => nodeTypeOf(kit, name),
			getByNameAndVersion: (name) => nodeTypeOf(kit, name),
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: 'UTC', ...options.settings },
	});
}
