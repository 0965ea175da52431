// Protects approvals from public triggers: the pack finds every node of the workflow, whether it is connected or not.
import { workflowNodes } from '../../../nodes/engine/n8n/workflowNodes';
import { connectTo, runWorkflow } from '../../support/workflow';
import { createKit, createNodeType } from './engine';

it('workflowNodes returns all nodes of a workflow, connected or not', async () => {
	let found: unknown;
	const InspectingNode = createNodeType(async (context) => {
		found = workflowNodes(context).map(({ name, parameters }) => [name, parameters.operation]);
		return [[]];
	});
	await runWorkflow(
		createKit({ look: InspectingNode }),
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Look', type: 'look', parameters: { operation: 'one' } },
			{ name: 'Apart', type: 'look', parameters: { operation: 'two' } },
		],
		{ Start: connectTo('Look') },
	);
	expect(found).toEqual([
		['Start', undefined],
		['Look', 'one'],
		['Apart', 'two'],
	]);
});
