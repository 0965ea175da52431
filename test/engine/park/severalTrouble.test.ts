import { manager, several, twoOfThree, useSeveral, withDeputy } from './severalLevels';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { world, open, start, pass, passedOf, statusOf, vote, sent } = useSeveral();

it('a response that is not recognized keeps the level open, and resumes nothing again and again', async () => {
	open(several([twoOfThree]));
	await start('One?');
	const odd = { approval_request: { uuid: 'uuid-3', status: 5 }, success: true };
	world.service.respondInstead = (method, uuid) =>
		method === 'GET' && uuid === 'uuid-3' ? { status: 200, body: odd } : undefined;
	vote('1');
	vote('2');
	await pass(30 * MINUTE);
	expect(passedOf('1')).toBeUndefined();
	expect(world.host.calls.length).toBeLessThan(3);
	vote('3', 'denied');
	world.service.respondInstead = () => undefined;
	await pass(8 * MINUTE);
	expect(passedOf('1')).toMatchObject([[{ outcome: 'denied', id: 'uuid-3' }]]);
});

it('a request that the service has forgotten is no vote', async () => {
	open(several([twoOfThree]));
	await start('One?');
	world.service.approvals.delete('uuid-1');
	vote('2');
	await pass(10 * MINUTE);
	expect(statusOf('1')).toBe('waiting');
	world.service.approvals.delete('uuid-3');
	await pass(10 * MINUTE);
	expect(passedOf('1')).toMatchObject([
		[
			{
				outcome: 'gone',
				decisions: [{ outcome: 'gone' }, { outcome: 'approved' }, { outcome: 'gone' }],
			},
		],
	]);
});

it('deputies are asked although a request of the people expired', async () => {
	open(several([withDeputy], { oneDenialEnds: false }));
	await start('One?');
	vote('1');
	vote('2', 'expired');
	vote('3', 'denied');
	await pass(4 * MINUTE);
	expect(statusOf('1')).toBe('waiting');
	await pass(13 * MINUTE);
	expect(sent()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	vote('7');
	await pass(6 * MINUTE);
	expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
});

it('the clock is set back an hour while deputies are due: they are asked later, once', async () => {
	open(several([withDeputy]));
	await start('One?');
	jest.setSystemTime(Date.now() - HOUR);
	await pass(30 * MINUTE);
	expect(sent()).toEqual({ 1: 1, 2: 1, 3: 1 });
	await pass(50 * MINUTE);
	expect(sent()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	vote('1');
	vote('7');
	await pass(6 * MINUTE);
	expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
});

it('where n8n cannot park, the execution keeps running, for an hour at most', async () => {
	open(several([manager, twoOfThree]), { first: false });
	void world.host.start([{ question: 'One?' }]);
	await pass(MINUTE);
	expect(statusOf('1')).toBe('running');
	vote('9');
	await pass(MINUTE);
	expect(sent()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	expect(world.service.users.get('uuid-2')!.seconds).toBeLessThanOrEqual(3600);
	await pass(HOUR);
	expect(passedOf('1')).toMatchObject([[{ outcome: 'stillOutstanding', level: 'Finance' }]]);
});

it('Fail On judges the whole, not a single vote', async () => {
	const options = { oneDenialEnds: false, errorOutcomes: ['denied'] };
	open(several([twoOfThree], options));
	await start('One?');
	vote('1', 'denied');
	vote('2');
	vote('3');
	await pass(10_000);
	expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	await start('Two?');
	vote('1', 'denied');
	vote('3', 'denied');
	await pass(10_000);
	expect(statusOf('2')).toBe('error');
	expect(world.host.executions.get('2')!.run!.data.resultData.error!.message).toContain(
		"The approval was denied in 'Finance'",
	);
});

it('a request that the service still calls pending after its time has expired, in the output too', async () => {
	const expiry = { time: { amount: 30, unit: 'minutes' } };
	open(several([manager, { ...twoOfThree, people: '1,2' }], { expiry }));
	await start('One?');
	vote('9');
	await pass(2 * MINUTE);
	vote('1');
	await pass(50 * MINUTE);
	expect(passedOf('1')).toMatchObject([
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
	open(several([{ people: '4,5', needed: 'any' }, manager], { expiry }));
	await start('One?');
	await pass(25 * MINUTE);
	vote('4');
	await pass(21 * MINUTE);
	vote('9');
	await pass(6 * MINUTE);
	expect(passedOf('1')).toMatchObject([
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
		world.service.sentTo(user).map((uuid) => world.service.users.get(uuid)!.seconds!);
	open(several([{ ...withDeputy, deputiesAfter: 40 }, manager], options));
	await start('One?');
	await pass(47 * MINUTE);
	for (const user of ['1', '2', '3']) expect(secondsOf(user)).toEqual([3600, 3600]);
	expect(secondsOf('7')).toEqual([3600]);
	// The first requests have expired, the reminders have not.
	await pass(28 * MINUTE);
	vote('1');
	vote('7');
	await pass(6 * MINUTE);
	const [left] = secondsOf('9');
	expect(left).toBeGreaterThanOrEqual((110 - 47 - 28 - 6) * 60 - 5);
	expect(left).toBeLessThanOrEqual((110 - 47 - 28) * 60);
	await pass(36 * MINUTE);
	expect(passedOf('1')).toMatchObject([[{ outcome: 'stillOutstanding', level: 'Manager' }]]);
});
