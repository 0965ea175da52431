import { ParkHost } from './parkHost';
import { sendAndWait, useParkRig } from './parkRig';

// Waits with Retry On Fail: n8n repeats the run that sends, and the run that it resumes.

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The questions that were sent, in order, as often as they were. */
let pushes: string[];
/** Failure of the first push of a question, if any. */
let failFirst: Record<string, 'rejected' | 'lost'>;
beforeEach(() => {
	pushes = [];
	failFirst = {};
	const { service } = rig;
	const respond = service.respond.bind(service);
	service.respond = async (options) => {
		if (options.method !== 'POST') return await respond(options);
		const { message } = JSON.parse(`${options.body as string}`) as { message: string };
		const failure = pushes.includes(message) ? undefined : failFirst[message];
		pushes.push(message);
		if (failure === 'rejected')
			return { status: 400, body: { message: 'Not now', success: false } };
		const response = await respond(options);
		return failure === 'lost' ? { status: 502, body: '<p>Bad gateway' } : response;
	};
});
const outcomes = (id = '1') => rig.host.nextInputs.get(id);

it.each([
	['parked', {}],
	['blocking', { settings: { executionOrder: 'v0' as const } }],
])(
	'a wait that is %s sends no request twice when another item was rejected',
	async (_, workflowOptions) => {
		failFirst = { 'b?': 'rejected' };
		open(sendAndWait(), { ...retry, ...workflowOptions });
		const started = rig.host.start([{ question: 'a?' }, { question: 'b?' }]);
		await advanceTime(MINUTE);
		expect(pushes).toEqual(['a?', 'b?', 'b?']);
		decide('a?');
		decide('b?', 'denied');
		await advanceTime(6 * MINUTE);
		await started;
		expect(outcomes()).toMatchObject([
			[
				{ id: 'uuid-1', outcome: 'approved' },
				{ id: 'uuid-2', outcome: 'denied' },
			],
		]);
		expect(pushes).toHaveLength(3);
	},
);

it('no request is sent twice if the response was lost, and the error says so', async () => {
	failFirst = { 'b?': 'lost' };
	open(sendAndWait(), retry);
	const { status, run } = await start('a?', 'b?', 'c?');
	expect(status).toBe('error');
	expect(pushes).toEqual(['a?', 'b?']);
	expect(run!.data.resultData.error).toMatchObject({
		description: expect.stringMatching(/unclear whether the approval request went out/) as string,
	});
});

it('the other items wait for their decision with Continue On Fail', async () => {
	failFirst = { 'a?': 'lost' };
	open(sendAndWait(), { ...retry, onError: 'continueRegularOutput' });
	await start('a?', 'b?');
	decide('b?');
	await advanceTime(6 * MINUTE);
	expect(pushes).toEqual(['a?', 'b?']);
	expect(outcomes()).toMatchObject([
		[{ error: expect.stringMatching(/web page/) as string }, { outcome: 'approved' }],
	]);
});

it.each([['in the same process'], ['after a restart']])(
	'a resumed wait that fails is repeated by n8n and sends no request again: %s',
	async (where) => {
		open(sendAndWait({ options: { errorOutcomes: ['denied'] } }), retry);
		const execution = await start('a?', 'b?');
		if (where === 'after a restart') rig.host.restartProcess();
		decide('a?');
		decide('b?', 'denied');
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/denied/);
		expect(pushes).toEqual(['a?', 'b?']);
	},
);

describe('the tool of an agent that has n8n run its tools', () => {
	const askTool = async (calls: number) => {
		rig.host = new ParkHost(
			[
				{ name: 'Start', type: 'start' },
				{ name: 'Agent', type: 'agent', parameters: { calls } },
				{ name: 'Next', type: 'next' },
			],
			{
				tools: [
					{
						name: 'Ask',
						type: 'twoFactorTool',
						...retry,
						parameters: {
							resource: 'approvalRequest',
							operation: 'create',
							twofactorId: '100002',
							message: '={{ $json.question }}',
						},
					},
				],
			},
		);
		const started = rig.host.start([{}]);
		await advanceTime(MINUTE);
		return await started;
	};

	it('sends a rejected request again', async () => {
		failFirst = { 'One?': 'rejected' };
		await askTool(1);
		expect(pushes).toEqual(['One?', 'One?']);
		expect(rig.service.approvals.size).toBe(1);
		expect(outcomes()).toMatchObject([[{ said: [{ id: 'uuid-1' }] }]]);
	});

	it('sends a request once if the response was lost', async () => {
		failFirst = { 'One?': 'lost' };
		await askTool(1);
		expect(pushes).toEqual(['One?']);
	});

	it('sends two requests if the model calls it twice with the same arguments', async () => {
		await askTool(2);
		expect(pushes).toEqual(['One?', 'One?']);
		expect(rig.service.approvals.size).toBe(2);
	});
});
