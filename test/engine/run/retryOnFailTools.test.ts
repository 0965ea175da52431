import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { sendJson } from '../../support/toy';
import { connectTo, runWorkflow } from '../../support/workflow';
import type { WorkflowRun } from '../../support/workflow';
import { asTool } from '../review/reviewVariants';
import { retryOnFailSettings, useRetriedService } from './retriedService';

// Agents below version 3, sub-agents and MCP servers run tools inside their own step: all calls have the agent's execute data.

const { server, kit, sentNames } = useRetriedService();

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
		const message: string[] = [];
		if (plan.isParallel) message.push(...(await Promise.all(plan.calls.map(call))));
		else for (const args of plan.calls) message.push(await call(args));
		return [[{ json: { said: message } }]];
	}
}

const toolResultsOf = (finished: WorkflowRun) => finished.json('Agent')[0]!.said as string[];

async function run(calls: string[], tool: object = retryOnFailSettings, isParallel = false) {
	plan = { calls: calls.map((name) => ({ name })), isParallel };
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

it('a tool that a model calls twice with equal arguments sends twice', async () => {
	server.respondWith((_, response, count) => sendJson(response, 200, { count }));
	expect(toolResultsOf(await run(['a', 'a']))).toEqual(['[{"count":1}]', '[{"count":2}]']);
	expect(sentNames()).toEqual(['a', 'a']);
});

it('a tool that a model calls twice at once with equal arguments sends twice', async () => {
	server.respondWith((_, response) => sendJson(response, 200, {}));
	await run(['a', 'a', 'b'], undefined, true);
	expect(sentNames().sort()).toEqual(['a', 'a', 'b']);
});

it('Retry On Fail of a tool sends again if the request was rejected', async () => {
	server.respondWith((_, response, count) =>
		count === 1
			? sendJson(response, 400, { message: 'Not now' })
			: sendJson(response, 200, { count }),
	);
	expect(toolResultsOf(await run(['a', 'a']))).toEqual(['[{"count":2}]', '[{"count":3}]']);
	expect(sentNames()).toEqual(['a', 'a', 'a']);
});

it('Retry On Fail of a tool does not send again if the response was lost; the next call does', async () => {
	server.respondWith((_, response, count) =>
		count === 1 ? void response.destroy() : sendJson(response, 200, { count }),
	);
	const message = toolResultsOf(await run(['a', 'a']));
	expect(sentNames()).toEqual(['a', 'a']);
	expect(message[0]).toMatch(/unclear whether the thing was made/);
	expect(message[1]).toBe('[{"count":2}]');
});
