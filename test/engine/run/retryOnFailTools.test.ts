// Protects tools that an agent runs in its own step: every call sends its request, and only rejected requests are repeated.
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { sendJson } from '../../support/toy';
import { connectTo, runWorkflow } from '../../support/workflow';
import type { WorkflowRun } from '../../support/workflow';
import { asTool } from '../review/reviewVariants';
import { retryOnFailSettings, useRetriedService } from './retriedService';

// Agents below version 3, sub-agents and MCP servers run tools inside their own step: all calls have the agent's execute data.

const { server, kit, readSentNames } = useRetriedService();

interface Tool {
	invoke: (args: IDataObject) => Promise<string>;
}

/** Arguments of the model's calls, which are sequential or parallel. */
let plan: { calls: IDataObject[]; isParallel?: boolean };

/** An agent that runs its tool in its own step, with n8n's own code, and outputs the results of the calls. */
class Agent implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Agent',
		name: 'agent',
		group: ['input'],
		version: 1,
		description: 'Agent',
		defaults: { name: 'Agent' },
		inputs: ['main', { type: 'ai_tool' }],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions) {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as [Tool];
		const call = async (args: IDataObject) =>
			await tool.invoke(args).catch((error: Error) => error.message);
		const results: string[] = [];
		if (plan.isParallel) results.push(...(await Promise.all(plan.calls.map(call))));
		else for (const args of plan.calls) results.push(await call(args));
		return [[{ json: { results } }]];
	}
}

const readToolResults = (workflowRun: WorkflowRun) =>
	workflowRun.json('Agent')[0]!.results as string[];

/** Runs an agent that calls its tool once for each name. */
async function runAgent(names: string[], tool: object = retryOnFailSettings, isParallel = false) {
	plan = { calls: names.map((name) => ({ name })), isParallel };
	return await runWorkflow(
		{ ...kit, nodes: { toyTool: asTool(kit.nodes.toy!), agent: Agent } },
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Agent', type: 'agent' },
			{
				name: 'Tool',
				type: 'toyTool',
				parameters: { resource: 'thing', operation: 'make', name: "={{ $fromAI('name') }}" },
				...tool,
			},
		],
		{
			Start: connectTo('Agent'),
			Tool: connectTo('Agent', 'ai_tool'),
		},
	);
}

it('a tool that a model calls twice with equal arguments sends two requests', async () => {
	server.respondWith((_, response, count) => sendJson(response, 200, { count }));
	expect(readToolResults(await runAgent(['a', 'a']))).toEqual(['[{"count":1}]', '[{"count":2}]']);
	expect(readSentNames()).toEqual(['a', 'a']);
});

it('a tool that a model calls twice in parallel with equal arguments sends two requests', async () => {
	server.respondWith((_, response) => sendJson(response, 200, {}));
	await runAgent(['a', 'a', 'b'], undefined, true);
	expect(readSentNames().sort()).toEqual(['a', 'a', 'b']);
});

it('Retry On Fail of a tool repeats a request that was rejected', async () => {
	server.respondWith((_, response, count) =>
		count === 1
			? sendJson(response, 400, { message: 'Not now' })
			: sendJson(response, 200, { count }),
	);
	expect(readToolResults(await runAgent(['a', 'a']))).toEqual(['[{"count":2}]', '[{"count":3}]']);
	expect(readSentNames()).toEqual(['a', 'a', 'a']);
});

it('Retry On Fail of a tool does not repeat a request whose response was lost, but the next call sends a new request', async () => {
	server.respondWith((_, response, count) =>
		count === 1 ? void response.destroy() : sendJson(response, 200, { count }),
	);
	const results = readToolResults(await runAgent(['a', 'a']));
	expect(readSentNames()).toEqual(['a', 'a']);
	expect(results[0]).toMatch(/unclear whether the thing was made/);
	expect(results[1]).toBe('[{"count":2}]');
});
