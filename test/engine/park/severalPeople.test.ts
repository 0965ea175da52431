// Protects decisions of several people: levels, deputies and reminders follow the rules, and only enough approvals approve.
import { FIRST_EXECUTION_ID, sendAndWait } from './parkRig';
import {
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than a resumed execution keeps running soon after the start of n8n, until n8n's crash recovery is over. */
const AFTER_RECOVERY_MS = 2 * MINUTE;
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

describe('an item that several people decide', () => {
	it('every person gets a request, and the execution resumes only when enough people have approved', async () => {
		open(severalPeopleParameters([twoOfThree]));
		const execution = await start('One?');
		expect(execution.status).toBe('waiting');
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
		await advanceTime(20_000);
		decideLastRequestOf('2');
		await advanceTime(60_000);
		expect(rig.host.resumeCalls).toEqual([]);
		decideLastRequestOf('3');
		await advanceTime(4000);
		expect(execution.status).toBe('success');
		expect(rig.host.resumeCalls).toHaveLength(1);
		expect(readNextInputs(execution.id)).toMatchObject([
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

	it('the request to each person shows the decision rule', async () => {
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
		decideLastRequestOf('1');
		decideLastRequestOf('2', 'denied');
		await advanceTime(6000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ id: 'uuid-2', outcome: 'denied', approved: false, responder: { twofactor_id: 2 } }],
		]);
	});

	it('the next level gets the question once the previous level has approved', async () => {
		open(severalPeopleParameters([manager, twoOfThree]));
		await start('One?');
		expect(countRequests()).toEqual({ 9: 1 });
		decideLastRequestOf('9');
		await advanceTime(AFTER_RECOVERY_MS);
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
		expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
		expect([...rig.service.approvals.values()].map(({ message }) => message)).toEqual(
			Array.from({ length: 4 }, () => 'One?'),
		);
		// An answer to a level that has approved changes nothing.
		decideLastRequestOf('9', 'denied');
		decideLastRequestOf('1');
		decideLastRequestOf('2');
		await advanceTime(6000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'approved', level: 'Finance' }],
		]);
		expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	});

	it('a deputy gets one request after the time for deputies', async () => {
		open(severalPeopleParameters([withDeputy]));
		await start('One?');
		decideLastRequestOf('1');
		await advanceTime(10 * MINUTE - 5000);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
		await advanceTime(6 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
		const asDeputy = 'You are asked as deputy';
		expect(
			[...rig.service.approvals.values()].map(({ details = {} }) => details['Your Role']),
		).toEqual([undefined, undefined, undefined, asDeputy]);
		await advanceTime(30 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
		decideLastRequestOf('7');
		await advanceTime(30_000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'approved', responder: { twofactor_id: 7 }, id: 'uuid-4' }],
		]);
	});

	it('people who have not answered after the time for reminders get one reminder', async () => {
		open(severalPeopleParameters([twoOfThree], { remindAfter: 10 }));
		await start('One?');
		decideLastRequestOf('1');
		await advanceTime(16 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 2, 3: 2 });
		await advanceTime(2 * HOUR);
		expect(countRequests()).toEqual({ 1: 1, 2: 2, 3: 2 });
		decideLastRequestOf('3');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'approved', id: 'uuid-5' }],
		]);
	});

	it('the wait ends after Limit Wait Time, and requests expire no later', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 30, resumeUnit: 'minutes' },
		};
		open(severalPeopleParameters([manager, twoOfThree], { limitWaitTime }));
		await start('One?');
		await advanceTime(10 * MINUTE);
		decideLastRequestOf('9');
		await advanceTime(6 * MINUTE);
		const expirySeconds = rig.service.recipients.get('uuid-2')!.expirySeconds!;
		expect(expirySeconds).toBeGreaterThan(13 * 60);
		expect(expirySeconds).toBeLessThanOrEqual(20 * 60);
		await advanceTime(20 * MINUTE);
		const [[output]] = readNextInputs(FIRST_EXECUTION_ID) as [[object]];
		expect(output).toMatchObject({
			outcome: 'stillOutstanding',
			approved: false,
			level: 'Finance',
		});
		expect(output).not.toHaveProperty('responder');
		expect(output).not.toHaveProperty('id');
	});

	it('the outcome is expired if every request expires', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		for (const user of ['1', '2', '3']) decideLastRequestOf(user, 'expired');
		await advanceTime(6000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'expired', approved: false }],
		]);
	});

	it('the documented expression skips a level only if the amount is a number', async () => {
		const skipIf = "={{ typeof $json.amount === 'number' && $json.amount <= 500 }}";
		open(severalPeopleParameters([{ ...twoOfThree, skipIf }, manager]));
		const amounts = [400, 600, null, '', '400', undefined];
		await start(...amounts.map((amount, index) => ({ question: `${index}?`, amount })));
		expect(countRequests()).toEqual({ 9: 1, 1: 5, 2: 5, 3: 5 });
	});

	it('no request is sent if one item is invalid, and valid items wait for their decisions together', async () => {
		open(severalPeopleParameters([{ ...twoOfThree, people: '={{ $json.people }}' }]));
		await start(
			{ question: 'a?', people: '1,2,3' },
			{ question: 'b?', people: [4, 5] },
			{ question: 'c?', people: '6,x' },
		);
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('error');
		expect(countRequests()).toEqual({});
		const validExecution = await start(
			{ question: 'a?', people: '1,2,3' },
			{ question: 'b?', people: [4, 5] },
		);
		decideLastRequestOf('1');
		decideLastRequestOf('2');
		await advanceTime(AFTER_RECOVERY_MS);
		expect(validExecution.status).toBe('waiting');
		decideLastRequestOf('4', 'denied');
		await advanceTime(10_000);
		expect(readNextInputs(validExecution.id)).toMatchObject([
			[{ outcome: 'approved' }, { outcome: 'denied' }],
		]);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 });
	});
});

describe('requests that cannot be sent', () => {
	it('a request that could not be sent is output as failed if the other people can still decide', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		decideLastRequestOf('1');
		decideLastRequestOf('3');
		await advanceTime(6000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
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

	it('the item fails if too few requests could be sent, and the error names those that were sent', async () => {
		rig.service.unreachableUsers.add('2').add('3');
		open(severalPeopleParameters([twoOfThree]));
		const { run } = await start('One?');
		const error = run!.data.resultData.error as Error & { description: string };
		expect(error.message).toContain("Too few people of 'Finance' could be asked, not 2, 3: ");
		expect(error.description).toContain('The approval request uuid-1 was sent anyway');
	});

	it('only requests that failed are sent again with Retry On Fail', async () => {
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
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
	});
});

describe('the stored state', () => {
	it('the state of an item that several people decide has version 2, and that of one person version 1', async () => {
		open(severalPeopleParameters([twoOfThree]));
		const { data } = await start('One?');
		expect(data).toContain('"gatehouse":2');
		open(sendAndWait());
		expect((await start('Two?')).data).toContain('"gatehouse":1');
	});

	it('the stored policy decides who gets requests, even if the parameters of the node change', async () => {
		open(
			severalPeopleParameters([
				manager,
				{ ...twoOfThree, skipIf: '={{ $now.toMillis() > 0 && false }}' },
			]),
		);
		const execution = await start('One?');
		execution.data = execution.data.replaceAll('"1,2,3"', '"4"');
		decideLastRequestOf('9');
		await advanceTime(6 * MINUTE);
		expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
	});
});
