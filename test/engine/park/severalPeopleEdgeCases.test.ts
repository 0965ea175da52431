// Protects decisions of several people when requests expire, vanish or are not recognized: only answers count as votes.
import { FIRST_EXECUTION_ID } from './parkRig';
import {
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const {
	rig,
	open,
	start,
	advanceTime,
	readNextInputs,
	readStatus,
	decideLastRequestOf,
	countRequests,
} = useSeveralPeople();

it.each([
	['a response with status 400', 400, { message: 'Odd request' }],
	[
		'an unrecognized response',
		200,
		{ approval_request: { uuid: 'uuid-3', status: 5 }, success: true },
	],
])(
	'%s to a poll keeps the level open, and the execution does not resume again and again',
	async (_, status, body) => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		rig.service.replaceResponse = (method, uuid) =>
			method === 'GET' && uuid === 'uuid-3' ? { status, body } : undefined;
		decideLastRequestOf('1');
		decideLastRequestOf('2');
		await advanceTime(30 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
		expect(rig.host.resumeCalls.length).toBeLessThan(3);
		decideLastRequestOf('3', 'denied');
		rig.service.replaceResponse = () => undefined;
		await advanceTime(8 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'denied', id: 'uuid-3' }],
		]);
	},
);

it('a request that the service no longer has does not count as a vote', async () => {
	open(severalPeopleParameters([twoOfThree]));
	await start('One?');
	rig.service.approvals.delete('uuid-1');
	decideLastRequestOf('2');
	await advanceTime(10 * MINUTE);
	expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
	rig.service.approvals.delete('uuid-3');
	await advanceTime(10 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[
			{
				outcome: 'gone',
				decisions: [{ outcome: 'gone' }, { outcome: 'approved' }, { outcome: 'gone' }],
			},
		],
	]);
});

it('a deputy gets a request if a request expired and the people who are left cannot decide', async () => {
	open(severalPeopleParameters([withDeputy], { oneDenialEnds: false }));
	await start('One?');
	decideLastRequestOf('1');
	decideLastRequestOf('2', 'expired');
	decideLastRequestOf('3', 'denied');
	await advanceTime(4 * MINUTE);
	expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
	await advanceTime(13 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	decideLastRequestOf('7');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
});

it('a deputy gets one request, an hour later, if the clock is set back an hour before it is due', async () => {
	open(severalPeopleParameters([withDeputy]));
	await start('One?');
	jest.setSystemTime(Date.now() - HOUR);
	await advanceTime(30 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
	await advanceTime(50 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	decideLastRequestOf('1');
	decideLastRequestOf('7');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
});

it('the wait of an execution that cannot be parked ends after an hour', async () => {
	open(severalPeopleParameters([manager, twoOfThree]), { firstNode: false });
	void rig.host.start([{ question: 'One?' }]);
	await advanceTime(MINUTE);
	expect(readStatus(FIRST_EXECUTION_ID)).toBe('running');
	decideLastRequestOf('9');
	await advanceTime(MINUTE);
	expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	expect(rig.service.recipients.get('uuid-2')!.expirySeconds).toBeLessThanOrEqual(3600);
	await advanceTime(HOUR);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'stillOutstanding', level: 'Finance' }],
	]);
});

it('the option Fail On applies to the final outcome, not to the vote of one person', async () => {
	const options = { oneDenialEnds: false, errorOutcomes: ['denied'] };
	open(severalPeopleParameters([twoOfThree], options));
	await start('One?');
	decideLastRequestOf('1', 'denied');
	decideLastRequestOf('2');
	decideLastRequestOf('3');
	await advanceTime(10_000);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
	const secondExecution = await start('Two?');
	decideLastRequestOf('1', 'denied');
	decideLastRequestOf('3', 'denied');
	await advanceTime(10_000);
	expect(readStatus(secondExecution.id)).toBe('error');
	expect(secondExecution.run!.data.resultData.error!.message).toContain(
		"The approval was denied in 'Finance'",
	);
});

it('a request that the service reports as pending after its expiry is expired in the output', async () => {
	const expiry = { time: { amount: 30, unit: 'minutes' } };
	open(severalPeopleParameters([manager, { ...twoOfThree, people: '1,2' }], { expiry }));
	await start('One?');
	decideLastRequestOf('9');
	await advanceTime(2 * MINUTE);
	decideLastRequestOf('1');
	await advanceTime(50 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[
			{
				outcome: 'expired',
				decisions: [{ outcome: 'approved' }, { outcome: 'approved' }, { outcome: 'expired' }],
			},
		],
	]);
});

it('a request without an answer stays pending in the output if other people decided its level', async () => {
	const expiry = { time: { amount: 30, unit: 'minutes' } };
	open(severalPeopleParameters([{ people: '4,5', needed: 'any' }, manager], { expiry }));
	await start('One?');
	await advanceTime(25 * MINUTE);
	decideLastRequestOf('4');
	await advanceTime(21 * MINUTE);
	decideLastRequestOf('9');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ decisions: [{ outcome: 'approved' }, { outcome: 'pending' }, { outcome: 'approved' }] }],
	]);
});

it('each request expires after the time of Expires After, from when it is sent, but no later than the limit', async () => {
	const LIMIT_MINUTES = 110;
	const options = {
		expiry: { time: { amount: 60, unit: 'minutes' } },
		remindAfter: 30,
		limitWaitTime: {
			values: {
				limitType: 'afterTimeInterval',
				resumeAmount: LIMIT_MINUTES,
				resumeUnit: 'minutes',
			},
		},
	};
	const readExpirySeconds = (user: string) =>
		rig.service.uuidsSentTo(user).map((uuid) => rig.service.recipients.get(uuid)!.expirySeconds!);
	open(severalPeopleParameters([{ ...withDeputy, deputiesAfter: 40 }, manager], options));
	await start('One?');
	await advanceTime(47 * MINUTE);
	for (const user of ['1', '2', '3']) expect(readExpirySeconds(user)).toEqual([3600, 3600]);
	expect(readExpirySeconds('7')).toEqual([3600]);
	// The first requests have expired, the reminders have not.
	await advanceTime(28 * MINUTE);
	decideLastRequestOf('1');
	decideLastRequestOf('7');
	await advanceTime(6 * MINUTE);
	const [remainingSeconds] = readExpirySeconds('9');
	expect(remainingSeconds).toBeGreaterThanOrEqual((LIMIT_MINUTES - 47 - 28 - 6) * 60 - 5);
	expect(remainingSeconds).toBeLessThanOrEqual((LIMIT_MINUTES - 47 - 28) * 60);
	await advanceTime(36 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'stillOutstanding', level: 'Manager' }],
	]);
});
