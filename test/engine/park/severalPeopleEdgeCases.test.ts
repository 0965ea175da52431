import {
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { rig, open, start, advanceTime, nextInputsOf, statusOf, decideLastOf, countRequests } =
	useSeveralPeople();

it('an unrecognized response keeps the level open without repeated resumes', async () => {
	open(severalPeopleParameters([twoOfThree]));
	await start('One?');
	const odd = { approval_request: { uuid: 'uuid-3', status: 5 }, success: true };
	rig.service.replaceResponse = (method, uuid) =>
		method === 'GET' && uuid === 'uuid-3' ? { status: 200, body: odd } : undefined;
	decideLastOf('1');
	decideLastOf('2');
	await advanceTime(30 * MINUTE);
	expect(nextInputsOf('1')).toBeUndefined();
	expect(rig.host.calls.length).toBeLessThan(3);
	decideLastOf('3', 'denied');
	rig.service.replaceResponse = () => undefined;
	await advanceTime(8 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'denied', id: 'uuid-3' }]]);
});

it('a request that the service no longer has does not count as a vote', async () => {
	open(severalPeopleParameters([twoOfThree]));
	await start('One?');
	rig.service.approvals.delete('uuid-1');
	decideLastOf('2');
	await advanceTime(10 * MINUTE);
	expect(statusOf('1')).toBe('waiting');
	rig.service.approvals.delete('uuid-3');
	await advanceTime(10 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([
		[
			{
				outcome: 'gone',
				decisions: [{ outcome: 'gone' }, { outcome: 'approved' }, { outcome: 'gone' }],
			},
		],
	]);
});

it('deputies get requests even if a request of the people expired', async () => {
	open(severalPeopleParameters([withDeputy], { oneDenialEnds: false }));
	await start('One?');
	decideLastOf('1');
	decideLastOf('2', 'expired');
	decideLastOf('3', 'denied');
	await advanceTime(4 * MINUTE);
	expect(statusOf('1')).toBe('waiting');
	await advanceTime(13 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	decideLastOf('7');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
});

it('deputies get one request, later, if the clock is set back an hour while they are due', async () => {
	open(severalPeopleParameters([withDeputy]));
	await start('One?');
	jest.setSystemTime(Date.now() - HOUR);
	await advanceTime(30 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
	await advanceTime(50 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	decideLastOf('1');
	decideLastOf('7');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
});

it('the execution keeps running for an hour at most if n8n cannot park it', async () => {
	open(severalPeopleParameters([manager, twoOfThree]), { first: false });
	void rig.host.start([{ question: 'One?' }]);
	await advanceTime(MINUTE);
	expect(statusOf('1')).toBe('running');
	decideLastOf('9');
	await advanceTime(MINUTE);
	expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	expect(rig.service.users.get('uuid-2')!.seconds).toBeLessThanOrEqual(3600);
	await advanceTime(HOUR);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'stillOutstanding', level: 'Finance' }]]);
});

it('Fail On applies to the final outcome, not to a single vote', async () => {
	const options = { oneDenialEnds: false, errorOutcomes: ['denied'] };
	open(severalPeopleParameters([twoOfThree], options));
	await start('One?');
	decideLastOf('1', 'denied');
	decideLastOf('2');
	decideLastOf('3');
	await advanceTime(10_000);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	await start('Two?');
	decideLastOf('1', 'denied');
	decideLastOf('3', 'denied');
	await advanceTime(10_000);
	expect(statusOf('2')).toBe('error');
	expect(rig.host.executions.get('2')!.run!.data.resultData.error!.message).toContain(
		"The approval was denied in 'Finance'",
	);
});

it('a request that stays pending after its expiry is expired in the output, too', async () => {
	const expiry = { time: { amount: 30, unit: 'minutes' } };
	open(severalPeopleParameters([manager, { ...twoOfThree, people: '1,2' }], { expiry }));
	await start('One?');
	decideLastOf('9');
	await advanceTime(2 * MINUTE);
	decideLastOf('1');
	await advanceTime(50 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([
		[
			{
				outcome: 'expired',
				decisions: [{ outcome: 'approved' }, { outcome: 'approved' }, { outcome: 'expired' }],
			},
		],
	]);
});

it('a request of a level that was decided without it stays pending in the output', async () => {
	const expiry = { time: { amount: 30, unit: 'minutes' } };
	open(severalPeopleParameters([{ people: '4,5', needed: 'any' }, manager], { expiry }));
	await start('One?');
	await advanceTime(25 * MINUTE);
	decideLastOf('4');
	await advanceTime(21 * MINUTE);
	decideLastOf('9');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([
		[{ decisions: [{ outcome: 'approved' }, { outcome: 'pending' }, { outcome: 'approved' }] }],
	]);
});

it('each request expires after Expires After, counted from when it is sent, and no later than the limit', async () => {
	const options = {
		expiry: { time: { amount: 60, unit: 'minutes' } },
		remindAfter: 30,
		limitWaitTime: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 110, resumeUnit: 'minutes' },
		},
	};
	const secondsOf = (user: string) =>
		rig.service.uuidsSentTo(user).map((uuid) => rig.service.users.get(uuid)!.seconds!);
	open(severalPeopleParameters([{ ...withDeputy, deputiesAfter: 40 }, manager], options));
	await start('One?');
	await advanceTime(47 * MINUTE);
	for (const user of ['1', '2', '3']) expect(secondsOf(user)).toEqual([3600, 3600]);
	expect(secondsOf('7')).toEqual([3600]);
	// The first requests have expired, the reminders have not.
	await advanceTime(28 * MINUTE);
	decideLastOf('1');
	decideLastOf('7');
	await advanceTime(6 * MINUTE);
	const [remainingSeconds] = secondsOf('9');
	expect(remainingSeconds).toBeGreaterThanOrEqual((110 - 47 - 28 - 6) * 60 - 5);
	expect(remainingSeconds).toBeLessThanOrEqual((110 - 47 - 28) * 60);
	await advanceTime(36 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'stillOutstanding', level: 'Manager' }]]);
});
