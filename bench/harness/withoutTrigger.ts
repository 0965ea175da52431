import type { FlowNode } from '../../lab/drive/flows';
import type { WorkflowFile } from '../../lab/workflows';
import { httpRequest, ifNode, split } from './nodes';

/** Address and headers of the approval requests, and the URL that the workflow calls for each that is decided. */
export interface Approvals {
	url: string;
	headers: Record<string, string>;
	seenUrl: string;
}

const check = ({ url, headers }: Approvals) =>
	httpRequest('Check', `=${url}/{{ $json.id }}`, { headers });

const isDecided = ifNode({
	id: 'decided',
	leftValue: '={{ $json.approval_request.status }}',
	rightValue: 'pending',
	operator: { type: 'string', operation: 'notEquals' },
});

const callSeen = ({ seenUrl }: Approvals) =>
	httpRequest('Seen', `=${seenUrl}/{{ $json.approval_request.uuid }}`, {});

/** Polls each ID of the webhook's body once. */
export const pollOncePerId = (approvals: Approvals): FlowNode[] => [
	split('body.ids'),
	check(approvals),
	// n8n responds with an error if the last node outputs nothing.
	{ ...isDecided, alwaysOutputData: true },
	callSeen(approvals),
];

/** The workflow that users build without a trigger: a schedule that polls all IDs every few seconds. */
export function schedulePollingWorkflow(
	ids: string[],
	approvals: Approvals,
	everyS: number,
): WorkflowFile {
	const nodes: FlowNode[] = [
		{
			name: 'Schedule',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: everyS }] } },
		},
		{
			name: 'IDs',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ ids }), options: {} },
		},
		split('ids'),
		check(approvals),
		isDecided,
		callSeen(approvals),
	];
	const placed = nodes.map((node, index) => ({
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
		nodes: placed as WorkflowFile['nodes'],
		connections: Object.fromEntries(connections) as Record<string, unknown>,
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	};
}
