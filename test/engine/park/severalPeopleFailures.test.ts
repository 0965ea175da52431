import {
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
const { rig, open, start, advanceTime, nextInputsOf, statusOf, decideLastOf, countRequests } =
	useSeveralPeople();

const errorOf = (id: string) =>
	rig.host.executions.get(id)!.run!.data.resultData.error as Error & {
		description: string;
		httpCode?: string | null;
	};

/** An expression that has one value for two minutes, and then another. */
const changing = (before: string, after: string) =>
	`={{ $now.toMillis() < ${Date.now() + 2 * MINUTE} ? ${before} : ${after} }}`;

/** Answers polls of one request with an error. */
const failPollsOf = (uuid: string, status: number) => {
	rig.service.replaceResponse = (method, polled) =>
		method === 'GET' && polled === uuid ? { status, body: { message: 'Odd request' } } : undefined;
};

describe('an item whose needed number cannot be reached', () => {
	const levelFromItem = { people: '={{ $json.people }}' };
	const items = [
		{ question: 'a?', people: '1,2' },
		{ question: 'b?', people: '3,4' },
	];

	it('fails before the next item sends requests', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([levelFromItem]));
		await start(...items);
		expect(statusOf('1')).toBe('error');
		expect(countRequests()).toEqual({ 1: 1 });
	});

	it('the other items continue if the node continues on errors', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([levelFromItem]), { onError: 'continueRegularOutput' });
		await start(...items);
		expect(countRequests()).toEqual({ 1: 1, 3: 1, 4: 1 });
		decideLastOf('3');
		decideLastOf('4');
		await advanceTime(6000);
		expect(nextInputsOf('1')).toMatchObject([[{ error: {} }, { outcome: 'approved' }]]);
	});

	it('ends an execution that cannot be parked', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([levelFromItem]), { first: false });
		void rig.host.start(items);
		await advanceTime(MINUTE);
		expect(statusOf('1')).toBe('error');
		expect(countRequests()).toEqual({ 1: 1 });
	});
});

describe('on a resume', () => {
	it.each([
		['remindAfter', '10', '0'],
		['requester', "'5'", "'Ada'"],
		['requester', "'5'", "''"],
		['oneDenialEnds', 'true', "'maybe'"],
	])(
		'the option %s does not fail the item if it changes from %s to %s',
		async (name, ...values) => {
			open(severalPeopleParameters([manager], { [name]: changing(...values) }));
			await start('One?');
			expect(statusOf('1')).toBe('waiting');
			await advanceTime(3 * MINUTE);
			decideLastOf('9');
			await advanceTime(6 * MINUTE);
			expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
		},
	);

	it('an error names the requests that were sent', async () => {
		const details = { rows: [{ name: changing("'Room'", "''"), value: '7' }] };
		open({ ...severalPeopleParameters([manager]), details });
		await start('One?');
		await advanceTime(3 * MINUTE);
		decideLastOf('9');
		await advanceTime(6 * MINUTE);
		expect(errorOf('1').description).toContain('The approval request uuid-1 was sent anyway');
		expect(errorOf('1').description).toContain("Name every row of 'Details'");
	});
});

describe('a status that the service does not report', () => {
	it('an unknown status of one person keeps the level open without repeated resumes', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 400);
		decideLastOf('1');
		await advanceTime(20 * MINUTE);
		expect(statusOf('1')).toBe('waiting');
		expect(rig.host.calls.length).toBeLessThan(3);
		rig.service.replaceResponse = () => undefined;
		decideLastOf('2');
		await advanceTime(8 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('a 403 for one person does not fail the item, even at the first poll', async () => {
		open(severalPeopleParameters([twoOfThree]));
		failPollsOf('uuid-2', 403);
		await start('One?');
		expect(statusOf('1')).toBe('waiting');
	});

	it('a 403 for all people fails the item at the first poll, and the error names the requests', async () => {
		open(severalPeopleParameters([{ ...twoOfThree, people: '1,2' }]));
		rig.service.replaceResponse = (method) =>
			method === 'GET' ? { status: 403, body: { message: 'Key is disabled' } } : undefined;
		await start('One?');
		expect(statusOf('1')).toBe('error');
		expect(errorOf('1').httpCode).toBe('403');
		expect(errorOf('1').description).toContain('uuid-1, uuid-2 were sent anyway');
	});

	it('a request that is gone (410) does not count as a vote', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 410);
		decideLastOf('1');
		decideLastOf('2');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([
			[{ outcome: 'approved', decisions: [{}, {}, { outcome: 'gone' }] }],
		]);
	});

	it('an unknown status is read again as soon as another answer may decide', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 400);
		// Until the execution is parked again: after n8n's start it keeps running for a while.
		await advanceTime(3 * MINUTE);
		rig.service.replaceResponse = () => undefined;
		decideLastOf('1');
		decideLastOf('2');
		await advanceTime(MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	});
});

describe('a request that counts as not sent', () => {
	it('a request to a person without the app counts as not sent if the app is checked', async () => {
		rig.service.usersWithoutApp.add('2');
		open(severalPeopleParameters([twoOfThree], { failWithoutApp: true }));
		await start('One?');
		expect(countRequests()).toEqual({ 1: 1, 3: 1 });
		decideLastOf('1');
		decideLastOf('3');
		await advanceTime(6000);
		expect(nextInputsOf('1')).toMatchObject([
			[{ outcome: 'approved', decisions: [{}, { twofactor_id: 2, outcome: 'failed' }, {}] }],
		]);
	});

	it('the app is also checked for people after the first if the run may be repeated', async () => {
		rig.service.usersWithoutApp.add('2');
		open(severalPeopleParameters([twoOfThree], { failWithoutApp: true }), {
			retryOnFail: true,
			maxTries: 2,
		});
		await start('One?');
		expect(countRequests()).toEqual({ 1: 1, 3: 1 });
	});

	it('an unsent request fails the item with its reason, advice and status', async () => {
		rig.service.usersWithoutApp.add('2').add('3');
		open(severalPeopleParameters([twoOfThree], { failWithoutApp: true }));
		await start('One?');
		expect(errorOf('1').message).toContain("could be asked: User 3 doesn't have the app");
		expect(errorOf('1').description).toContain('Ask the user to install the app');
		rig.service.unreachableUsers.add('2').add('3');
		open(severalPeopleParameters([twoOfThree]));
		const { run } = await start('Two?');
		expect(run!.data.resultData.error).toMatchObject({ httpCode: '400' });
	});

	it('the second of two requests with the same ID counts as not sent', async () => {
		rig.service.replaceResponse = (method) =>
			method === 'POST' && rig.service.approvals.size === 1
				? { status: 200, body: { approval_request: { uuid: 'uuid-1' }, success: true } }
				: undefined;
		open(severalPeopleParameters([{ ...withDeputy, people: '1,2', neededNumber: 1 }]));
		await start('One?');
		decideLastOf('1');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([
			[{ outcome: 'approved', decisions: [{ id: 'uuid-1' }, { outcome: 'unclear' }] }],
		]);
	});

	it('a request without an ID counts as not sent, and the error says so', async () => {
		rig.service.replaceResponse = (method) =>
			method === 'POST' ? { status: 200, body: { success: true } } : undefined;
		open(severalPeopleParameters([manager]));
		await start('One?');
		expect(errorOf('1').message).toContain(
			"Too few people of 'Manager' could be asked: The service returned no ID",
		);
	});
});
