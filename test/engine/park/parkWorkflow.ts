import { Workflow } from 'n8n-workflow';
import type { IConnections, IDataObject, IWorkflowSettings } from 'n8n-workflow';

import { TwoFactorApi } from '../../../credentials/TwoFactorApi.credentials';
import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { complete, connectTo, lookUp } from '../../support/workflow';
import type { Kit, TestNode } from '../../support/workflow';
import {
	asReview,
	asTool,
	openTriggers,
	recordingTool,
	ReviewedAgent,
} from '../review/reviewVariants';
import { nodesAround } from './nodes';
import type { Notes } from './nodes';
import type { Life } from './parkFreshPack';
import { SERVICE } from './parkService';

export interface HostOptions {
	settings?: IWorkflowSettings;
	/** Time after which n8n resumes parked executions to poll again. */
	lookAgainMs?: number;
	/** Whether executions have no ID, like those of MCP tools. */
	nameless?: boolean;
	/** Tools of the node named Agent. */
	tools?: TestNode[];
	/** Further triggers connected to the node named Ask. */
	others?: TestNode[];
	/** Tools that the node named Ask reviews. */
	guarded?: TestNode[];
}

interface KitOwner extends Notes {
	readonly life: Life;
	/** Input items of reviewed tools. */
	readonly ran: IDataObject[];
	/** Whether the credential was deleted. */
	readonly credentialDeleted: boolean;
}

/** Returns the node types of the owner's current process, with a credential that can be deleted. */
export function kitOf(owner: KitOwner): Kit {
	const { life, ran } = owner;
	// The message of n8n 2.41.1 (credentials-helper).
	const gone = 'Credential with ID "twoFactorApi" does not exist for type "twoFactorApi".';
	const credential = { baseUrl: SERVICE, apiKey: 'key-0123456789', headerName: 'Key' };
	const read = () => {
		if (owner.credentialDeleted) throw new Error(gone);
		return credential;
	};
	return {
		nodes: {
			...life.nodes,
			...nodesAround(owner),
			twoFactorTool: asTool(life.nodes.twoFactor),
			twoFactorHitlTool: asReview(life.nodes.twoFactor),
			...openTriggers,
			reviewedAgent: ReviewedAgent,
			eventRegistrationTool: asTool(EventRegistration),
			'test.recordingTool': recordingTool(ran),
		},
		credentials: [TwoFactorApi],
		secrets: Object.defineProperty({}, 'twoFactorApi', { get: read }),
	};
}

/** Returns a workflow of these nodes in a row, with the tools and further triggers of the options. */
export function workflowOf(kit: Kit, nodes: TestNode[], options: HostOptions): Workflow {
	const { tools = [], others = [], guarded = [] } = options;
	const connections: IConnections = Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, connectTo(name)]),
	);
	for (const { name } of tools) connections[name] = connectTo('Agent', 'ai_tool');
	for (const { name } of others) connections[name] = connectTo('Ask');
	for (const { name } of guarded) connections[name] = connectTo('Ask', 'ai_tool');
	return new Workflow({
		id: 'test',
		name: 'Test',
		active: true,
		nodes: [...nodes, ...tools, ...others, ...guarded].map((node, index) =>
			complete(node, index, kit),
		),
		connections,
		nodeTypes: {
			getByName: (name) => lookUp(kit, name),
			getByNameAndVersion: (name) => lookUp(kit, name),
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: 'UTC', ...options.settings },
	});
}
