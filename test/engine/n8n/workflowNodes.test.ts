import { workflowNodes } from '../../../nodes/engine/n8n/workflowNodes';
import { connectTo, runWorkflow } from '../../support/workflow';
import { kitOf, nodeType } from './engine';

it('a context of n8n has all nodes of its workflow, connected or not', async () => {
	let found: unknown;
	const InspectingNode = nodeType(async (context) => {
		found = workflowNodes(context).map(({ name, parameters }) => [name, parameters.operation]);
		return [[]];
	});
	await runWorkflow(
		kitOf({ look: InspectingNode }),
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
