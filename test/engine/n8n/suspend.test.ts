import { parse, stringify } from 'flatted';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import {
	actionIdOf,
	canSuspend,
	parkedStateOf,
	requestItself,
	hasV1ExecutionOrder,
	suspend,
} from '../../../nodes/engine/n8n/suspend';
import { additionalData, toStoredNode, connectTo, nodeTypeOf } from '../../support/workflow';
import { kitOf, nodeType } from './engine';

const UNTIL = new Date('2100-01-01');

it('n8n suspends an execution, and runs the node again with its stored data', async () => {
	const events: string[] = [];
	const nextInputs: IDataObject[][] = [];
	const kit = kitOf({
		waiting: nodeType(async (context) => {
			const storedState = parkedStateOf(context);
			if (storedState !== undefined) {
				events.push(`again with ${JSON.stringify(storedState)}`);
				return [[{ json: { answered: true } }]];
			}
			if (actionIdOf(context) === 'the-step') {
				events.push('suspended');
				return await suspend(context, UNTIL);
			}
			events.push(`first ${canSuspend(context)} ${hasV1ExecutionOrder(context)}`);
			return requestItself(context, 'the-step', { asked: 'One?' });
		}),
		next: nodeType(async (context) => {
			nextInputs.push(context.getInputData().map(({ json }) => json));
			return [context.getInputData()];
		}),
	});
	const nodes = [
		{ name: 'Start', type: 'start' },
		{ name: 'Wait', type: 'waiting', alwaysOutputData: true },
		{ name: 'Next', type: 'next' },
	];
	const workflow = () =>
		new Workflow({
			id: 'test',
			active: false,
			nodes: nodes.map((node, index) => toStoredNode(node, index, kit)),
			connections: { Start: connectTo('Wait'), Wait: connectTo('Next') },
			nodeTypes: {
				getByName: (name) => nodeTypeOf(kit, name),
				getByNameAndVersion: (name) => nodeTypeOf(kit, name),
				getKnownTypes: () => ({}),
			},
			settings: { executionOrder: 'v1' },
		});
	const run = async (data: IRunExecutionData) => {
		const extra = { ...additionalData(kit), executionId: '1', setExecutionStatus: () => undefined };
		return await new WorkflowExecute(extra, 'trigger', data).processRunExecutionData(workflow());
	};
	const items = [{ json: { from: 'input' } }];
	const first = await run(
		createRunExecutionData({
			executionData: {
				contextData: {},
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
				nodeExecutionStack: [
					{ node: workflow().getNode('Start')!, data: { main: [items] }, source: null },
				],
			},
			resultData: { runData: {}, pinData: { Start: items } },
		}),
	);
	expect(first.waitTill).toEqual(UNTIL);
	expect(nextInputs).toEqual([]);
	// As n8n stores and reads it.
	const second = await run(parse(stringify(first.data)) as IRunExecutionData);
	expect(second.waitTill).toBeFalsy();
	expect(events).toEqual(['first true true', 'suspended', 'again with {"asked":"One?"}']);
	expect(nextInputs).toEqual([[{ answered: true }]]);
});
