// Protects people who review an agent's tool call: they see the whole call, and n8n runs the tool only once they approve.
// Otherwise the agent gets the reason. It chooses neither the user who decides nor the time limits.
import type { IDataObject, INode } from 'n8n-workflow';

import { refundCall, useReviews } from './reviewRig';
import type { ModelCall } from './reviewVariants';

const reviews = useReviews();
const { rig, sentApprovals, readToolResults } = reviews;
const { advanceTime } = rig;

const MINUTE = 60_000;
const DENIED = 'User rejected the tool call to Refund (id: call_1_0).';
const RAN = 'Refund ran: [{"done":true}]';
/** n8n's message to the model about a call that was neither approved nor denied. */
const feedback = (message: string) =>
	`The user reviewed your planned tool call to Refund (id: call_1_0) and provided feedback: "${message} The tool was not run.".`;

const start = async (
	calls: ModelCall[] = [refundCall()],
	parameters: IDataObject = {},
	settings: Partial<INode> = {},
) => await reviews.start(calls, { parameters, settings });
/** Sets the status of a sent request. */
const decide = (status: string, index = 0) => {
	sentApprovals()[index]!.status = status;
};

it('the phone shows the tool and every argument, and the tool runs once the call is approved', async () => {
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
	expect(readToolResults()).toEqual([RAN]);
	expect(sentApprovals()).toHaveLength(1);
});

it.each([
	['denied', DENIED],
	['expired', feedback('No decision: the request expired before the person answered.')],
])('the agent gets a message about a request that was %s', async (status, message) => {
	await start();
	decide(status);
	await advanceTime(10_000);
	expect(readToolResults()).toEqual([message]);
});

it('the tool runs once the call is approved even if n8n was killed before the decision', async () => {
	await start();
	rig.host.restartProcess();
	decide('approved');
	await advanceTime(6 * MINUTE);
	expect(readToolResults()).toEqual([RAN]);
	expect(sentApprovals()).toHaveLength(1);
});

it('the agent gets a message if Limit Wait Time ends the wait', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'minutes' };
	await start([refundCall()], { options: { limitWaitTime: { values } } });
	await advanceTime(4 * MINUTE);
	expect(readToolResults()).toEqual([feedback('No decision: the person did not answer in time.')]);
});

it('the agent gets a message if the service no longer has the request', async () => {
	await start();
	rig.service.approvals.clear();
	await advanceTime(10 * MINUTE);
	expect(readToolResults()?.[0]).toContain('No decision is known');
});

it('the agent gets a message about a denial even if the option Fail On makes it an error', async () => {
	await start([refundCall()], { options: { errorOutcomes: ['denied', 'expired'] } });
	decide('denied');
	await advanceTime(10_000);
	expect(readToolResults()).toEqual([DENIED]);
});

describe('a review whose request cannot be sent', () => {
	beforeEach(() => {
		rig.service.replaceResponse = () => ({
			status: 401,
			body: { message: 'Invalid API key', error_code: '60001', success: false },
		});
	});

	it.each([undefined, 'continueRegularOutput' as const])(
		'the agent gets the reason (On Error: %s)',
		async (onError) => {
			expect((await start([refundCall()], {}, { onError })).status).toBe('success');
			expect(readToolResults()?.[0]).toMatch(
				/feedback: "The person couldn't be asked: Two-factor service: Invalid API key \(60001\)\. Tell the person who runs this workflow: Check 'API Key'.* The tool was not run\."\.$/,
			);
		},
	);

	it('the workflow stops with the reason (On Error: stopWorkflow)', async () => {
		const { run } = await start([refundCall()], {}, { onError: 'stopWorkflow' });
		const task = run!.data.resultData.runData.Ask!.at(-1)!;
		expect(task.error?.message).toContain('Invalid API key');
	});
});

it('two calls in one turn get one request and one decision each', async () => {
	const deleteCall = refundCall({ id: 'call_1_1', tool: 'Delete', toolParameters: { Guest: 7 } });
	await start([refundCall(), deleteCall]);
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
	expect(readToolResults()).toEqual([RAN]);
	expect(rig.host.toolInputs).toHaveLength(1);
});

const expectRejected = async (calls: ModelCall[], parameters: IDataObject = {}) =>
	await reviews.expectRejected(calls, { parameters });

describe('calls that could mislead the person who decides', () => {
	it.each<[string, Partial<ModelCall>]>([
		['that names another tool', { hitlParameters: { tool: 'Look_up' } }],
		['with an argument that chooses the tool', { toolParameters: { tool: 'Delete' } }],
	])('a call %s is rejected', async (_, changes) => {
		expect(await expectRejected([refundCall(changes)])).toMatch(/a different tool for review/);
	});
});

describe('values that the agent must not choose', () => {
	const expireAfter = (amount: string) => ({
		options: { expiry: { time: { unit: 'minutes', amount } } },
	});
	const limitWaitTo = (resumeAmount: string) => ({
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
		['Expires After', expireAfter("={{ $fromAI('minutes') }}")],
		['Never Expires', { options: { neverExpires: "={{ $fromAI('forever') }}" } }],
		['Limit Wait Time', limitWaitTo('={{ $json.minutes }}')],
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

describe('triggers as the source of the user who decides', () => {
	const WEBHOOK = 'n8n-nodes-base.webhook';
	const FORM = 'n8n-nodes-base.formTrigger';
	const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
	/** Setup in which the trigger "Guest's form" starts the workflow, and the expression chooses the user. */
	const setUpTrigger = (type: string, parameters: IDataObject, expression: string) => ({
		firstNode: { name: "Guest's form", type, parameters: parameters as INode['parameters'] },
		items: [{ user: '100002' }],
		parameters: { twofactorId: expression },
	});
	const READ_USER = "={{ $('Guest\\'s form').first().json.user }}";

	it.each<[string, IDataObject, string]>([
		[WEBHOOK, {}, READ_USER],
		[WEBHOOK, { authentication: 'none' }, `={{ $("Guest's form").item.json.user }}`],
		[WEBHOOK, { authentication: '={{ "basicAuth" }}' }, READ_USER],
		[FORM, {}, READ_USER],
		[CHAT, { public: true }, READ_USER],
	])(
		'%s with %j is open to anyone and must not choose the user: %s',
		async (type, parameters, expression) => {
			const setup = setUpTrigger(type, parameters, expression);
			const message = await reviews.expectRejected([refundCall()], setup);
			expect(message).toContain("'User ID' is read from Guest's form, where anyone can write it");
			expect(message).toContain('Tell the person who runs this workflow: Give');
		},
	);

	it.each<[string, IDataObject]>([
		[WEBHOOK, { authentication: 'headerAuth' }],
		[FORM, { authentication: 'basicAuth' }],
		[CHAT, { public: true, authentication: 'n8nUserAuth' }],
		[CHAT, { public: false }],
	])('%s with %j is not open to anyone and may choose the user', async (type, parameters) => {
		// Not awaited: behind a chat the wait is blocking, so the start does not return.
		void reviews.start([refundCall()], setUpTrigger(type, parameters, READ_USER));
		await advanceTime(3000);
		expect(sentApprovals()).toHaveLength(1);
	});
});

describe('the message on the phone', () => {
	it.each([
		['={{ $tool.parameters }}', 'The agent wants to run the tool Refund'],
		['Really?', 'Really?'],
		[`=${'x'.repeat(200)}`, `${'x'.repeat(143)}…`],
		['=Pay\u202e {{ $tool.parameters.Amount }}', 'The agent says: "Pay\\u202e 250"'],
	])('the message %s is shown as %s', async (message, shownMessage) => {
		await start([refundCall()], { message });
		expect(sentApprovals()).toMatchObject([
			{ message: shownMessage, details: { '• Amount': '250' } },
		]);
		decide('approved');
		await advanceTime(10_000);
		expect(readToolResults()).toEqual([RAN]);
	});
});

describe('details that the workflow adds', () => {
	const detailRow = (name: string, value: string) => ({ details: { rows: [{ name, value }] } });

	it('details are shown beside the tool call', async () => {
		const details = detailRow('Reason', "={{ $fromAI('why') }}");
		await start([refundCall({ hitlParameters: { why: 'Late\ntrain' } })], details);
		expect(sentApprovals()[0]!.details).toMatchObject({
			Tool: 'Refund',
			Reason: 'The agent says: "Late\\ntrain"',
		});
	});

	it.each(['Tool', ' tool', 'ＴＯＯＬ', '• Amount', 'Arguments'])(
		'a detail must not have the name of a row about the tool call: %s',
		async (name) => {
			await expectRejected([refundCall()], detailRow(name, 'x'));
		},
	);

	it('the agent must not choose the name of a detail', async () => {
		const hitlParameters = { name: 'Amount paid' };
		await expectRejected(
			[refundCall({ hitlParameters })],
			detailRow("={{ $fromAI('name') }}", 'x'),
		);
	});
});

describe('arguments that are too long', () => {
	const longCall = refundCall({
		toolParameters: { Text: `${'a'.repeat(2000)}${'z'.repeat(1000)}` },
	});

	it('an argument of more than 2,000 characters is rejected, and the agent gets advice', async () => {
		const message = await expectRejected([longCall]);
		expect(message).toMatch(/The argument Text has more than 2,000 characters/);
		expect(message).toMatch(
			/Use fewer or shorter arguments in one call\. Tell the person who runs/,
		);
	});

	it('a long argument is shown with its beginning and end if Long Arguments is set to shorten', async () => {
		await start([longCall], { options: { longArguments: 'shorten' } });
		expect(sentApprovals()[0]!.details!['• Text']).toBe(
			`${'a'.repeat(1000)} […1,000 characters hidden…] ${'z'.repeat(1000)}`,
		);
	});

	it('an argument of 2,000 characters is accepted', async () => {
		await start([refundCall({ toolParameters: { Text: 'a'.repeat(2000) } })]);
		expect(sentApprovals()[0]!.details!['• Text']).toBe('a'.repeat(2000));
	});
});
