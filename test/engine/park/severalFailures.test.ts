import { manager, several, twoOfThree, useSeveral, withDeputy } from './severalLevels';

const MINUTE = 60_000;
const { world, open, start, pass, passedOf, statusOf, vote, sent } = useSeveral();

const errorOf = (id: string) =>
	world.host.executions.get(id)!.run!.data.resultData.error as Error & {
		description: string;
		httpCode?: string | null;
	};

/** An expression that has one value for two minutes, and then another. */
const changing = (before: string, after: string) =>
	`={{ $now.toMillis() < ${Date.now() + 2 * MINUTE} ? ${before} : ${after} }}`;

/** Answers polls of one request with an error. */
const failPollsOf = (uuid: string, status: number) => {
	world.service.respondInstead = (method, polled) =>
		method === 'GET' && polled === uuid ? { status, body: { message: 'Odd request' } } : undefined;
};

describe('an item whose number cannot be reached', () => {
	const all = { people: '={{ $json.people }}' };
	const items = [
		{ question: 'a?', people: '1,2' },
		{ question: 'b?', people: '3,4' },
	];

	it('fails before the next item is asked', async () => {
		world.service.unreachableUsers.add('2');
		open(several([all]));
		await start(...items);
		expect(statusOf('1')).toBe('error');
		expect(sent()).toEqual({ 1: 1 });
	});

	it('does not stop the others if the node continues on errors', async () => {
		world.service.unreachableUsers.add('2');
		open(several([all]), { onError: 'continueRegularOutput' });
		await start(...items);
		expect(sent()).toEqual({ 1: 1, 3: 1, 4: 1 });
		vote('3');
		vote('4');
		await pass(6000);
		expect(passedOf('1')).toMatchObject([[{ error: {} }, { outcome: 'approved' }]]);
	});

	it('ends an execution that cannot be parked', async () => {
		world.service.unreachableUsers.add('2');
		open(several([all]), { first: false });
		void world.host.start(items);
		await pass(MINUTE);
		expect(statusOf('1')).toBe('error');
		expect(sent()).toEqual({ 1: 1 });
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
			open(several([manager], { [name]: changing(...values) }));
			await start('One?');
			expect(statusOf('1')).toBe('waiting');
			await pass(3 * MINUTE);
			vote('9');
			await pass(6 * MINUTE);
			expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
		},
	);

	it('an error names the requests that were sent', async () => {
		const details = { rows: [{ name: changing("'Room'", "''"), value: '7' }] };
		open({ ...several([manager]), details });
		await start('One?');
		await pass(3 * MINUTE);
		vote('9');
		await pass(6 * MINUTE);
		expect(errorOf('1').description).toContain('The approval request uuid-1 was sent anyway');
		expect(errorOf('1').description).toContain("Name every row of 'Details'");
	});
});

describe('a status that the service does not report', () => {
	it('of one person keeps the level open, without resuming it again and again', async () => {
		open(several([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 400);
		vote('1');
		await pass(20 * MINUTE);
		expect(statusOf('1')).toBe('waiting');
		expect(world.host.calls.length).toBeLessThan(3);
		world.service.respondInstead = () => undefined;
		vote('2');
		await pass(8 * MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('with 403 for one person only does not fail the item, even at the first poll', async () => {
		open(several([twoOfThree]));
		failPollsOf('uuid-2', 403);
		await start('One?');
		expect(statusOf('1')).toBe('waiting');
	});

	it('with 403 for all fails the item at the first poll, and names the requests', async () => {
		open(several([{ ...twoOfThree, people: '1,2' }]));
		world.service.respondInstead = (method) =>
			method === 'GET' ? { status: 403, body: { message: 'Key is disabled' } } : undefined;
		await start('One?');
		expect(statusOf('1')).toBe('error');
		expect(errorOf('1').httpCode).toBe('403');
		expect(errorOf('1').description).toContain('uuid-1, uuid-2 were sent anyway');
	});

	it('because it is gone (410) is no vote', async () => {
		open(several([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 410);
		vote('1');
		vote('2');
		await pass(6 * MINUTE);
		expect(passedOf('1')).toMatchObject([
			[{ outcome: 'approved', decisions: [{}, {}, { outcome: 'gone' }] }],
		]);
	});

	it('is read again as soon as another answer may decide', async () => {
		open(several([twoOfThree]));
		await start('One?');
		failPollsOf('uuid-3', 400);
		// Until the execution is parked again: after n8n's start it keeps running for a while.
		await pass(3 * MINUTE);
		world.service.respondInstead = () => undefined;
		vote('1');
		vote('2');
		await pass(MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	});
});

describe('a request that counts as not sent', () => {
	it('is one to a person without the app, if that is to be checked', async () => {
		world.service.withoutApp.add('2');
		open(several([twoOfThree], { failWithoutApp: true }));
		await start('One?');
		expect(sent()).toEqual({ 1: 1, 3: 1 });
		vote('1');
		vote('3');
		await pass(6000);
		expect(passedOf('1')).toMatchObject([
			[{ outcome: 'approved', decisions: [{}, { twofactor_id: 2, outcome: 'failed' }, {}] }],
		]);
	});

	it('is also checked for those who come after the first, if the run may be repeated', async () => {
		world.service.withoutApp.add('2');
		open(several([twoOfThree], { failWithoutApp: true }), { retryOnFail: true, maxTries: 2 });
		await start('One?');
		expect(sent()).toEqual({ 1: 1, 3: 1 });
	});

	it('fails the item with the reason, its advice and its status', async () => {
		world.service.withoutApp.add('2').add('3');
		open(several([twoOfThree], { failWithoutApp: true }));
		await start('One?');
		expect(errorOf('1').message).toContain("could be asked: User 3 doesn't have the app");
		expect(errorOf('1').description).toContain('Ask the user to install the app');
		world.service.unreachableUsers.add('2').add('3');
		open(several([twoOfThree]));
		const { run } = await start('Two?');
		expect(run!.data.resultData.error).toMatchObject({ httpCode: '400' });
	});

	it('is the second of two people who got the same ID', async () => {
		world.service.respondInstead = (method) =>
			method === 'POST' && world.service.approvals.size === 1
				? { status: 200, body: { approval_request: { uuid: 'uuid-1' }, success: true } }
				: undefined;
		open(several([{ ...withDeputy, people: '1,2', neededNumber: 1 }]));
		await start('One?');
		vote('1');
		await pass(6 * MINUTE);
		expect(passedOf('1')).toMatchObject([
			[{ outcome: 'approved', decisions: [{ id: 'uuid-1' }, { outcome: 'unclear' }] }],
		]);
	});

	it('is one without an ID, and the error says so', async () => {
		world.service.respondInstead = (method) =>
			method === 'POST' ? { status: 200, body: { success: true } } : undefined;
		open(several([manager]));
		await start('One?');
		expect(errorOf('1').message).toContain(
			"Too few people of 'Manager' could be asked: The service returned no ID",
		);
	});
});
