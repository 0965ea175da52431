// Protects decisions of several people when requests or polls fail: no answer counts twice, and an unknown one stays open.
import { FIRST_EXECUTION_ID } from './parkRig';
import {
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

const MINUTE = 60_000;
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

const readError = (executionId: string) =>
	rig.host.executions.get(executionId)!.run!.data.resultData.error as Error & {
		description: string;
		httpCode?: string | null;
	};

/** An expression that has one value for two minutes, and then another. */
const changeAfterTwoMinutes = (before: string, after: string) =>
	`={{ $now.toMillis() < ${Date.now() + 2 * MINUTE} ? ${before} : ${after} }}`;

/** Has the service respond to polls of one request with an error. */
const failPollsOf = (uuid: string, status: number, errorCode?: string) => {
	rig.service.replaceResponse = (method, polledUuid) =>
		method === 'GET' && polledUuid === uuid
			? { status, body: { message: 'Odd request', error_code: errorCode } }
			: undefined;
};

describe('an item whose needed number cannot be reached', () => {
	const levelFromItem = { people: '={{ $json.people }}' };
	const items = [
		{ question: 'a?', people: '1,2' },
		{ question: 'b?', people: '3,4' },
	];

	it('the item fails before the next item sends requests', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([levelFromItem]));
		await start(...items);
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('error');
		expect(countRequests()).toEqual({ 1: 1 });
	});

	it('the other items are decided if the node continues on errors', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([levelFromItem]), { onError: 'continueRegularOutput' });
		await start(...items);
		expect(countRequests()).toEqual({ 1: 1, 3: 1, 4: 1 });
		decideLastRequestOf('3');
		decideLastRequestOf('4');
		await advanceTime(6000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ error: {} }, { outcome: 'approved' }],
		]);
	});

	it('an execution that cannot be parked fails', async () => {
		rig.service.unreachableUsers.add('2');
		open(severalPeopleParameters([levelFromItem]), { firstNode: false });
		void rig.host.start(items);
		await advanceTime(MINUTE);
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('error');
		expect(countRequests()).toEqual({ 1: 1 });
	});
});

describe('parameters that change before a resume', () => {
	it.each([
		['remindAfter', '10', '0'],
		['requester', "'5'", "'Ada'"],
		['requester', "'5'", "''"],
		['oneDenialEnds', 'true', "'maybe'"],
	])(
		'the item does not fail if the option %s changes from %s to %s',
		async (name, before, after) => {
			open(severalPeopleParameters([manager], { [name]: changeAfterTwoMinutes(before, after) }));
			await start('One?');
			expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
			await advanceTime(3 * MINUTE);
			decideLastRequestOf('9');
			await advanceTime(6 * MINUTE);
			expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
		},
	);

	it('the error names the sent requests if a detail loses its name', async () => {
		const details = { rows: [{ name: changeAfterTwoMinutes("'Room'", "''"), value: '7' }] };
		open({ ...severalPeopleParameters([manager]), details });
		await start('One?');
		await advanceTime(3 * MINUTE);
		decideLastRequestOf('9');
		await advanceTime(6 * MINUTE);
		expect(readError(FIRST_EXECUTION_ID).description).toContain(
			'The approval request uuid-1 was sent anyway',
		);
		expect(readError(FIRST_EXECUTION_ID).description).toContain("Name every row of 'Details'");
	});
});

describe('a status that the service does not report', () => {
	it('the item does not fail if the first poll of one request gets a 403', async () => {
		open(severalPeopleParameters([twoOfThree]));
		failPollsOf('uuid-2', 403);
		await start('One?');
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
	});

	it('the item fails and names its requests if the first poll of every request gets a 403', async () => {
		open(severalPeopleParameters([{ ...twoOfThree, people: '1,2' }]));
		rig.service.replaceResponse = (method) =>
			method === 'GET' ? { status: 403, body: { message: 'Key is disabled' } } : undefined;
		await start('One?');
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('error');
		expect(readError(FIRST_EXECUTION_ID).httpCode).toBe('403');
		expect(readError(FIRST_EXECUTION_ID).description).toContain('uuid-1, uuid-2 were sent anyway');
	});

	it.each([404, 410])(
		'a request that the service says it does not know, with status %d, is no vote',
		async (status) => {
			open(severalPeopleParameters([twoOfThree]));
			await start('One?');
			failPollsOf('uuid-3', status, '60049');
			decideLastRequestOf('1');
			decideLastRequestOf('2');
			await advanceTime(6 * MINUTE);
			expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
				[{ outcome: 'approved', decisions: [{}, {}, { outcome: 'gone' }] }],
			]);
		},
	);

	it.each([404, 410])(
		'a request for which another server answers %d may still be a denial, so the level stays open',
		async (status) => {
			open(severalPeopleParameters([twoOfThree]));
			await start('One?');
			failPollsOf('uuid-3', status);
			decideLastRequestOf('1');
			decideLastRequestOf('2');
			decideLastRequestOf('3', 'denied');
			await advanceTime(20 * MINUTE);
			expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
			rig.service.replaceResponse = () => undefined;
			await advanceTime(8 * MINUTE);
			expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'denied' }]]);
		},
	);

	it('an execution stays parked while another server answers 404 for all requests', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		rig.service.replaceResponse = () => ({ status: 404, body: { message: 'No route' } });
		await advanceTime(30 * MINUTE);
		expect(readStatus(FIRST_EXECUTION_ID)).toBe('waiting');
		rig.service.replaceResponse = () => undefined;
		decideLastRequestOf('1');
		decideLastRequestOf('2');
		await advanceTime(8 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('a request whose status was unknown is polled again as soon as another answer may decide', async () => {
		open(severalPeopleParameters([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 400);
		// The execution is parked again after that: soon after the start of n8n it keeps running for a while.
		await advanceTime(3 * MINUTE);
		rig.service.replaceResponse = () => undefined;
		decideLastRequestOf('1');
		decideLastRequestOf('2');
		await advanceTime(MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
	});
});

describe('a request that counts as not sent', () => {
	it('a request to a person without the app counts as not sent if the app is checked', async () => {
		rig.service.usersWithoutApp.add('2');
		open(severalPeopleParameters([twoOfThree], { failWithoutApp: true }));
		await start('One?');
		expect(countRequests()).toEqual({ 1: 1, 3: 1 });
		decideLastRequestOf('1');
		decideLastRequestOf('3');
		await advanceTime(6000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'approved', decisions: [{}, { twofactor_id: 2, outcome: 'failed' }, {}] }],
		]);
	});

	it('the app of every person is checked with Retry On Fail, too', async () => {
		rig.service.usersWithoutApp.add('2');
		open(severalPeopleParameters([twoOfThree], { failWithoutApp: true }), {
			retryOnFail: true,
			maxTries: 2,
		});
		await start('One?');
		expect(countRequests()).toEqual({ 1: 1, 3: 1 });
	});

	it('the error of an item that fails has the reason, advice and HTTP status of a request that was not sent', async () => {
		rig.service.usersWithoutApp.add('2').add('3');
		open(severalPeopleParameters([twoOfThree], { failWithoutApp: true }));
		await start('One?');
		expect(readError(FIRST_EXECUTION_ID).message).toContain(
			"could be asked, not 2, 3: User 3 doesn't have the app",
		);
		expect(readError(FIRST_EXECUTION_ID).description).toContain('Ask the user to install the app');
		rig.service.usersWithoutApp.clear();
		rig.service.unreachableUsers.add('2').add('3');
		open(severalPeopleParameters([twoOfThree]));
		const { run } = await start('Two?');
		expect(run!.data.resultData.error).toMatchObject({ httpCode: '400' });
	});

	describe.each(['uuid-1', 'UUID-1', 'Uuid-1', ' uuid-1 '])(
		'the service returns the ID uuid-1 once more, as %j',
		(repeatedId) => {
			beforeEach(() => {
				rig.service.replaceResponse = (method, uuid) => {
					const approval = rig.service.approvals.get('uuid-1');
					if (!approval) return undefined;
					if (method === 'POST')
						return { status: 200, body: { approval_request: { uuid: repeatedId }, success: true } };
					const isSpelledDifferently = uuid !== 'uuid-1' && /^uuid-1$/i.test(uuid.trim());
					return isSpelledDifferently
						? { status: 200, body: { approval_request: { uuid, ...approval }, success: true } }
						: undefined;
				};
			});

			it('the second request counts as not sent, and its outcome is unclear', async () => {
				open(severalPeopleParameters([{ ...withDeputy, people: '1,2', neededNumber: 1 }]));
				await start('One?');
				decideLastRequestOf('1');
				await advanceTime(6 * MINUTE);
				expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
					[{ outcome: 'approved', decisions: [{ id: 'uuid-1' }, { outcome: 'unclear' }] }],
				]);
			});

			it('one answer does not count for two people', async () => {
				open(severalPeopleParameters([{ name: 'Finance', people: '1,2' }]));
				await start('One?');
				decideLastRequestOf('1');
				await advanceTime(6 * MINUTE);
				expect(readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
				expect(readError(FIRST_EXECUTION_ID).message).toContain(
					'The service returned the ID of another request',
				);
			});
		},
	);

	it('a request without an ID counts as not sent, and the error says so', async () => {
		rig.service.replaceResponse = (method) =>
			method === 'POST' ? { status: 200, body: { success: true } } : undefined;
		open(severalPeopleParameters([manager]));
		await start('One?');
		expect(readError(FIRST_EXECUTION_ID).message).toContain(
			"Too few people of 'Manager' could be asked, not 9: The service returned no ID",
		);
	});
});
