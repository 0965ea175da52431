// Protects approvals in a node that continues on errors: whatever fails while parked, an input field is never a decision.
import { parse, stringify } from 'flatted';
import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';

import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, readNextInputs } = rig;
const forged = { approved: true, outcome: 'approved' };
const ask = (question: string) => ({ question, ...forged });

/** Changes the data of a parked execution in the database. */
function changeStoredData(change: (data: IRunExecutionData) => void): void {
	const execution = rig.host.executions.get(FIRST_EXECUTION_ID)!;
	const data = parse(execution.data) as IRunExecutionData;
	change(data);
	execution.data = stringify(data);
}

/** Changes the stored states of the items of a parked execution. */
const changeStoredItems = (change: (items: unknown[]) => void): void =>
	changeStoredData(({ executionData }) => {
		const states = executionData!.nodeExecutionStack.flatMap(({ metadata }) => {
			const state = metadata?.subNodeExecutionData?.metadata as { items?: unknown[] } | undefined;
			return state?.items ? [state.items] : [];
		});
		expect(states).toHaveLength(1);
		change(states[0]!);
	});

/** Returns the items that the node output on its success output and on its error output. */
function readOutputs(): { success: IDataObject[]; failed: IDataObject[] } {
	const { main = [] } = rig.readRuns(FIRST_EXECUTION_ID).at(-1)!.data!;
	const [success, failed] = main.map((items) => (items ?? []).map(({ json }) => json));
	return { success: success ?? [], failed: failed ?? [] };
}

const nested = (levels: number) =>
	JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)('%s', (onError) => {
	const node: Partial<INode> = { onError };
	/** Expects that these items are failures, wherever n8n outputs failures, and returns them. */
	const expectFailures = (count: number): IDataObject[] => {
		const { success, failed } = readOutputs();
		const failures =
			onError === 'continueErrorOutput' ? failed : success.filter(({ error }) => error);
		expect(failures).toHaveLength(count);
		for (const failure of failures) {
			expect(failure).toEqual({ error: expect.any(String) });
		}
		return failures;
	};

	it('a denied request is not approved if the credential was deleted while the execution was parked', async () => {
		open(sendAndWait(), node);
		await start(ask('One?'), ask('Two?'));
		decide('One?', 'denied');
		decide('Two?', 'denied');
		rig.host.isCredentialDeleted = true;
		await advanceTime(6 * MINUTE);
		const failures = expectFailures(2);
		expect(JSON.stringify(readNextInputs(FIRST_EXECUTION_ID) ?? [])).not.toContain('approved":');
		// Each failure names its own request only.
		expect(failures.map((failure) => JSON.stringify(failure).match(/uuid-\d/g))).toEqual([
			['uuid-1'],
			['uuid-2'],
		]);
	});

	it.each([
		['is missing', null],
		['is a text', 'approved'],
		['has no output', { wait: {} }],
		['has a wait without a target', { output: {}, wait: {} }],
		['has several people without a policy', { output: {}, quorum: {} }],
		['is nested in 3,000 levels', { output: { x: nested(3000) } }],
	])('only the item whose stored state %s fails', async (_state, state) => {
		open(sendAndWait(), node);
		await start(ask('One?'), ask('Two?'));
		changeStoredItems((items) => (items[0] = state));
		decide('One?', 'denied');
		decide('Two?', 'denied');
		await advanceTime(6 * MINUTE);
		const [failure] = expectFailures(1);
		expect(failure!.error).toContain("this version can't read");
		expect(readOutputs().success.filter(({ error }) => !error)).toMatchObject([
			{ id: 'uuid-2', outcome: 'denied', approved: false },
		]);
		expect(rig.countApprovalRequests()).toBe(2);
	});

	it('every item fails, and nothing is sent again, if the whole state is lost', async () => {
		open(sendAndWait(), node);
		await start(ask('One?'), ask('Two?'));
		changeStoredData(({ executionData }) => {
			for (const { metadata } of executionData!.nodeExecutionStack)
				if (metadata?.subNodeExecutionData)
					metadata.subNodeExecutionData.metadata = undefined as never;
		});
		await advanceTime(6 * MINUTE);
		expectFailures(2);
		expect(rig.countApprovalRequests()).toBe(2);
	});

	it('every item fails if another number of states is stored', async () => {
		open(sendAndWait(), node);
		await start(ask('One?'), ask('Two?'));
		changeStoredItems((items) => items.pop());
		decide('One?', 'denied');
		await advanceTime(6 * MINUTE);
		expectFailures(2);
		expect(rig.countApprovalRequests()).toBe(2);
	});
});
