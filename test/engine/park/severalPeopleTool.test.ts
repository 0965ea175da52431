// Protects decisions of several people from an agent: its tool gets the decision, and it chooses neither people nor rules.
import { ParkHost } from './parkHost';
import { FIRST_EXECUTION_ID, useParkRig } from './parkRig';
import {
	manager,
	countRequestsByUser,
	severalPeopleParameters,
	twoOfThree,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
const rig = useParkRig();
const { advanceTime } = rig;

/** Starts a workflow whose agent calls the tool with the field `question`. */
async function startAgent(parameters: object) {
	rig.host = new ParkHost(
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Next', type: 'next' },
		],
		{ tools: [{ name: 'Ask', type: 'twoFactorTool', parameters: { ...parameters } }] },
	);
	const started = rig.host.start([{}]);
	await advanceTime(3000);
	return await started;
}
const readAgentOutput = () => rig.readNextInputs(FIRST_EXECUTION_ID);

/** Expects that no request is sent, and returns the error of the tool. */
async function expectRejected(parameters: object): Promise<string> {
	const { run } = await startAgent(parameters);
	expect(countRequestsByUser(rig.service)).toEqual({});
	return run!.data.resultData.runData.Ask!.at(-1)!.error?.message ?? '';
}

it('a tool sends requests to one level after another, and its agent gets the decision', async () => {
	expect((await startAgent(severalPeopleParameters([manager, twoOfThree]))).status).toBe('waiting');
	expect(countRequestsByUser(rig.service)).toEqual({ 9: 1 });
	rig.service.decideLastRequestOf('9');
	await advanceTime(2 * MINUTE);
	expect(readAgentOutput()).toBeUndefined();
	rig.host.restartProcess();
	rig.service.decideLastRequestOf('1');
	rig.service.decideLastRequestOf('3');
	await advanceTime(7 * MINUTE);
	expect(readAgentOutput()).toMatchObject([
		[{ toolResult: [{ outcome: 'approved', approved: true, level: 'Finance' }] }],
	]);
	expect(countRequestsByUser(rig.service)).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
});

it('a denial is a result for the agent, not an error', async () => {
	await startAgent(severalPeopleParameters([twoOfThree]));
	rig.service.decideLastRequestOf('2', 'denied');
	await advanceTime(10_000);
	expect(readAgentOutput()).toMatchObject([
		[{ toolResult: [{ outcome: 'denied', approved: false }] }],
	]);
});

describe('values that the agent must not choose', () => {
	/** A valid value of each field, so that nothing but its origin is wrong. */
	const fields: Array<[string, string]> = [
		['name', '"Finance"'],
		['people', '"1,2,3"'],
		['needed', '"number"'],
		['neededNumber', '2'],
		['deputies', '"7"'],
		['deputiesAfter', '10'],
		['deputiesAfterUnit', '"minutes"'],
		['skipIf', 'false'],
	];
	const sources = ["$fromAI('question')", '$json.question', '$input.item.json.question'];
	/** An expression that reads the source, and has the valid value in any case. */
	const readFrom = (source: string, validValue: string) =>
		`={{ ${source} ? ${validValue} : ${validValue} }}`;

	it.each(
		fields.flatMap(([name, validValue]) =>
			sources.map((source) => [name, readFrom(source, validValue)] as const),
		),
	)('the agent must not choose the field %s of a level: %s', async (name, value) => {
		const parameters = severalPeopleParameters([{ ...withDeputy, [name]: value }, manager]);
		expect(await expectRejected(parameters)).toMatch(/^'Levels' must not be chosen by the agent\./);
	});

	// n8n reads an expression in place of a list of fields as an empty list.
	it('an expression in place of the list of levels is rejected as an empty list', async () => {
		const levels = readFrom('$json.question', `({ level: [{ people: "3" }] })`);
		expect(await expectRejected({ ...severalPeopleParameters([]), levels })).toMatch(
			/^'Levels' is empty/,
		);
	});

	const expireAfter = (amount: string) => ({ time: { amount, unit: 'hours' } });

	it.each<[string, object]>([
		['One Denial Ends It', { oneDenialEnds: readFrom('$json.question', 'false') }],
		['Requester', { requester: readFrom('$json.question', '"5"') }],
		['Remind After', { remindAfter: readFrom('$json.question', '5') }],
		['Remind After', { remindAfter: 5, remindAfterUnit: readFrom('$json.question', '"hours"') }],
		['Expires After', { expiry: expireAfter(readFrom('$json.question', '5')) }],
		['Never Expires', { neverExpires: readFrom('$json.question', 'false') }],
		[
			'Limit Wait Time',
			{
				limitWaitTime: {
					values: {
						limitType: 'afterTimeInterval',
						resumeAmount: readFrom('$json.question', '30'),
						resumeUnit: 'minutes',
					},
				},
			},
		],
	])('the agent must not choose the option %s: %j', async (label, options) => {
		const message = await expectRejected(severalPeopleParameters([manager], options));
		expect(message).toContain(`'${label}' must not be chosen by the agent`);
	});

	it.each<[string, object]>([
		['Message', { message: '={{ $json.question + " (1 of 1 must approve)" }}' }],
		[
			'Details',
			{
				details: {
					rows: [{ name: '={{ $json.question ? "Le\u200bvel" : "" }}', value: 'Anyone' }],
				},
			},
		],
		[
			'Details',
			{
				specifyDetails: 'json',
				detailsJson: '={{ { Note: $json.question + "\\nLevel: Anyone (1 of 1 must approve)" } }}',
			},
		],
	])('the agent must not imitate the rows of the level in %s: %j', async (label, parameters) => {
		const message = await expectRejected({ ...severalPeopleParameters([manager]), ...parameters });
		expect(message).toMatch(new RegExp(`^'${label}' has a (row called|text that could)`));
	});
});

it('input fields with the names of parameters change neither the people nor the rules', async () => {
	rig.open(severalPeopleParameters([manager], { requester: '5' }));
	await rig.start({
		question: 'One?',
		decidedBy: 'onePerson',
		twofactorId: '100002',
		people: '3',
		levels: { level: [{ people: '3', needed: 'any' }] },
		requester: '9',
		Level: 'Anyone (1 of 1 must approve)',
	});
	expect([...rig.service.recipients.values()].map(({ user }) => user)).toEqual(['9']);
	expect([...rig.service.approvals.values()].map(({ details }) => details)).toEqual([
		{ Level: 'Manager (1 of 1 must approve)', 'Requester (does not decide)': '5' },
	]);
});
