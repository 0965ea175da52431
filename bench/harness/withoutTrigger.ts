import type { FlowNode } from '../../lab/drive/flows';
import type { WorkflowFile } from '../../lab/workflows';
import { httpRequest, split } from './nodes';

/** Where approvals are asked for, and whom to tell of those that were decided. */
export interface Approvals {
	url: string;
	headers: Record<string, string>;
	seenUrl: string;
}

const check = ({ url, headers }: Approvals) =>
	httpRequest('Check', `=${url}/{{ $json.id }}`, { headers });

const isDecided: FlowNode = {
	name: 'If',
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { version: 2, typeValidation: 'loose', caseSensitive: true, leftValue: '' },
			combinator: 'and',
			conditions: [
				{
					id: 'decided',
					leftValue: '={{ $json.approval_request.status }}',
					rightValue: 'pending',
					operator: { type: 'string', operation: 'notEquals' },
				},
			],
		},
	},
};

const tell = ({ seenUrl }: Approvals) =>
	httpRequest('Seen', `=${seenUrl}/{{ $json.approval_request.uuid }}`, {});

/** One pass over the IDs that it is called with. */
export const pass = (approvals: Approvals): FlowNode[] => [
	split('body.ids'),
	check(approvals),
	// n8n answers with an error where nothing comes out in the end.
	{ ...isDecided, alwaysOutputData: true },
	tell(approvals),
];

/** What people build in place of a trigger: every few seconds all IDs are asked for. */
export function decided(ids: string[], approvals: Approvals, everyS: number): WorkflowFile {
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
		tell(approvals),
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
