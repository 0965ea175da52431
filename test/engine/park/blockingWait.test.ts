import { ExecuteContext } from 'n8n-core';
import type { IExecuteFunctions } from 'n8n-workflow';

import { findBlockingReason } from '../../../nodes/engine/park/blockingReason';
import { sendAndWait, useParkRig } from './parkRig';

const rig = useParkRig();
const { open, advanceTime, decide } = rig;

/** Runs an execution that is decided after ten seconds. Returns whether it was parked. */
async function run() {
	const started = rig.host.start([{ question: 'One?' }]);
	await advanceTime(10_000);
	const wasParked = [...rig.host.executions.values()].some(({ status }) => status === 'waiting');
	decide('One?');
	await advanceTime(8000);
	const { status, run: done } = await started;
	const hints = done!.data.resultData.runData.Ask!.flatMap(({ hints: all }) => all ?? []);
	return { status, wasParked, hint: hints[0]?.message, runs: rig.host.nextInputs.get('1') };
}

it.each([
	['there is no node before it', { first: false as const }, /since there is no node before/],
	[
		'the execution order is v0',
		{ settings: { executionOrder: 'v0' as const } },
		/choose v1 under 'Execution Order' in its settings\./,
	],
	['the execution has no ID', { withoutExecutionId: true }, /MCP server/],
	[
		'a webhook responds with the last node',
		{ first: { type: 'hook', parameters: { responseMode: 'lastNode' } } },
		/'Start' answers when the last node has finished/,
	],
])(
	'the wait is blocking, the request is sent once, and the hint gives the reason if %s',
	async (_, setup, reason) => {
		open(sendAndWait(), setup);
		const { status, wasParked, hint, runs } = await run();
		expect({ status, wasParked }).toEqual({ status: 'success', wasParked: false });
		expect(hint).toMatch(/^The execution kept running while it waited, since /);
		expect(hint).toMatch(reason);
		expect(hint).toMatch(/one hour at most/);
		expect(runs).toMatchObject([[{ outcome: 'approved', approved: true }]]);
		expect(rig.service.approvals.size).toBe(1);
	},
);

it('the wait is blocking in an n8n that parking was not tested with', async () => {
	Object.defineProperty(ExecuteContext.prototype, 'onExecutionFinish', {
		value: undefined,
		configurable: true,
	});
	try {
		open(sendAndWait());
		const { status, wasParked, hint } = await run();
		expect({ status, wasParked }).toEqual({ status: 'success', wasParked: false });
		expect(hint).toMatch(/wasn't tested with this version/);
	} finally {
		Reflect.deleteProperty(ExecuteContext.prototype, 'onExecutionFinish');
	}
});

it('the wait is blocking for a tool that an agent runs inside its own step', () => {
	const node = (name: string) => ({ name, parameters: {} });
	const source = { main: [{ previousNode: 'Start' }] };
	const context = {
		getExecuteData: () => ({ node: node('Agent'), source, data: {} }),
		getNode: () => node('Ask'),
		getExecutionId: () => '1',
		onExecutionFinish: () => undefined,
	} as unknown as IExecuteFunctions;
	expect(findBlockingReason(context)).toMatch(/agents below version 3/);
});

it('a wait of a few seconds is blocking, without a hint', async () => {
	open({
		...sendAndWait({ operation: 'create', wait: true, waitLimit: 20 }),
	});
	const { status, wasParked, hint } = await run();
	expect({ status, wasParked, hint }).toEqual({
		status: 'success',
		wasParked: false,
		hint: undefined,
	});
});

it('an item with the same fields as a stored parked state is treated as an item', async () => {
	open(sendAndWait());
	const started = rig.host.start([
		{ question: 'One?', toolCallId: 'gatehouse-parked', until: '2099-01-01' },
	]);
	await advanceTime(1000);
	await started;
	expect(rig.service.uuidOf('One?')).toBe('uuid-1');
	decide('One?');
	await advanceTime(10_000);
	expect(rig.host.nextInputs.get('1')).toMatchObject([[{ approved: true }]]);
});
