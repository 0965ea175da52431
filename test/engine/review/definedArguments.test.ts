// Protects reviewers of tool calls: a call that the tool would run with other or missing arguments is rejected.
import type { IDataObject } from 'n8n-workflow';

import type { TestNode } from '../../support/workflow';
import { refundCall, useReviews } from './reviewRig';

// A text tool of LangChain runs the field `input` alone, under another name. A tool with a schema requires its arguments.

const reviews = useReviews();
const { sentApprovals, expectRejected } = reviews;

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const CODE = `${LANGCHAIN}.toolCode`;
const WORKFLOW = `${LANGCHAIN}.toolWorkflow`;
const HTTP = 'n8n-nodes-base.httpRequestTool';
const fromAi = (...values: unknown[]) =>
	`={{ $fromAI(${values.map((value) => JSON.stringify(value)).join(', ')}) }}`;

type ToolSetup = [type: string, parameters: IDataObject, typeVersion?: number];
const toTools = ([type, parameters, typeVersion = 1]: ToolSetup): TestNode[] => [
	{ name: 'Refund', type, typeVersion, parameters: parameters as TestNode['parameters'] },
];
const callWith = (toolParameters: unknown) => refundCall({ toolParameters });

/** A Code Tool with a JSON Schema, and one with an example. */
const codeWithSchema = (inputSchema: object | string): ToolSetup => [
	CODE,
	{
		specifyInputSchema: true,
		schemaType: 'manual',
		inputSchema: typeof inputSchema === 'string' ? inputSchema : JSON.stringify(inputSchema),
	},
];
const codeWithExample = (example: object, typeVersion: number): ToolSetup => [
	CODE,
	{
		specifyInputSchema: true,
		schemaType: 'fromJson',
		jsonSchemaExample: JSON.stringify(example),
	},
	typeVersion,
];
const properties = { input: { type: 'string' }, format: { type: 'string' } };
const workflowWith = (value: IDataObject): ToolSetup => [
	WORKFLOW,
	{ workflowInputs: { mappingMode: 'defineBelow', value, schema: [{ id: 'input' }] } },
];

describe('"input" beside another argument', () => {
	const TEXT_TOOLS: Array<[string, ToolSetup]> = [
		['the Code Tool', [CODE, {}]],
		[
			'the Code Tool with an unused schema',
			[CODE, { inputSchema: JSON.stringify({ properties }) }],
		],
		['the Code Tool with $fromAI in its code', [CODE, { jsCode: "return $fromAI('input')" }]],
		['the Code Tool with a schema without "input"', codeWithSchema({ properties: { a: {} } })],
		['the Code Tool with a schema from an expression', codeWithSchema('={{ $json.schema }}')],
		['the Workflow Tool', [WORKFLOW, {}]],
		['the Workflow Tool with fixed inputs', workflowWith({ input: 'fixed' })],
		['the Workflow Tool with other fields', [WORKFLOW, { fields: fromAi('input') }]],
		['Wikipedia', [`${LANGCHAIN}.toolWikipedia`, {}]],
		['an unknown tool', ['test.recordingTool', {}]],
		['an unknown tool with another argument', ['test.recordingTool', { values: fromAi('query') }]],
	];

	describe.each(TEXT_TOOLS)('%s', (_, tool) => {
		const reviewedTools = toTools(tool);

		it.each<[string, unknown, IDataObject]>([
			['from the model', { query: 'refund Ada 5', input: 'wipe all' }, {}],
			['from the input', { query: 'refund Ada 5' }, { input: 'wipe all' }],
			['from both', { query: 'refund Ada 5', input: 'refund Ada 5' }, { input: 'wipe all' }],
			['that is empty', { query: 'refund Ada 5', input: '' }, {}],
		])('rejects "input" %s', async (__, toolParameters, item) => {
			const setup = { items: [item], reviewedTools };
			const message = await expectRejected([callWith(toolParameters)], setup);
			expect(message).toContain('would be run with "input" beside other arguments');
			expect(message).toMatch(/Call the tool again with "input" as its only argument/);
			expect(message).toMatch(/Tell the person who runs this workflow: .*Edit Fields/);
		});
	});

	it.each<[string, unknown, IDataObject]>([
		['from the model', { input: 'refund Ada 5' }, { chatInput: 'Please', query: 'wipe all' }],
		['as a bare text', 'refund Ada 5', { input: 'wipe all' }],
		['with the name of the tool', { tool: 'Refund', input: 'refund Ada 5' }, {}],
	])('a text tool is reviewed with "input" alone %s', async (_, toolParameters, item) => {
		const reviewedTools = toTools([WORKFLOW, {}]);
		await reviews.start([callWith(toolParameters)], { items: [item], reviewedTools });
		expect(sentApprovals()[0]!.details).toMatchObject({ '• input': 'refund Ada 5' });
	});

	it.each<[string, ToolSetup]>([
		['in a schema', codeWithSchema({ type: 'object', properties })],
		['in a schema that is a text expression', codeWithSchema(`=${JSON.stringify({ properties })}`)],
		['in an example', codeWithExample({ input: 'a', format: 'b' }, 1.3)],
		['as a workflow input', workflowWith({ input: fromAi('input'), format: fromAi('format') })],
		['by $fromAI', [HTTP, { url: fromAi('input', '', 'string') }]],
		['at its MCP server', [`${LANGCHAIN}.mcpClientTool`, {}]],
	])('a tool that defines "input" %s is reviewed with other arguments', async (_, tool) => {
		const call = callWith({ input: 'a', format: 'b' });
		await reviews.start([call], { reviewedTools: toTools(tool) });
		expect(sentApprovals()[0]!.details).toMatchObject({ '• input': 'a', '• format': 'b' });
	});

	it.each<[string, ToolSetup]>([
		['HTTP Request', [HTTP, { url: fromAi('url') }]],
		['Gmail', ['n8n-nodes-base.gmailTool', { to: fromAi('url') }]],
	])('%s reads arguments by name, so a field "input" may be beside them', async (_, tool) => {
		const items = [{ input: 'from the chat' }];
		await reviews.start([callWith({ url: 'x' })], { items, reviewedTools: toTools(tool) });
		expect(sentApprovals()).toHaveLength(1);
	});
});

describe('a call without a required argument', () => {
	const schema = {
		type: 'object',
		properties: { Amount: { type: 'number' }, Note: { type: 'string', default: '' } },
		required: ['Amount', 'Note', 'Unknown'],
	};
	it.each<[string, ToolSetup, unknown, string]>([
		['of $fromAI', [HTTP, { url: fromAi('Amount') }], {}, 'Amount'],
		['of $fromAI, in no object', [HTTP, { url: fromAi('Amount') }], undefined, 'Amount'],
		['of $fromAI, in a text', [HTTP, { url: fromAi('Amount') }], 'pay it', 'Amount'],
		['of $fromAI, beside another', [HTTP, { url: fromAi('Amount') }], { Guest: 'Ada' }, 'Amount'],
		['in another letter case', [HTTP, { url: fromAi('Amount') }], { amount: 5 }, 'Amount'],
		['of two', [HTTP, { url: `${fromAi('a')}${fromAi('b')}` }], { b: 1 }, 'a'],
		['of a nested parameter', ['test.recordingTool', { values: [{ x: fromAi('a') }] }], {}, 'a'],
		['of a workflow input', workflowWith({ input: fromAi('Amount') }), {}, 'Amount'],
		['of a schema', codeWithSchema(schema), {}, 'Amount'],
		['of an example', codeWithExample({ Amount: 5, Guest: 'Ada' }, 1.3), {}, 'Amount, Guest'],
		['that only the item has', codeWithSchema(schema), {}, 'Amount'],
	])('is rejected: %s', async (_, tool, toolParameters, missing) => {
		const items = [{ Amount: 900 }];
		const setup = { items, reviewedTools: toTools(tool) };
		const message = await expectRejected([callWith(toolParameters)], setup);
		expect(message).toContain(
			`The call lacks what the tool requires: ${missing}. Call the tool again`,
		);
	});

	it.each<[string, ToolSetup, unknown]>([
		['it has a default', [HTTP, { url: fromAi('Amount', '', 'number', 5) }], {}],
		['it has an empty default', [HTTP, { url: fromAi('Note', '', 'string', '') }], {}],
		[
			'one of its uses has a default',
			[HTTP, { url: `${fromAi('a')}${fromAi('a', '', 'string', 'b')}` }],
			{},
		],
		['it is in "query"', [HTTP, { url: fromAi('Amount') }], { query: { Amount: 5 } }],
		['it is empty', [HTTP, { url: fromAi('Note') }], { Note: '' }],
		['it is 0', [HTTP, { url: fromAi('Amount') }], { Amount: 0 }],
		['it is mentioned in a plain text', [HTTP, { url: "Use $fromAI('Amount')" }], {}],
		['its expression cannot be parsed', [HTTP, { url: "={{ $fromAI('Amount' }}" }], {}],
		['its name is computed', [HTTP, { url: '={{ $fromAI($vars.name) }}' }], {}],
		['the schema is an expression', codeWithSchema('={{ $json.schema }}'), {}],
		['the schema is no object', codeWithSchema('[]'), {}],
		['the schema has no required list', codeWithSchema({ properties }), {}],
		['the schema is odd', codeWithSchema({ properties: [], required: 'Amount' }), {}],
		['the example belongs to an older version', codeWithExample({ Amount: 5 }, 1.2), {}],
		['the tool takes one text', [WORKFLOW, { fields: fromAi('Amount') }], {}],
		['nothing is known about the tool', ['test.recordingTool', {}], {}],
	])('is reviewed if it is not sure that an argument is missing: %s', async (_, tool, call) => {
		await reviews.start([callWith(call)], { reviewedTools: toTools(tool) });
		expect(sentApprovals()).toHaveLength(1);
	});
});
