import { ParkHost } from './parkHost';
import { sendAndWait, useWorld } from './parkWorld';

// As agents from version 3 on have n8n run their tools: as steps of the workflow.

const world = useWorld();
const { pass, decide } = world;

/** Starts a workflow whose agent asks the phone. */
async function start(parameters = {}) {
	world.host = new ParkHost(
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Next', type: 'next' },
		],
		{ tools: [{ name: 'Ask', type: 'twoFactorTool', parameters: sendAndWait(parameters) }] },
	);
	const started = world.host.start([{}]);
	await pass(3000);
	return await started;
}
const message = () => world.host.nextInputs.get('1');

it('a tool parks the execution, and its agent gets the decision', async () => {
	expect((await start()).status).toBe('waiting');
	decide('One?');
	await pass(10_000);
	expect(message()).toMatchObject([[{ said: [{ outcome: 'approved', approved: true }] }]]);
	expect(world.service.approvals.size).toBe(1);
});

it('n8n itself resumes the tool after the process was killed, and after several polls', async () => {
	await start();
	world.host.restartProcess();
	await pass(12 * 60_000);
	world.host.restartProcess();
	decide('One?', 'denied');
	await pass(6 * 60_000);
	expect(message()).toMatchObject([[{ said: [{ outcome: 'denied', approved: false }] }]]);
	expect(world.service.approvals.size).toBe(1);
});

it.each([
	["={{ $fromAI('question').length }}", {}],
	['={{ $json.question.length }}', {}],
	['={{ $json.question.length }}', { operation: 'create', wait: true, waitLimit: 20 }],
])('an agent does not choose the user: %s %j', async (twofactorId, more) => {
	const { run } = await start({ twofactorId, ...more });
	expect(world.service.approvals.size).toBe(0);
	expect(run!.data.resultData.runData.Ask!.at(-1)!.error?.message).toMatch(
		/^'User ID' must not be chosen by the agent\. Tell the person who runs this workflow: /,
	);
});

it('an ordinary workflow chooses the user by any expression', async () => {
	world.open(sendAndWait({ twofactorId: '={{ $json.user }}' }));
	await world.start({ question: 'One?', user: '100002' });
	expect(world.service.approvals.size).toBe(1);
});
