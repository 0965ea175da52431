// Protects reviewers of tool calls: the pack reads from n8n's request stack which call of which agent n8n would run.
import { requestedActions, runDataOf } from '../../../nodes/engine/n8n/agentStack';
import { runAgent } from './engine';

it("requestedActions finds the agent's requests in n8n's request stack while the tool runs", async () => {
	let found: unknown;
	let nodes: string[] = [];
	const { error } = await runAgent({ from: 'input' }, { city: 'Bern' }, async (context) => {
		found = requestedActions(context).map(({ requester, action }) => ({
			agent: requester.node.name,
			items: requester.data.main?.[0]?.map(({ json }) => json),
			id: action.id,
			nodeName: action.nodeName,
			hitl: action.metadata?.hitl,
		}));
		nodes = Object.keys(runDataOf(context));
		return [[{ json: { ok: true } }]];
	});
	expect(error).toBeUndefined();
	expect(found).toEqual([
		{
			agent: 'Agent',
			items: [{ from: 'input' }],
			id: 'call-1',
			nodeName: 'Tool',
			hitl: {
				gatedToolNodeName: 'Other',
				toolName: 'other',
				originalInput: { city: 'Bern' },
			},
		},
	]);
	expect(nodes).toContain('Start');
});
