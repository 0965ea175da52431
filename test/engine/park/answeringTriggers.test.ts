// Protects callers who wait for the end of an execution: it is not parked, so that they receive the decision.
import { CHAT_TRIGGER_NODE_TYPE } from 'n8n-workflow';

import { answeringTriggers } from './answeringTriggers';
import { ParkHost } from './parkHost';
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

// A trigger that responds with the last node responds as soon as the execution is parked: HTTP 500 in n8n 2.41.1, or a stream
// that ends. The caller never receives the decision.

const rig = useParkRig();
const { open, advanceTime, decide } = rig;

/** Returns whether the execution was parked after ten seconds, and its output after the decision. */
async function decideAfterTenSeconds() {
	await advanceTime(10_000);
	const wasParked = [...rig.host.executions.values()].some(({ status }) => status === 'waiting');
	decide('One?');
	await advanceTime(10_000);
	return { wasParked, nextInputs: rig.readNextInputs(FIRST_EXECUTION_ID) };
}

it.each(
	answeringTriggers.map(
		(trigger) => [trigger.type, JSON.stringify(trigger.parameters), trigger] as const,
	),
)(
	'after %s with %s the execution is parked unless the caller waits for its end',
	async (_type, _parameters, { kitType: type, parameters, isAnsweredAtTheEnd }) => {
		open(sendAndWait(), { firstNode: { type, parameters } });
		void rig.host.start([{ question: 'One?' }]);
		expect(await decideAfterTenSeconds()).toMatchObject({
			wasParked: !isAnsweredAtTheEnd,
			nextInputs: [[{ approved: true }]],
		});
		expect(rig.service.approvals.size).toBe(1);
	},
);

it('the wait is blocking if the response mode is an expression, since its value may be the last node', async () => {
	const parameters = { responseMode: "={{ 'lastNode' }}" };
	open(sendAndWait(), { firstNode: { type: 'hook', parameters } });
	void rig.host.start([{ question: 'One?' }]);
	expect(await decideAfterTenSeconds()).toMatchObject({
		wasParked: false,
		nextInputs: [[{ approved: true }]],
	});
});

it('the hint of a blocking wait names the trigger whose caller waits', async () => {
	open(sendAndWait(), { firstNode: { name: 'Guest chat', type: CHAT_TRIGGER_NODE_TYPE } });
	const started = rig.host.start([{ question: 'One?' }]);
	await decideAfterTenSeconds();
	const { run } = await started;
	expect(run!.data.resultData.runData.Ask![0]!.hints![0]!.message).toMatch(
		/^The execution kept running while it waited, since 'Guest chat' answers when the last node has finished\. It waited for one hour at most/,
	);
});

it('a tool of an agent behind a Chat Trigger does not park, since the caller waits for the agent', async () => {
	rig.host = new ParkHost(
		[
			{ name: 'Chat', type: CHAT_TRIGGER_NODE_TYPE },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Next', type: 'next' },
		],
		{ tools: [{ name: 'Ask', type: 'twoFactorTool', parameters: sendAndWait() }] },
	);
	void rig.host.start([{}]);
	expect(await decideAfterTenSeconds()).toMatchObject({
		wasParked: false,
		nextInputs: [[{ toolResult: [{ approved: true }] }]],
	});
});

it('the execution is parked if the Chat Trigger of the workflow did not start it', async () => {
	open(sendAndWait(), { otherTriggers: [{ name: 'Chat', type: CHAT_TRIGGER_NODE_TYPE }] });
	void rig.host.start([{ question: 'One?' }]);
	expect(await decideAfterTenSeconds()).toMatchObject({
		wasParked: true,
		nextInputs: [[{ approved: true }]],
	});
});
