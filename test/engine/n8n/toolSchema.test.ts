// Protects reviewers of tool calls: the pack knows the arguments of a tool as n8n and LangChain define them.
import type { INodeParameters } from 'n8n-workflow';
import { createRequire } from 'node:module';
import path from 'node:path';

import { definedArguments } from '../../../nodes/engine/n8n/toolSchema';
import { itWithN8n, runInN8n } from './installed';

// LangChain is a dependency of n8n-core, and not of the pack.
const loadFromCore = createRequire(require.resolve('n8n-core'));
const { DynamicTool } = loadFromCore('@langchain/core/tools') as {
	DynamicTool: new (fields: object) => { invoke: (item: object) => Promise<unknown> };
};
const { getSchema } = loadFromCore(
	path.join(
		path.dirname(require.resolve('n8n-core')),
		'execution-engine/node-execution-context/utils/create-node-as-tool.js',
	),
) as {
	getSchema: (node: object) => { shape: Record<string, { isOptional: () => boolean }> };
};

it("LangChain's text tools run the field `input`, and nothing that is beside it", async () => {
	const received: unknown[] = [];
	const func = async (text: unknown) => received.push(text);
	const tool = new DynamicTool({ name: 'refund', description: 'Refunds a guest', func });
	await tool.invoke({ query: 'refund Ada 5', input: 'wipe all', tool: 'refund' });
	await tool.invoke({ query: 'refund Ada 5' });
	expect(received).toEqual(['wipe all', undefined]);
});

it.each<INodeParameters>([
	{ to: "={{ $fromAI('to') }}" },
	{
		to: "={{ $fromAI('to', 'Who', 'string', 'ada') }}",
		amount: "={{ $fromAI('amount', '', 'number') }}",
	},
	{ rows: [{ a: "={{ $fromAI('a') }}-{{ $fromai('b', '', 'boolean', false) }}" }] },
	{ to: "={{ $fromAI('to', '', 'string', '') }}" },
	{ to: 'fixed', other: '={{ $json.x }}' },
])('the arguments of $fromAI are those that n8n asks the model for: %j', (parameters) => {
	const { shape } = getSchema({ name: 'Tool', parameters });
	const names = Object.keys(shape);
	expect(definedArguments({ type: 'test.tool', typeVersion: 1, parameters })).toEqual({
		all: names,
		required: names.filter((name) => !shape[name]!.isOptional()),
	});
});

itWithN8n('the arguments of the Code Tool are those that n8n asks the model for', () => {
	const inputSchema = JSON.stringify({
		type: 'object',
		properties: {
			a: { type: 'number' },
			b: { type: 'string', default: '' },
			c: { type: 'string' },
		},
		required: ['a', 'b', 'unknown'],
	});
	const jsonSchemaExample = JSON.stringify({ a: 1, b: { c: 2 } });
	const tools = [
		{ typeVersion: 1.3, parameters: { schemaType: 'manual', inputSchema } },
		{ typeVersion: 1.3, parameters: { schemaType: 'fromJson', jsonSchemaExample } },
		{ typeVersion: 1.2, parameters: { schemaType: 'fromJson', jsonSchemaExample } },
		{ typeVersion: 1.3, parameters: { specifyInputSchema: false, inputSchema } },
	].map(({ typeVersion, parameters }) => ({
		type: '@n8n/n8n-nodes-langchain.toolCode',
		typeVersion,
		parameters: { specifyInputSchema: true, ...parameters },
	}));
	const found = runInN8n(`
		const [folder] = load.resolve.paths('n8n').filter((one) => require('node:fs').existsSync(one + '/@n8n/n8n-nodes-langchain'));
		const { ToolCode } = require(folder + '/@n8n/n8n-nodes-langchain/dist/nodes/tools/ToolCode/ToolCode.node.js');
		const isText = ({ schema }) => schema.shape === undefined;
		const describe = async (node) => {
			const { response } = await new ToolCode().supplyData.call({
				getNode: () => ({ name: 'Tool', ...node }),
				getMode: () => 'manual',
				getNodeParameter: (name, _, fallback = '') => node.parameters[name] ?? fallback,
			}, 0);
			if (isText(response)) return { all: [], required: [] };
			const { shape } = response.schema;
			const all = Object.keys(shape);
			return { all, required: all.filter((name) => !shape[name].isOptional()) };
		};
		return await Promise.all(${JSON.stringify(tools)}.map(describe));
	`);
	expect(tools.map(definedArguments)).toEqual(found);
});
