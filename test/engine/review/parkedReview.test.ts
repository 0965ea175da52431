import type { IDataObject, INode } from 'n8n-workflow';

import { refundCall, useReviews } from './reviewRig';
import type { ModelCall } from './reviewVariants';

// n8n's review of tool calls: the agent requests the review, and runs the tool once it is approved.

const reviews = useReviews();
const { rig, sentApprovals, lastToolResults } = reviews;
const { advanceTime } = rig;

const DENIED = 'User rejected the tool call to Refund (id: call_1_0).';
const RAN = 'Refund ran: [{"done":true}]';
const reviewed = (message: string) =>
	`The user reviewed your planned tool call to Refund (id: call_1_0) and provided feedback: "${message} The tool was not run.".`;

const start = async (
	calls: ModelCall[] = [refundCall()],
	parameters: IDataObject = {},
	settings: Partial<INode> = {},
) => await reviews.start(calls, { parameters, settings });
const decide = (status: string, index = 0) => {
	sentApprovals()[index]!.status = status;
};

it('the phone shows the tool and every argument, and the tool runs once it is approved', async () => {
	expect((await start()).status).toBe('waiting');
	expect(sentApprovals()).toEqual([
		{
			message: 'The agent wants to run the tool Refund',
			details: {
				Tool: 'Refund',
				Agent: 'Agent',
				Workflow: 'Test',
				Arguments: '2, marked •',
				'• Amount': '250',
				'• Guest': 'Ada Lovelace',
			},
			status: 'pending',
		},
	]);
	decide('approved');
	await advanceTime(10_000);
	expect(lastToolResults()).toEqual([RAN]);
	expect(sentApprovals()).toHaveLength(1);
});

it.each([
	['denied', DENIED],
	['expired', reviewed('No decision: the request expired before the person answered.')],
])('the agent is informed that the request was %s', async (status, message) => {
	await start();
	decide(status);
	await advanceTime(10_000);
	expect(lastToolResults()).toEqual([message]);
});

it('the tool runs once it is approved, even if n8n was killed meanwhile', async () => {
	await start();
	rig.host.restartProcess();
	decide('approved');
	await advanceTime(6 * 60_000);
	expect(lastToolResults()).toEqual([RAN]);
	expect(sentApprovals()).toHaveLength(1);
});

it('the agent is informed when the waiting time is over', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'minutes' };
	await start([refundCall()], { options: { limitWaitTime: { values } } });
	await advanceTime(4 * 60_000);
	expect(lastToolResults()).toEqual([reviewed('No decision: the person did not answer in time.')]);
});

it('the agent is informed if the service no longer has the request', async () => {
	await start();
	rig.service.approvals.clear();
	await advanceTime(10 * 60_000);
	expect(lastToolResults()?.[0]).toContain('No decision is known');
});

it('the agent is informed of every outcome, including those that are errors elsewhere', async () => {
	await start([refundCall()], { options: { errorOutcomes: ['denied', 'expired'] } });
	decide('denied');
	await advanceTime(10_000);
	expect(lastToolResults()).toEqual([DENIED]);
});

describe('if no request could be sent', () => {
	beforeEach(() => {
		rig.service.replaceResponse = () => ({
			status: 401,
			body: { message: 'Invalid API key', error_code: '60001', success: false },
		});
	});

	it.each([undefined, 'continueRegularOutput' as const])(
		'the agent is informed of the reason (On Error: %s)',
		async (onError) => {
			expect((await start([refundCall()], {}, { onError })).status).toBe('success');
			expect(lastToolResults()?.[0]).toMatch(
				/feedback: "The person couldn't be asked: Two-factor service: Invalid API key \(60001\)\. Tell the person who runs this workflow: Check 'API Key'.* The tool was not run\."\.$/,
			);
		},
	);

	it("the workflow stops if the node's settings say so", async () => {
		const { run } = await start([refundCall()], {}, { onError: 'stopWorkflow' });
		const task = run!.data.resultData.runData.Ask!.at(-1)!;
		expect(task.error?.message).toContain('Invalid API key');
	});
});

it('each of several simultaneous calls gets its own request and decision', async () => {
	const other = refundCall({ id: 'call_1_1', tool: 'Delete', toolParameters: { Guest: 7 } });
	await start([refundCall(), other]);
	await advanceTime(10_000);
	for (let tries = 0; tries < 5 && sentApprovals().length < 2; tries++) {
		decide(sentApprovals()[0]!.details!.Tool === 'Refund' ? 'approved' : 'denied');
		await advanceTime(10_000);
	}
	expect(sentApprovals().map(({ details }) => details!.Tool)).toEqual(
		expect.arrayContaining(['Refund', 'Delete']),
	);
	decide(sentApprovals()[1]!.details!.Tool === 'Refund' ? 'approved' : 'denied', 1);
	await advanceTime(10_000);
	// As in n8n, the model gets no result for a call that was denied in a turn where another was approved.
	expect(lastToolResults()).toEqual([RAN]);
	expect(rig.host.toolInputs).toHaveLength(1);
});

const expectRejected = async (calls: ModelCall[], parameters: IDataObject = {}) =>
	await reviews.expectRejected(calls, { parameters });

describe('misleading calls of the model', () => {
	it.each<[string, Partial<ModelCall>, RegExp]>([
		[
			'that names another tool',
			{ hitlParameters: { tool: 'Look_up' } },
			/a different tool for review/,
		],
		[
			'with an argument that chooses the tool',
			{ toolParameters: { tool: 'Delete' } },
			/a different tool for review/,
		],
		[
			'with a second set of arguments',
			{ toolParameters: { Amount: 1, query: { Amount: 9999 } } },
			/the same argument twice/,
		],
	])('a call %s is rejected', async (_, changes, message) => {
		expect(await expectRejected([refundCall(changes)])).toMatch(message);
	});
});

describe('values that the agent must not choose', () => {
	const time = (amount: string) => ({ options: { expiry: { time: { unit: 'minutes', amount } } } });
	const limit = (resumeAmount: string) => ({
		options: { limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount } } },
	});
	it.each<[string, IDataObject]>([
		['User ID', { twofactorId: "={{ $fromAI('user', '', 'string') }}" }],
		['User ID', { twofactorId: '={{ $fromai("user") }}' }],
		['User ID', { twofactorId: '={{ $json.user }}' }],
		['User ID', { twofactorId: '={{ $input.item.json.user }}' }],
		['User ID', { twofactorId: '={{ $tool.parameters.Guest.length }}' }],
		['User ID', { twofactorId: '={{ $parameter.message.length }}' }],
		['User ID', { twofactorId: "={{ $('Start').first().json.toolParameters ?? '666' }}" }],
		['Expires After', time("={{ $fromAI('minutes') }}")],
		['Never Expires', { options: { neverExpires: "={{ $fromAI('forever') }}" } }],
		['Limit Wait Time', limit('={{ $json.minutes }}')],
	])('the agent must not choose %s: %j', async (label, parameters) => {
		const hitlParameters = { user: '666', minutes: 1 };
		const message = await expectRejected([refundCall({ hitlParameters })], parameters);
		expect(message).toContain(
			`'${label}' must not be chosen by the agent. Tell the person who runs`,
		);
	});

	it('an earlier node may choose the user', async () => {
		const parameters = { twofactorId: "={{ $('Start').first().json.user }}" };
		await reviews.start([refundCall()], { parameters, items: [{ user: '666' }] });
		expect(sentApprovals()).toHaveLength(1);
	});
});

describe('public input and the user who decides', () => {
	const WEBHOOK = 'n8n-nodes-base.webhook';
	const FORM = 'n8n-nodes-base.formTrigger';
	const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
	const decisionNode = (type: string, parameters: IDataObject, expression: string) => ({
		first: { name: "Guest's form", type, parameters: parameters as INode['parameters'] },
		items: [{ user: '100002' }],
		parameters: { twofactorId: expression },
	});
	const READ = "={{ $('Guest\\'s form').first().json.user }}";
	const LOGIN = { authentication: 'basicAuth' };

	it.each<[string, IDataObject, string]>([
		[WEBHOOK, {}, READ],
		[WEBHOOK, { authentication: 'none' }, `={{ $("Guest's form").item.json.user }}`],
		[WEBHOOK, { authentication: '={{ "basicAuth" }}' }, READ],
		[FORM, {}, READ],
		[CHAT, { public: true }, READ],
	])('%s %j must not choose the user: %s', async (type, parameters, expression) => {
		const message = await reviews.expectRejected(
			[refundCall()],
			decisionNode(type, parameters, expression),
		);
		expect(message).toContain("'User ID' is read from Guest's form, where anyone can write it");
		expect(message).toContain('Tell the person who runs this workflow: Give');
	});

	it.each<[string, IDataObject]>([
		[WEBHOOK, { authentication: 'headerAuth' }],
		[FORM, LOGIN],
		[CHAT, { public: true, authentication: 'n8nUserAuth' }],
		[CHAT, { public: false }],
	])('%s %j may choose the user, since it requires a login', async (type, parameters) => {
		// Behind a chat the review waits without parking, so that the start does not return.
		void reviews.start([refundCall()], decisionNode(type, parameters, READ));
		await advanceTime(3000);
		expect(sentApprovals()).toHaveLength(1);
	});
});

describe('the message', () => {
	it.each([
		['={{ $tool.parameters }}', 'The agent wants to run the tool Refund'],
		['Really?', 'Really?'],
		["={{ $fromAI('why') }}", 'The agent says: It is urgent'],
		[`=${'x'.repeat(200)}`, `${'x'.repeat(143)}…`],
		['=Pay\u202e {{ $tool.parameters.Amount }}', 'The agent says: "Pay\\u202e 250"'],
	])('the message %s is shown as %s', async (message, shown) => {
		await start([refundCall({ hitlParameters: { why: 'It is urgent' } })], { message });
		expect(sentApprovals()).toMatchObject([{ message: shown, details: { '• Amount': '250' } }]);
		decide('approved');
		await advanceTime(10_000);
		expect(lastToolResults()).toEqual([RAN]);
	});
});

describe('details that the workflow adds', () => {
	const rows = (name: string, value: string) => ({ details: { rows: [{ name, value }] } });

	it('details are shown beside the tool call', async () => {
		const details = rows('Reason', "={{ $fromAI('why') }}");
		await start([refundCall({ hitlParameters: { why: 'Late\ntrain' } })], details);
		expect(sentApprovals()[0]!.details).toMatchObject({
			Tool: 'Refund',
			Reason: 'The agent says: "Late\\ntrain"',
		});
	});

	it.each(['Tool', ' tool', 'ＴＯＯＬ', '• Amount', 'Arguments'])(
		'a detail must not have the name of a row about the tool call: %s',
		async (name) => {
			await expectRejected([refundCall()], rows(name, 'x'));
		},
	);

	it('the agent must not choose the name of a detail', async () => {
		const hitlParameters = { name: 'Amount paid' };
		await expectRejected([refundCall({ hitlParameters })], rows("={{ $fromAI('name') }}", 'x'));
	});
});

describe('arguments that are too long', () => {
	const long = refundCall({ toolParameters: { Text: `${'a'.repeat(2000)}${'z'.repeat(1000)}` } });

	it('long arguments are rejected, and the agent gets advice', async () => {
		const message = await expectRejected([long]);
		expect(message).toMatch(/The argument Text has more than 2,000 characters/);
		expect(message).toMatch(
			/Use fewer or shorter arguments in one call\. Tell the person who runs/,
		);
	});

	it('long arguments are shown with their beginning and end if the option is set', async () => {
		await start([long], { options: { longArguments: 'shorten' } });
		expect(sentApprovals()[0]!.details!['• Text']).toBe(
			`${'a'.repeat(1000)} […1,000 characters hidden…] ${'z'.repeat(1000)}`,
		);
	});

	it('arguments of up to 2,000 characters are accepted', async () => {
		await start([refundCall({ toolParameters: { Text: 'a'.repeat(2000) } })]);
		expect(sentApprovals()[0]!.details!['• Text']).toBe('a'.repeat(2000));
	});
});
