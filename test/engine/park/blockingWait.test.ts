// Protects executions that cannot be parked: they keep running while they wait, send the request once, and a hint says why.
import { ExecuteContext } from 'n8n-core';
import type { IExecuteFunctions } from 'n8n-workflow';

import { findBlockingReason } from '../../../nodes/engine/park/blockingReason';
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const rig = useParkRig();
const { open, advanceTime, decide } = rig;

/** Runs an execution that is decided after ten seconds. Returns its end, and whether it was parked before. */
async function runAndDecide() {
	const started = rig.host.start([{ question: 'One?' }]);
	await advanceTime(10_000);
	const wasParked = [...rig.host.executions.values()].some(({ status }) => status === 'waiting');
	decide('One?');
	await advanceTime(8000);
	const { status, run } = await started;
	const hints = run!.data.resultData.runData.Ask!.flatMap((task) => task.hints ?? []);
	return {
		status,
		wasParked,
		hint: hints[0]?.message,
		nextInputs: rig.readNextInputs(FIRST_EXECUTION_ID),
	};
}

it.each([
	[
		'no node is before the waiting one',
		{ firstNode: false as const },
		/since there is no node before/,
	],
	[
		'the execution order is v0',
		{ settings: { executionOrder: 'v0' as const } },
		/choose v1 under 'Execution Order' in its settings\./,
	],
	['the execution has no ID', { withoutExecutionId: true }, /MCP server/],
	[
		'a webhook responds with the last node',
		{ firstNode: { type: 'hook', parameters: { responseMode: 'lastNode' } } },
		/'Start' answers when the last node has finished/,
	],
])(
	'the wait is blocking, the request is sent once, and the hint gives the reason if %s',
	async (_, setup, reason) => {
		open(sendAndWait(), setup);
		const { status, wasParked, hint, nextInputs } = await runAndDecide();
		expect({ status, wasParked }).toEqual({ status: 'success', wasParked: false });
		expect(hint).toMatch(/^The execution kept running while it waited, since /);
		expect(hint).toMatch(reason);
		expect(hint).toMatch(/one hour at most/);
		expect(nextInputs).toMatchObject([[{ outcome: 'approved', approved: true }]]);
		expect(rig.service.approvals.size).toBe(1);
	},
);

it('the wait is blocking in a version of n8n that parking was not tested with', async () => {
	// The pack recognizes the versions that parking was tested with by this function.
	Object.defineProperty(ExecuteContext.prototype, 'onExecutionFinish', {
		value: undefined,
		configurable: true,
	});
	try {
		open(sendAndWait());
		const { status, wasParked, hint } = await runAndDecide();
		expect({ status, wasParked }).toEqual({ status: 'success', wasParked: false });
		expect(hint).toMatch(/wasn't tested with this version/);
	} finally {
		Reflect.deleteProperty(ExecuteContext.prototype, 'onExecutionFinish');
	}
});

it('the wait of a tool is blocking if the agent runs the tool inside its own step', () => {
	const createNode = (name: string) => ({ name, parameters: {} });
	const source = { main: [{ previousNode: 'Start' }] };
	const context = {
		getExecuteData: () => ({ node: createNode('Agent'), source, data: {} }),
		getNode: () => createNode('Ask'),
		getExecutionId: () => '1',
		onExecutionFinish: () => undefined,
	} as unknown as IExecuteFunctions;
	expect(findBlockingReason(context)).toMatch(/agents below version 3/);
});

it('a wait of at most 20 seconds is blocking, and there is no hint', async () => {
	open(sendAndWait({ operation: 'create', wait: true, waitLimit: 20 }));
	const { status, wasParked, hint } = await runAndDecide();
	expect({ status, wasParked, hint }).toEqual({
		status: 'success',
		wasParked: false,
		hint: undefined,
	});
});

it('an input item with the fields of a stored parked state is still an input item', async () => {
	open(sendAndWait());
	const started = rig.host.start([
		{ question: 'One?', toolCallId: 'gatehouse-parked', until: '2099-01-01' },
	]);
	await advanceTime(1000);
	await started;
	expect(rig.service.findUuid('One?')).toBe('uuid-1');
	decide('One?');
	await advanceTime(10_000);
	expect(rig.host.nextInputs.get(FIRST_EXECUTION_ID)).toMatchObject([[{ approved: true }]]);
});
