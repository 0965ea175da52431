import { sendAndWait } from './parkRig';
import {
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than a resumed execution stays running while n8n may still go through those that crashed. */
const AFTER_START = 2 * MINUTE;
const { rig, open, start, advanceTime, nextInputsOf, statusOf, decideLastOf, countRequests } =
	useSeveralPeople();

describe('an item that several people decide', () => {
	it('sends requests to all of them, and resumes only when enough have approved', async () => {
		open(severalPeopleParameters([twoOfThree]));
		const execution = await start('One?');
		expect(execution.status).toBe('waiting');
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
		await advanceTime(20_000);
		decideLastOf('2');
		await advanceTime(60_000);
		expect(rig.host.calls).toEqual([]);
		decideLastOf('3');
		await advanceTime(4000);
		expect(execution.status).toBe('success');
		expect(rig.host.calls).toHaveLength(1);
		expect(nextInputsOf('1')).toMatchObject([
			[
				{
					id: 'uuid-3',
					outcome: 'approved',
					approved: true,
					level: 'Finance',
					responder: { twofactor_id: 3 },
					decisions: [
						{ twofactor_id: 1, id: 'uuid-1', outcome: 'pending', deputy: false, reminder: false },
						{ twofactor_id: 2, id: 'uuid-2', outcome: 'approved' },
						{ twofactor_id: 3, id: 'uuid-3', outcome: 'approved' },
					],
				},
			],
		]);
	});

	it('every person sees the decision rule', async () => {
		open(severalPeopleParameters([twoOfThree], { requester: '5' }));
		await start('One?');
		expect([...rig.service.approvals.values()].map(({ details }) => details)).toEqual(
			Array.from({ length: 3 }, () => ({
				Level: 'Finance (2 of 3 must approve)',
				'Requester (does not decide)': '5',
			})),
		);
	});

	it('one denial denies the item, and the output contains the deciding answer', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		decideLastOf('1');
		decideLastOf('2', 'denied');
		await advanceTime(6000);
		expect(nextInputsOf('1')).toMatchObject([
			[{ id: 'uuid-2', outcome: 'denied', approved: false, responder: { twofactor_id: 2 } }],
		]);
	});

	it('the next level gets the same question once the previous level has approved', async () => {
		open(severalPeopleParameters([manager, twoOfThree]));
		await start('One?');
		expect(countRequests()).toEqual({ 9: 1 });
		decideLastOf('9');
		await advanceTime(AFTER_START);
		expect(statusOf('1')).toBe('waiting');
		expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
		expect([...rig.service.approvals.values()].map(({ message }) => message)).toEqual(
			Array.from({ length: 4 }, () => 'One?'),
		);
		// An answer to a level that has approved changes nothing.
		decideLastOf('9', 'denied');
		decideLastOf('1');
		decideLastOf('2');
		await advanceTime(6000);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved', level: 'Finance' }]]);
		expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	});

	it('deputies get one request when they are due', async () => {
		open(severalPeopleParameters([withDeputy]));
		await start('One?');
		decideLastOf('1');
		await advanceTime(10 * MINUTE - 5000);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
		await advanceTime(6 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
		await advanceTime(30 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
		decideLastOf('7');
		await advanceTime(30_000);
		expect(nextInputsOf('1')).toMatchObject([
			[{ outcome: 'approved', responder: { twofactor_id: 7 }, id: 'uuid-4' }],
		]);
	});

	it('people who have not answered get one reminder', async () => {
		open(severalPeopleParameters([twoOfThree], { remindAfter: 10 }));
		await start('One?');
		decideLastOf('1');
		await advanceTime(16 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 2, 3: 2 });
		await advanceTime(2 * HOUR);
		expect(countRequests()).toEqual({ 1: 1, 2: 2, 3: 2 });
		decideLastOf('3');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved', id: 'uuid-5' }]]);
	});

	it('the wait ends with Limit Wait Time, and requests expire no later', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 30, resumeUnit: 'minutes' },
		};
		open(severalPeopleParameters([manager, twoOfThree], { limitWaitTime }));
		await start('One?');
		await advanceTime(10 * MINUTE);
		decideLastOf('9');
		await advanceTime(6 * MINUTE);
		const seconds = rig.service.users.get('uuid-2')!.seconds!;
		expect(seconds).toBeGreaterThan(13 * 60);
		expect(seconds).toBeLessThanOrEqual(20 * 60);
		await advanceTime(20 * MINUTE);
		const [[output]] = nextInputsOf('1') as [[object]];
		expect(output).toMatchObject({
			outcome: 'stillOutstanding',
			approved: false,
			level: 'Finance',
		});
		expect(output).not.toHaveProperty('responder');
		expect(output).not.toHaveProperty('id');
	});

	it('is expired when no request is open', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		for (const user of ['1', '2', '3']) decideLastOf(user, 'expired');
		await advanceTime(6000);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'expired', approved: false }]]);
	});

	it('the documented expression skips a level only if the amount is a number', async () => {
		const skipIf = "={{ typeof $json.amount === 'number' && $json.amount <= 500 }}";
		open(severalPeopleParameters([{ ...twoOfThree, skipIf }, manager]));
		const amounts = [400, 600, null, '', '400', undefined];
		await start(...amounts.map((amount, index) => ({ question: `${index}?`, amount })));
		expect(countRequests()).toEqual({ 9: 1, 1: 5, 2: 5, 3: 5 });
	});

	it('waits together with the other items', async () => {
		open(severalPeopleParameters([{ ...twoOfThree, people: '={{ $json.people }}' }]));
		await start(
			{ question: 'a?', people: '1,2,3' },
			{ question: 'b?', people: [4, 5] },
			{ question: 'c?', people: '6,x' },
		);
		expect(statusOf('1')).toBe('error');
		expect(countRequests()).toEqual({});
		await start({ question: 'a?', people: '1,2,3' }, { question: 'b?', people: [4, 5] });
		decideLastOf('1');
		decideLastOf('2');
		await advanceTime(AFTER_START);
		expect(statusOf('2')).toBe('waiting');
		decideLastOf('4', 'denied');
		await advanceTime(10_000);
		expect(nextInputsOf('2')).toMatchObject([[{ outcome: 'approved' }, { outcome: 'denied' }]]);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 });
	});
});

describe('requests that cannot be sent', () => {
	it('unsent requests are recorded while the needed number can be reached', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		decideLastOf('1');
		decideLastOf('3');
		await advanceTime(6000);
		expect(nextInputsOf('1')).toMatchObject([
			[
				{
					outcome: 'approved',
					decisions: [
						{ twofactor_id: 1, outcome: 'approved' },
						{ twofactor_id: 2, outcome: 'failed' },
						{ twofactor_id: 3, outcome: 'approved' },
					],
				},
			],
		]);
	});

	it('unsent requests fail the item otherwise, and the error names what was sent', async () => {
		rig.service.unreachableUsers.add('2').add('3');
		open(severalPeopleParameters([twoOfThree]));
		const { run } = await start('One?');
		const error = run!.data.resultData.error as Error & { description: string };
		expect(error.message).toContain("Too few people of 'Finance' could be asked");
		expect(error.description).toContain('The approval request uuid-1 was sent anyway');
	});

	it('Retry On Fail sends only the requests that failed', async () => {
		rig.service.unreachableUsers.add('2').add('3');
		open(severalPeopleParameters([twoOfThree]), {
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1000,
		});
		const started = rig.host.start([{ question: 'One?' }]);
		await advanceTime(500);
		rig.service.unreachableUsers.clear();
		await advanceTime(5000);
		await started;
		expect(statusOf('1')).toBe('waiting');
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
	});
});

describe('the stored state', () => {
	it('has its own version, which older packs reject', async () => {
		open(severalPeopleParameters([twoOfThree]));
		const { data } = await start('One?');
		expect(data).toContain('"gatehouse":2');
		open(sendAndWait());
		expect((await start('Two?')).data).toContain('"gatehouse":1');
	});

	it('keeps the policy and the question if the parameters change', async () => {
		open(
			severalPeopleParameters([
				manager,
				{ ...twoOfThree, skipIf: '={{ $now.toMillis() > 0 && false }}' },
			]),
		);
		const execution = await start('One?');
		execution.data = execution.data.replaceAll('"1,2,3"', '"4"');
		decideLastOf('9');
		await advanceTime(6 * MINUTE);
		expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	});
});
