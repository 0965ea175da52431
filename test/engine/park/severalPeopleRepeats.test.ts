// Protects decisions of several people when n8n repeats a run (Retry On Fail): it continues from what was reached before.
import type { IDataObject } from 'n8n-workflow';

import { FIRST_EXECUTION_ID } from './parkRig';
import {
	limitWaitTime,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const { rig, open, advanceTime, readNextInputs, decideLastRequestOf, countRequests } =
	useSeveralPeople();

/** Settings of a node that n8n repeats, in an execution that cannot be parked. */
const blockingRetry = {
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 5000,
	settings: { executionOrder: 'v0' as const },
};

/** Lets the service reject the credential for the requests of these users, until one item has failed. */
async function failOnce(...users: string[]): Promise<void> {
	const uuids = users.flatMap((user) => rig.service.uuidsSentTo(user));
	rig.service.replaceResponse = (method, uuid) =>
		method === 'GET' && uuids.includes(uuid)
			? { status: 403, body: { message: 'Key is disabled' } }
			: undefined;
	await advanceTime(3 * SECOND);
	rig.service.replaceResponse = () => undefined;
}

it('an answer of a deputy counts at once in a repeated run', async () => {
	open(severalPeopleParameters([withDeputy]), blockingRetry);
	void rig.host.start([{ question: 'One?' }]);
	await advanceTime(11 * MINUTE);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	await failOnce('1', '2', '3', '7');
	decideLastRequestOf('7', 'denied');
	await advanceTime(10 * SECOND);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'denied', decisions: [{}, {}, {}, { twofactor_id: 7, outcome: 'denied' }] }],
	]);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
});

it('a repeated run after the time limit returns what the people decided before it', async () => {
	const level = { name: 'Finance', people: '={{ $json.people }}' };
	open(severalPeopleParameters([level], limitWaitTime(5)), blockingRetry);
	const items: IDataObject[] = [
		{ question: 'a?', people: '1' },
		{ question: 'b?', people: '2' },
	];
	void rig.host.start(items);
	await advanceTime(MINUTE);
	decideLastRequestOf('1');
	await advanceTime(4 * MINUTE - 4 * SECOND);
	await failOnce('2');
	await advanceTime(MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[
			{ outcome: 'approved', decisions: [{ outcome: 'approved' }] },
			{ outcome: 'stillOutstanding', decisions: [{ outcome: 'pending' }] },
		],
	]);
});

it('a reminder can be answered after a repeated run has begun', async () => {
	const options = {
		expiry: { time: { amount: 4, unit: 'minutes' } },
		remindAfter: 2,
	};
	const level = { ...twoOfThree, people: '1,2', neededNumber: 1 };
	open(severalPeopleParameters([level], options), blockingRetry);
	void rig.host.start([{ question: 'One?' }]);
	await advanceTime(3.5 * MINUTE);
	expect(countRequests()).toEqual({ 1: 2, 2: 2 });
	await failOnce('1', '2');
	decideLastRequestOf('2');
	await advanceTime(10 * SECOND);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
});

it('only a request that was certainly not sent is sent again', async () => {
	rig.service.unreachableUsers.add('2').add('3');
	open(severalPeopleParameters([twoOfThree]), blockingRetry);
	void rig.host.start([{ question: 'One?' }]);
	await advanceTime(SECOND);
	rig.service.unreachableUsers.clear();
	await advanceTime(10 * SECOND);
	decideLastRequestOf('1');
	decideLastRequestOf('3');
	await advanceTime(10 * SECOND);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
	expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
});
