// Protects approvals that an agent requests: it gets the decision even after kills of n8n, and never chooses who decides.
import { ParkHost } from './parkHost';
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

// Agents from version 3 on have n8n run their tools as steps of the workflow.

const MINUTE = 60_000;
const rig = useParkRig();
const { advanceTime, decide } = rig;

/** Starts a workflow whose agent requests an approval. */
async function startAgent(parameters = {}) {
	rig.host = new ParkHost(
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Next', type: 'next' },
		],
		{ tools: [{ name: 'Ask', type: 'twoFactorTool', parameters: sendAndWait(parameters) }] },
	);
	const started = rig.host.start([{}]);
	await advanceTime(3000);
	return await started;
}
const readAgentOutput = () => rig.readNextInputs(FIRST_EXECUTION_ID);

it('a tool parks the execution, and its agent gets the decision', async () => {
	expect((await startAgent()).status).toBe('waiting');
	decide('One?');
	await advanceTime(10_000);
	expect(readAgentOutput()).toMatchObject([
		[{ toolResult: [{ outcome: 'approved', approved: true }] }],
	]);
	expect(rig.service.approvals.size).toBe(1);
});

it('a tool still resumes after two kills of n8n, and its agent gets the decision', async () => {
	await startAgent();
	rig.host.restartProcess();
	await advanceTime(12 * MINUTE);
	rig.host.restartProcess();
	decide('One?', 'denied');
	await advanceTime(6 * MINUTE);
	expect(readAgentOutput()).toMatchObject([
		[{ toolResult: [{ outcome: 'denied', approved: false }] }],
	]);
	expect(rig.service.approvals.size).toBe(1);
});

it.each([
	["={{ $fromAI('question').length }}", {}],
	['={{ $json.question.length }}', {}],
	['={{ $json.question.length }}', { operation: 'create', wait: true, waitLimit: 20 }],
])('an agent must not choose the user who decides: %s %j', async (twofactorId, parameters) => {
	const { run } = await startAgent({ twofactorId, ...parameters });
	expect(rig.service.approvals.size).toBe(0);
	expect(run!.data.resultData.runData.Ask!.at(-1)!.error?.message).toMatch(
		/^'User ID' must not be chosen by the agent\. Tell the person who runs this workflow: /,
	);
});

it('a workflow without an agent may choose the user by an expression', async () => {
	rig.open(sendAndWait({ twofactorId: '={{ $json.user }}' }));
	await rig.start({ question: 'One?', user: '100002' });
	expect(rig.service.approvals.size).toBe(1);
});
