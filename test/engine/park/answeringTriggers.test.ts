import { CHAT_TRIGGER_NODE_TYPE } from 'n8n-workflow';

import { answeringTriggers } from './answeringTriggers';
import { ParkHost } from './parkHost';
import { sendAndWait, useParkRig } from './parkRig';

// A trigger that responds with the last node responds as soon as the execution is parked: HTTP 500 in n8n 2.41.1, or a stream
// that ends. The caller never receives the decision.

const rig = useParkRig();
const { open, advanceTime, decide } = rig;

/** Returns whether the execution was parked after ten seconds, and its output after the decision. */
async function parkAndDecide() {
	await advanceTime(10_000);
	const wasParked = [...rig.host.executions.values()].some(({ status }) => status === 'waiting');
	decide('One?');
	await advanceTime(10_000);
	return { wasParked, nextInputs: rig.host.nextInputs.get('1') };
}

it.each(answeringTriggers.map((row) => [row.type, JSON.stringify(row.parameters), row] as const))(
	'%s with %s: the execution is parked unless the caller waits for its end',
	async (_type, _parameters, { kitType: type, parameters, isAnsweredAtTheEnd }) => {
		open(sendAndWait(), { first: { type, parameters } });
		void rig.host.start([{ question: 'One?' }]);
		expect(await parkAndDecide()).toMatchObject({
			wasParked: !isAnsweredAtTheEnd,
			nextInputs: [[{ approved: true }]],
		});
		expect(rig.service.approvals.size).toBe(1);
	},
);

it('an expression as response mode may mean the last node, so the wait is blocking', async () => {
	const parameters = { responseMode: "={{ 'lastNode' }}" };
	open(sendAndWait(), { first: { type: 'hook', parameters } });
	void rig.host.start([{ question: 'One?' }]);
	expect(await parkAndDecide()).toMatchObject({
		wasParked: false,
		nextInputs: [[{ approved: true }]],
	});
});

it('the hint names the trigger', async () => {
	open(sendAndWait(), { first: { name: 'Guest chat', type: CHAT_TRIGGER_NODE_TYPE } });
	const started = rig.host.start([{ question: 'One?' }]);
	await parkAndDecide();
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
	expect(await parkAndDecide()).toMatchObject({
		wasParked: false,
		nextInputs: [[{ said: [{ approved: true }] }]],
	});
});

it('a Chat Trigger that did not start the execution has no effect', async () => {
	open(sendAndWait(), { otherTriggers: [{ name: 'Chat', type: CHAT_TRIGGER_NODE_TYPE }] });
	void rig.host.start([{ question: 'One?' }]);
	expect(await parkAndDecide()).toMatchObject({
		wasParked: true,
		nextInputs: [[{ approved: true }]],
	});
});
