import type { FlowNode } from '../../lab/drive/flows';
import type { WorkflowFile } from '../../lab/workflows';
import { createHttpRequestNode, createIfNode, createSplitNode } from './nodes';

/** Address and headers of the approval requests, and the URL that the workflow calls for each that is decided. */
export interface ApprovalService {
	url: string;
	headers: Record<string, string>;
	decisionUrl: string;
}

const createCheckNode = ({ url, headers }: ApprovalService) =>
	createHttpRequestNode('Check', `=${url}/{{ $json.id }}`, { headers });

const ifDecidedNode = createIfNode({
	id: 'decided',
	leftValue: '={{ $json.approval_request.status }}',
	rightValue: 'pending',
	operator: { type: 'string', operation: 'notEquals' },
});

const createReportNode = ({ decisionUrl }: ApprovalService) =>
	createHttpRequestNode('Seen', `=${decisionUrl}/{{ $json.approval_request.uuid }}`, {});

/** Polls each ID of the webhook's body once. */
export const createPollOnceNodes = (approvals: ApprovalService): FlowNode[] => [
	createSplitNode('body.ids'),
	createCheckNode(approvals),
	// n8n responds with an error if the last node outputs nothing.
	{ ...ifDecidedNode, alwaysOutputData: true },
	createReportNode(approvals),
];

/** The workflow that users build without a trigger: a schedule that polls all IDs every few seconds. */
export function createSchedulePollingWorkflow(
	ids: string[],
	approvals: ApprovalService,
	intervalSeconds: number,
): WorkflowFile {
	const nodes: FlowNode[] = [
		{
			name: 'Schedule',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: intervalSeconds }] } },
		},
		{
			name: 'IDs',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ ids }), options: {} },
		},
		createSplitNode('ids'),
		createCheckNode(approvals),
		ifDecidedNode,
		createReportNode(approvals),
	];
	const positionedNodes = nodes.map((node, index) => ({
		id: `node-${index}`,
		typeVersion: 1,
		position: [220 * index, 0],
		...node,
	}));
	const names = nodes.map(({ name }) => name);
	const connections = names
		.slice(1)
		.map((node, index) => [names[index]!, { main: [[{ node, type: 'main', index: 0 }]] }]);
	return {
		name: 'Watch without a trigger',
		nodes: positionedNodes as WorkflowFile['nodes'],
		connections: Object.fromEntries(connections) as Record<string, unknown>,
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	};
}
