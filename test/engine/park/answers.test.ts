import { CHAT_TRIGGER_NODE_TYPE } from 'n8n-workflow';

import { answeringTriggers } from './answeringTriggers';
import { ParkHost } from './parkHost';
import { sendAndWait, useParkRig } from './parkRig';

// A trigger that responds with the last node responds as soon as the execution is parked: HTTP 500 in n8n 2.41.1, or a stream
// that ends. The caller never receives the decision.

const rig = useParkRig();
const { open, advanceTime, decide } = rig;

/** Whether the execution that runs was parked after ten seconds, and how it ended after the decision. */
async function outcome() {
	await advanceTime(10_000);
	const parked = [...rig.host.executions.values()].some(({ status }) => status === 'waiting');
	decide('One?');
	await advanceTime(10_000);
	return { parked, passed: rig.host.nextInputs.get('1') };
}

it.each(answeringTriggers.map((row) => [row.type, JSON.stringify(row.parameters), row] as const))(
	'%s with %s: the execution is parked unless its end is the response to the caller',
	async (_type, _parameters, { kitType: type, parameters, isAnsweredAtTheEnd }) => {
		open(sendAndWait(), { first: { type, parameters } });
		void rig.host.start([{ question: 'One?' }]);
		expect(await outcome()).toMatchObject({
			parked: !isAnsweredAtTheEnd,
			passed: [[{ approved: true }]],
		});
		expect(rig.service.approvals.size).toBe(1);
	},
);

it('an expression as response mode may mean the last node, so the wait is blocking', async () => {
	const parameters = { responseMode: "={{ 'lastNode' }}" };
	open(sendAndWait(), { first: { type: 'hook', parameters } });
	void rig.host.start([{ question: 'One?' }]);
	expect(await outcome()).toMatchObject({ parked: false, passed: [[{ approved: true }]] });
});

it('the hint names the trigger', async () => {
	open(sendAndWait(), { first: { name: 'Guest chat', type: CHAT_TRIGGER_NODE_TYPE } });
	const started = rig.host.start([{ question: 'One?' }]);
	await outcome();
	const { run } = await started;
	expect(run!.data.resultData.runData.Ask![0]!.hints![0]!.message).toMatch(
		/^The execution kept running while it waited, since 'Guest chat' answers when the last node has finished\. It waited for one hour at most/,
	);
});

it('a tool behind a Chat Trigger does not park, since the guest waits for the agent', async () => {
	rig.host = new ParkHost(
		[
			{ name: 'Chat', type: CHAT_TRIGGER_NODE_TYPE },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Next', type: 'next' },
		],
		{ tools: [{ name: 'Ask', type: 'twoFactorTool', parameters: sendAndWait() }] },
	);
	void rig.host.start([{}]);
	expect(await outcome()).toMatchObject({
		parked: false,
		passed: [[{ said: [{ approved: true }] }]],
	});
});

it('a Chat Trigger that did not start the execution does not matter', async () => {
	open(sendAndWait(), { otherTriggers: [{ name: 'Chat', type: CHAT_TRIGGER_NODE_TYPE }] });
	void rig.host.start([{ question: 'One?' }]);
	expect(await outcome()).toMatchObject({ parked: true, passed: [[{ approved: true }]] });
});
