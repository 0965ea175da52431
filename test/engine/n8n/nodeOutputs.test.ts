// Protects the division of items between two outputs, which relies on what n8n does with the settings of a run.
import type { IExecuteFunctions, INode, INodeExecutionData, INodeType } from 'n8n-workflow';

import { hasTwoOutputs, outputOnTwo, stopOnError } from '../../../nodes/engine/n8n/nodeOutputs';
import { runNode } from '../../support/workflow';

type Run = (context: IExecuteFunctions) => INodeExecutionData[][];

/** Runs a node with two outputs for one item. Returns the items on each output, and the error. */
async function runOnTwoOutputs(run: Run, node: Partial<INode>, outputs = '["main", "main"]') {
	class Toy implements INodeType {
		description: INodeType['description'] = {
			displayName: 'Toy',
			name: 'toy',
			group: ['transform'],
			version: 1,
			description: 'Returns what the test says',
			defaults: { name: 'Toy' },
			inputs: ['main'],
			outputs: `={{ ${outputs} }}`,
			properties: [],
		};

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return run(this);
		}
	}
	const kit = { nodes: { toy: Toy }, credentials: [], credentialData: {} };
	const { json, error } = await runNode(kit, 'toy', {}, [{ from: 'input' }], node);
	return { outputs: [0, 1].map((output) => json('Node', output)), error };
}

const toSecond = (context: IExecuteFunctions) =>
	outputOnTwo(context, [{ json: { approved: true } }], () => true);
const bare: Run = () => [[], [{ json: { approved: true } }]];
const always = { alwaysOutputData: true };

it('Always Output Data adds an empty item to the first output, unless the items were divided here', async () => {
	expect((await runOnTwoOutputs(bare, always)).outputs).toEqual([[{}], [{ approved: true }]]);
	expect((await runOnTwoOutputs(toSecond, always)).outputs).toEqual([[], [{ approved: true }]]);
});

it.each([
	['["main", "main"]', {}, true],
	['["main"]', {}, false],
	['["main"]', { onError: 'continueErrorOutput' as const }, false],
	['["main", "main"]', { onError: 'continueErrorOutput' as const }, true],
	['nothing.at.all', {}, false],
])('a node with the outputs %s and the settings %j has two outputs: %s', async (...row) => {
	const [outputs, node, expected] = row;
	let actual: boolean | undefined;
	const run: Run = (context) => {
		actual = hasTwoOutputs(context);
		return [[]];
	};
	jest.spyOn(console, 'warn').mockReturnValue();
	await runOnTwoOutputs(run, node, outputs);
	expect(actual).toBe(expected);
});

it('a node that throws outputs its input, unless it stops the workflow', async () => {
	const fail =
		(stops: boolean): Run =>
		(context) => {
			if (stops) stopOnError(context);
			throw new Error('No');
		};
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const [first] = (await runOnTwoOutputs(fail(false), { onError })).outputs;
		expect(first).toEqual([{ from: 'input' }]);
		const stopped = await runOnTwoOutputs(fail(true), { onError });
		expect(stopped).toMatchObject({ outputs: [[], []], error: { message: 'No' } });
	}
});
