// Protects executions that wait for a person: n8n suspends them, and later runs the node again with its stored state.
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
import { createKit, createNodeType } from './engine';

const UNTIL = new Date('2100-01-01');

it('n8n suspends an execution, and later runs the node again with the stored state', async () => {
	const events: string[] = [];
	const nextInputs: IDataObject[][] = [];
	const kit = createKit({
		waiting: createNodeType(async (context) => {
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
		next: createNodeType(async (context) => {
			nextInputs.push(context.getInputData().map(({ json }) => json));
			return [context.getInputData()];
		}),
	});
	const nodes = [
		{ name: 'Start', type: 'start' },
		{ name: 'Wait', type: 'waiting', alwaysOutputData: true },
		{ name: 'Next', type: 'next' },
	];
	const createWorkflow = () =>
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
		const executionData = {
			...additionalData(kit),
			executionId: '1',
			setExecutionStatus: () => undefined,
		};
		return await new WorkflowExecute(executionData, 'trigger', data).processRunExecutionData(
			createWorkflow(),
		);
	};
	const items = [{ json: { from: 'input' } }];
	const suspendedRun = await run(
		createRunExecutionData({
			executionData: {
				contextData: {},
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
				nodeExecutionStack: [
					{ node: createWorkflow().getNode('Start')!, data: { main: [items] }, source: null },
				],
			},
			resultData: { runData: {}, pinData: { Start: items } },
		}),
	);
	expect(suspendedRun.waitTill).toEqual(UNTIL);
	expect(nextInputs).toEqual([]);
	// n8n stores and reads an execution in this form.
	const resumedRun = await run(parse(stringify(suspendedRun.data)) as IRunExecutionData);
	expect(resumedRun.waitTill).toBeFalsy();
	expect(events).toEqual(['first true true', 'suspended', 'again with {"asked":"One?"}']);
	expect(nextInputs).toEqual([[{ answered: true }]]);
});
