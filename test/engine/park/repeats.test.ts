// Protects people from a second request when n8n repeats the sending run or the resumed run (Retry On Fail).
import { ParkHost } from './parkHost';
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The question of every attempt to send a request, in order. */
let sentQuestions: string[];
/** How the first attempt of a question fails: the service rejects the request, or its response is lost. */
let firstFailures: Record<string, 'rejected' | 'lost'>;
beforeEach(() => {
	sentQuestions = [];
	firstFailures = {};
	const { service } = rig;
	const respond = service.respond.bind(service);
	service.respond = async (options) => {
		if (options.method !== 'POST') return await respond(options);
		const { message } = JSON.parse(`${options.body as string}`) as { message: string };
		const failure = sentQuestions.includes(message) ? undefined : firstFailures[message];
		sentQuestions.push(message);
		if (failure === 'rejected')
			return { status: 400, body: { message: 'Not now', success: false } };
		const response = await respond(options);
		return failure === 'lost' ? { status: 502, body: '<p>Bad gateway' } : response;
	};
});
const readOutputs = () => rig.readNextInputs(FIRST_EXECUTION_ID);

it.each([
	['parked wait', {}],
	['blocking wait', { settings: { executionOrder: 'v0' as const } }],
])('in a %s only the rejected request is sent again', async (_, workflowOptions) => {
	firstFailures = { 'b?': 'rejected' };
	open(sendAndWait(), { ...retryOnFail, ...workflowOptions });
	const started = rig.host.start([{ question: 'a?' }, { question: 'b?' }]);
	await advanceTime(MINUTE);
	expect(sentQuestions).toEqual(['a?', 'b?', 'b?']);
	decide('a?');
	decide('b?', 'denied');
	await advanceTime(6 * MINUTE);
	await started;
	expect(readOutputs()).toMatchObject([
		[
			{ id: 'uuid-1', outcome: 'approved' },
			{ id: 'uuid-2', outcome: 'denied' },
		],
	]);
	expect(sentQuestions).toHaveLength(3);
});

it('no request is sent again if a response was lost, and the error says that the request may have been sent', async () => {
	firstFailures = { 'b?': 'lost' };
	open(sendAndWait(), retryOnFail);
	const { status, run } = await start('a?', 'b?', 'c?');
	expect(status).toBe('error');
	expect(sentQuestions).toEqual(['a?', 'b?']);
	expect(run!.data.resultData.error).toMatchObject({
		description: expect.stringMatching(/unclear whether the approval request went out/) as string,
	});
});

it('with Continue On Fail the other items wait for their decisions after a lost response', async () => {
	firstFailures = { 'a?': 'lost' };
	open(sendAndWait(), { ...retryOnFail, onError: 'continueRegularOutput' });
	await start('a?', 'b?');
	decide('b?');
	await advanceTime(6 * MINUTE);
	expect(sentQuestions).toEqual(['a?', 'b?']);
	expect(readOutputs()).toMatchObject([
		[{ error: expect.stringMatching(/web page/) as string }, { outcome: 'approved' }],
	]);
});

it.each([
	['in the process that parked it', false],
	['after a restart of n8n', true],
])('a resumed wait that fails %s sends no request again', async (_, isRestarted) => {
	open(sendAndWait({ options: { errorOutcomes: ['denied'] } }), retryOnFail);
	const execution = await start('a?', 'b?');
	if (isRestarted) rig.host.restartProcess();
	decide('a?');
	decide('b?', 'denied');
	await advanceTime(6 * MINUTE);
	expect(execution.status).toBe('error');
	expect(execution.run!.data.resultData.error!.message).toMatch(/denied/);
	expect(sentQuestions).toEqual(['a?', 'b?']);
});

describe('a tool of an agent', () => {
	const callTool = async (callCount: number) => {
		rig.host = new ParkHost(
			[
				{ name: 'Start', type: 'start' },
				{ name: 'Agent', type: 'agent', parameters: { callCount } },
				{ name: 'Next', type: 'next' },
			],
			{
				tools: [
					{
						name: 'Ask',
						type: 'twoFactorTool',
						...retryOnFail,
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

	it('sends a request again if the service rejected it', async () => {
		firstFailures = { 'One?': 'rejected' };
		await callTool(1);
		expect(sentQuestions).toEqual(['One?', 'One?']);
		expect(rig.service.approvals.size).toBe(1);
		expect(readOutputs()).toMatchObject([[{ toolResult: [{ id: 'uuid-1' }] }]]);
	});

	it('does not send a request again if its response was lost', async () => {
		firstFailures = { 'One?': 'lost' };
		await callTool(1);
		expect(sentQuestions).toEqual(['One?']);
	});

	it('sends two requests if the model calls the tool twice with equal arguments', async () => {
		await callTool(2);
		expect(sentQuestions).toEqual(['One?', 'One?']);
		expect(rig.service.approvals.size).toBe(2);
	});
});
