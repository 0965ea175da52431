// Protects tool calls that several people review: the tool runs once every level has approved, and neither the model nor a
// public form chooses how it is decided.
import type { IDataObject } from 'n8n-workflow';

import { refundCall, useReviews } from './reviewRig';

const MINUTE = 60_000;
const reviews = useReviews();
const { rig, sentApprovals, readToolResults, start } = reviews;
const { advanceTime } = rig;

const manager = { name: 'Manager', people: '9' };
const finance = { name: 'Finance', people: '1,2', needed: 'any' };

/** Parameters of a review that people of these levels decide. */
const reviewedBy = (levels: IDataObject[], options: IDataObject = {}): IDataObject => ({
	decidedBy: 'severalPeople',
	levels: { level: levels },
	options,
});

it('each level sees the whole call, and the tool runs once every level has approved', async () => {
	const { status } = await start([refundCall()], {
		parameters: reviewedBy([manager, finance], { requester: '5' }),
	});
	expect(status).toBe('waiting');
	rig.service.decideLastRequestOf('9');
	await advanceTime(2 * MINUTE);
	expect(rig.host.toolInputs).toEqual([]);
	const callRows = {
		Tool: 'Refund',
		Agent: 'Agent',
		Workflow: 'Test',
		Arguments: '2, marked •',
		'• Amount': '250',
		'• Guest': 'Ada Lovelace',
		'Requester (does not decide)': '5',
	};
	expect(sentApprovals().map(({ details }) => details)).toEqual([
		{ ...callRows, Level: 'Manager (1 of 1 must approve)' },
		{ ...callRows, Level: 'Finance (1 of 2 must approve)' },
		{ ...callRows, Level: 'Finance (1 of 2 must approve)' },
	]);
	rig.service.decideLastRequestOf('2');
	await advanceTime(2 * MINUTE);
	expect(readToolResults()).toEqual(['Refund ran: [{"done":true}]']);
	expect(rig.host.toolInputs).toHaveLength(1);
	expect(sentApprovals()).toHaveLength(3);
});

it('a denial of the second level denies the call', async () => {
	await start([refundCall()], { parameters: reviewedBy([manager, finance]) });
	rig.service.decideLastRequestOf('9');
	await advanceTime(2 * MINUTE);
	rig.service.decideLastRequestOf('1', 'denied');
	await advanceTime(2 * MINUTE);
	expect(readToolResults()).toEqual(['User rejected the tool call to Refund (id: call_1_0).']);
	expect(rig.host.toolInputs).toEqual([]);
});

it('the review continues if n8n is killed while the second level is open', async () => {
	await start([refundCall()], { parameters: reviewedBy([manager, finance]) });
	rig.service.decideLastRequestOf('9');
	await advanceTime(2 * MINUTE);
	rig.host.restartProcess();
	rig.service.decideLastRequestOf('1');
	await advanceTime(7 * MINUTE);
	expect(readToolResults()).toEqual(['Refund ran: [{"done":true}]']);
	expect(sentApprovals()).toHaveLength(3);
});

it('a call counts toward the limit of five reviews if one of its requests was sent', async () => {
	rig.service.unreachableUsers.add('2');
	const turns = Array.from({ length: 8 }, (_, index) => [refundCall({ id: `call_${index}_0` })]);
	await start(turns, { parameters: reviewedBy([{ name: 'Finance', people: '1,2' }]) });
	await advanceTime(2 * MINUTE);
	expect(rig.service.uuidsSentTo('1')).toHaveLength(5);
	expect(readToolResults()![0]).toContain('The person was asked, but');
	expect(readToolResults()!.at(-1)).toContain('no more are asked for in this run');
});

it('a call does not count toward the limit of five reviews if none of its requests could be sent', async () => {
	rig.service.unreachableUsers.add('1').add('2');
	const turns = Array.from({ length: 7 }, (_, index) => [refundCall({ id: `call_${index}_0` })]);
	await start(turns, { parameters: reviewedBy([{ name: 'Finance', people: '1,2' }]) });
	await advanceTime(2 * MINUTE);
	expect(readToolResults()!.at(-1)).toContain("The person couldn't be asked: Too few people");
});

describe('values that the agent must not choose', () => {
	const FROM_MODEL = "={{ $fromAI('x', '', 'string') }}";
	const FROM_CALL = '={{ $json.toolParameters.Amount }}';
	const levelFields = {
		name: 'Finance',
		people: '1',
		needed: 'number',
		neededNumber: 1,
		deputies: '2',
		deputiesAfter: 5,
		deputiesAfterUnit: 'minutes',
		skipIf: false,
	};

	it.each(
		Object.keys(levelFields).flatMap((name) =>
			[FROM_MODEL, FROM_CALL].map((value) => [name, value] as const),
		),
	)('the agent must not choose the field %s of a level: %s', async (name, value) => {
		const parameters = reviewedBy([{ ...levelFields, [name]: value }]);
		const message = await reviews.expectRejected([refundCall()], { parameters });
		expect(message).toContain("'Levels' must not be chosen by the agent");
	});

	it.each([
		['One Denial Ends It', 'oneDenialEnds', 'true'],
		['Requester', 'requester', '"5"'],
		['Remind After', 'remindAfter', '5'],
		['Remind After', 'remindAfterUnit', '"minutes"'],
	])('the agent must not choose the option %s (%s)', async (label, name, validValue) => {
		const value = `={{ $json.toolParameters ? ${validValue} : ${validValue} }}`;
		const parameters = reviewedBy([finance], { remindAfter: 5, [name]: value });
		const message = await reviews.expectRejected([refundCall()], { parameters });
		expect(message).toContain(`'${label}' must not be chosen by the agent`);
	});

	it('the agent must not choose the list of levels', async () => {
		const parameters = { decidedBy: 'severalPeople', levels: '={{ $json.levels }}' };
		const items = [{ levels: { level: [{ people: '3' }] } }];
		await reviews.expectRejected([refundCall()], { parameters, items });
	});

	it.each([
		'Level',
		' level ',
		'Ｌｅｖｅｌ',
		'Le\u200bvel',
		'L\u0435v\u0435l',
		'Requester (does not decide)',
	])('a row of Details must not have the name of a row about the decision: %j', async (name) => {
		const parameters = { ...reviewedBy([finance]), details: { rows: [{ name, value: 'Anyone' }] } };
		const message = await reviews.expectRejected([refundCall()], { parameters });
		expect(message).toContain("'Details' has a row called");
	});

	it('a value in Details must not imitate a row about the decision', async () => {
		const rows = [{ name: 'Note', value: '={{ $json.toolParameters.Guest }}' }];
		const parameters = { ...reviewedBy([finance]), details: { rows } };
		const toolParameters = { Guest: 'Anyone (1 of 1 must approve)' };
		const message = await reviews.expectRejected([refundCall({ toolParameters })], { parameters });
		expect(message).toContain("'Details' has a text that could be mistaken for how it is decided");
	});

	it('an argument called Level does not replace the row of the level', async () => {
		await start([refundCall({ toolParameters: { Level: 'Anyone (1 of 1 must approve)' } })], {
			parameters: reviewedBy([manager]),
		});
		expect(sentApprovals()[0]!.details).toMatchObject({
			'• Level': 'Anyone (1 of 1 must approve)',
			Level: 'Manager (1 of 1 must approve)',
		});
	});
});

describe('values that a public form must not choose', () => {
	const READ_USER = "={{ $('Form').first().json.user }}";
	/** An expression that reads the form, and has a valid value in any case. */
	const readForm = (validValue: string) => READ_USER.replace('user', `user ? ${validValue} : 0`);
	const onePerson = (options: IDataObject) => ({ options });
	const expireAfter = (time: IDataObject) =>
		onePerson({ expiry: { time: { amount: 5, unit: 'minutes', ...time } } });
	const limitWaitTo = (values: IDataObject) =>
		onePerson({
			limitWaitTime: {
				values: {
					limitType: 'afterTimeInterval',
					resumeAmount: 5,
					resumeUnit: 'minutes',
					...values,
				},
			},
		});

	it.each<[string, IDataObject]>([
		['Levels', reviewedBy([{ ...finance, people: READ_USER }])],
		['Levels', reviewedBy([{ ...finance, deputies: READ_USER }])],
		['Requester', reviewedBy([finance], { requester: READ_USER })],
		['One Denial Ends It', reviewedBy([finance], { oneDenialEnds: readForm('true') })],
		['Remind After', reviewedBy([finance], { remindAfter: READ_USER })],
		[
			'Remind After',
			reviewedBy([finance], { remindAfter: 5, remindAfterUnit: readForm("'hours'") }),
		],
		['Expires After', expireAfter({ amount: readForm('5') })],
		['Expires After', expireAfter({ unit: readForm("'days'") })],
		['Never Expires', onePerson({ neverExpires: readForm('true') })],
		['Limit Wait Time', limitWaitTo({ resumeAmount: readForm('5') })],
		['Limit Wait Time', limitWaitTo({ resumeUnit: readForm("'days'") })],
		[
			'Limit Wait Time',
			limitWaitTo({
				limitType: readForm("'atSpecifiedTime'"),
				maxDateAndTime: '2100-01-01T00:00:00Z',
			}),
		],
		[
			'Limit Wait Time',
			limitWaitTo({
				limitType: 'atSpecifiedTime',
				maxDateAndTime: readForm("'2100-01-01T00:00:00Z'"),
			}),
		],
		['Long Arguments', onePerson({ longArguments: readForm("'shorten'") })],
	])('a public form must not choose %s: %j', async (label, parameters) => {
		const firstNode = { name: 'Form', type: 'n8n-nodes-base.formTrigger' };
		const items = [{ user: '3' }];
		const message = await reviews.expectRejected([refundCall()], { parameters, firstNode, items });
		expect(message).toContain(`'${label}' is read from Form, where anyone can write it`);
	});

	it.each(['onePerson', 'severalPeople'])(
		'a public form must not choose Decided By: %s',
		async (value) => {
			const decidedBy = readForm(`'${value}'`);
			const message = await reviews.expectRejected([refundCall()], {
				parameters: { ...reviewedBy([finance]), decidedBy },
				firstNode: { name: 'Form', type: 'n8n-nodes-base.formTrigger' },
				items: [{ user: '3' }],
			});
			expect(message).toContain("'Decided By' must be 'One Person' or 'Several People'");
		},
	);

	it.each<[string, IDataObject]>([
		['the agent', { options: '={{ ({ neverExpires: $json.toolParameters ? true : true }) }}' }],
		['a public form', { options: readForm('{ neverExpires: true }') }],
	])('options that are one expression and read %s are not applied', async (_, parameters) => {
		const firstNode = { name: 'Form', type: 'n8n-nodes-base.formTrigger' };
		await start([refundCall()], { parameters, firstNode, items: [{ user: '3' }] });
		expect([...rig.service.recipients.values()]).toEqual([{ user: '100002' }]);
	});
});
