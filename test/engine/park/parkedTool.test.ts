import { ParkHost } from './parkHost';
import { sendAndWait, useParkRig } from './parkRig';

// As agents from version 3 on have n8n run their tools: as steps of the workflow.

const rig = useParkRig();
const { advanceTime, decide } = rig;

/** Starts a workflow whose agent requests an approval. */
async function start(parameters = {}) {
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
const message = () => rig.host.nextInputs.get('1');

it('a tool parks the execution, and its agent gets the decision', async () => {
	expect((await start()).status).toBe('waiting');
	decide('One?');
	await advanceTime(10_000);
	expect(message()).toMatchObject([[{ said: [{ outcome: 'approved', approved: true }] }]]);
	expect(rig.service.approvals.size).toBe(1);
});

it('n8n itself resumes the tool after the process was killed, and after several polls', async () => {
	await start();
	rig.host.restartProcess();
	await advanceTime(12 * 60_000);
	rig.host.restartProcess();
	decide('One?', 'denied');
	await advanceTime(6 * 60_000);
	expect(message()).toMatchObject([[{ said: [{ outcome: 'denied', approved: false }] }]]);
	expect(rig.service.approvals.size).toBe(1);
});

it.each([
	["={{ $fromAI('question').length }}", {}],
	['={{ $json.question.length }}', {}],
	['={{ $json.question.length }}', { operation: 'create', wait: true, waitLimit: 20 }],
])('an agent does not choose the user: %s %j', async (twofactorId, parameters) => {
	const { run } = await start({ twofactorId, ...parameters });
	expect(rig.service.approvals.size).toBe(0);
	expect(run!.data.resultData.runData.Ask!.at(-1)!.error?.message).toMatch(
		/^'User ID' must not be chosen by the agent\. Tell the person who runs this workflow: /,
	);
});

it('an ordinary workflow chooses the user by any expression', async () => {
	rig.open(sendAndWait({ twofactorId: '={{ $json.user }}' }));
	await rig.start({ question: 'One?', user: '100002' });
	expect(rig.service.approvals.size).toBe(1);
});
