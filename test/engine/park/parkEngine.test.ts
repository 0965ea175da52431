import { sendAndWait, useWorld } from './parkWorld';

const MINUTE = 60_000;
const world = useWorld();
const { open, start, pass, decide } = world;
const pushes = () => world.service.approvals.size;
const passedOf = (id: string) => world.host.passed.get(id);

/** The runs of the node that waits. */
const runsOf = (id: string) =>
	world.host.executions.get(id)!.run!.data.resultData.runData.Ask ?? [];

describe('a parked execution', () => {
	it('resumes seconds after the decision: in one run, with one push', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		expect(execution.status).toBe('waiting');
		await pass(20_000);
		decide('One?');
		await pass(4000);
		expect(execution.status).toBe('success');
		expect(passedOf('1')).toMatchObject([
			[{ id: 'uuid-1', approved: true, outcome: 'approved', twofactor_id: 100_002 }],
		]);
		expect(runsOf('1')).toHaveLength(1);
		expect(pushes()).toBe(1);
		expect(world.host.calls).toEqual([{ id: '1', status: 200 }]);
	});

	it('is not polled any more after it has resumed', async () => {
		open(sendAndWait());
		await start('One?');
		decide('One?', 'denied');
		await pass(5000);
		const { length } = world.service.asked;
		await pass(20 * MINUTE);
		expect(world.service.asked).toHaveLength(length);
		expect(passedOf('1')).toMatchObject([[{ approved: false, outcome: 'denied' }]]);
	});

	it('stores no secret', async () => {
		open(sendAndWait());
		const { data } = await start('One?');
		expect(data).toContain('uuid-1');
		expect(data).not.toContain('key-0123456789');
	});

	it('waits for all its items at once: one run, in order, paired', async () => {
		open(sendAndWait());
		await start('a?', 'b?', 'c?');
		for (const [question, status] of [
			['c?', 'denied'],
			['a?', 'approved'],
		] as const) {
			decide(question, status);
			await pass(MINUTE);
		}
		expect(passedOf('1')).toBeUndefined();
		expect(world.host.calls).toEqual([]);
		decide('b?', 'expired');
		await pass(4000);
		expect(passedOf('1')).toMatchObject([
			[
				{ id: 'uuid-1', outcome: 'approved', approved: true },
				{ id: 'uuid-2', outcome: 'expired', approved: false },
				{ id: 'uuid-3', outcome: 'denied', approved: false },
			],
		]);
		const items = runsOf('1')[0]!.data!.main![0]!;
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(pushes()).toBe(3);
	});

	it('keeps an early decision even if the service forgets it', async () => {
		open(sendAndWait());
		await start('a?', 'b?');
		decide('a?');
		await pass(6 * MINUTE);
		world.service.approvals.delete('uuid-1');
		await pass(10 * MINUTE);
		decide('b?');
		await pass(6 * MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }, { outcome: 'approved' }]]);
	});

	it('keeps failed items in their place', async () => {
		open(sendAndWait(), { onError: 'continueRegularOutput' });
		await start('a?', { question: 'x'.repeat(200) }, 'c?');
		await pass(7 * MINUTE);
		decide('a?');
		decide('c?');
		await pass(6 * MINUTE);
		expect(passedOf('1')).toMatchObject([
			[
				{ outcome: 'approved' },
				{ error: expect.stringMatching(/144/) as string },
				{ outcome: 'approved' },
			],
		]);
		expect(pushes()).toBe(2);
	});

	it('is not parked if an item has failed and that ends the run', async () => {
		open(sendAndWait());
		const { status } = await start('a?', { question: 'x'.repeat(200) });
		expect(status).toBe('error');
	});

	it.each([
		['Always Output Data', { alwaysOutputData: true }, ['a?', 'b?'], 2],
		['Execute Once', { executeOnce: true }, ['a?', 'b?'], 1],
		['Retry On Fail', { retryOnFail: true, waitBetweenTries: 0 }, ['a?'], 1],
	])('works with %s, too', async (_, node, questions, count) => {
		open(sendAndWait(), node);
		await start(...questions);
		await pass(6 * MINUTE);
		for (const question of questions.slice(0, count)) decide(question);
		await pass(6 * MINUTE);
		expect(passedOf('1')).toHaveLength(1);
		expect(passedOf('1')![0]).toHaveLength(count);
		expect(pushes()).toBe(count);
	});

	it('sends its failure to the error output, or ends the run, as usual', async () => {
		open(sendAndWait({ options: { errorOutcomes: ['denied'] } }), { retryOnFail: true });
		const execution = await start('a?');
		decide('a?', 'denied');
		await pass(MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/denied/);
		expect(pushes()).toBe(1);
	});
});

describe('a call of the resume URL', () => {
	/** Calls the webhook as somebody does who has the address. */
	const call = async () => {
		const url = `${world.host.base}/1?signature=token-of-1/node-1`;
		const { status } = await world.host.answer({ method: 'POST', url }, true);
		await pass(2000);
		return status;
	};

	it('decides nothing: the node polls, and parks again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		// In a process that has just started it would wait blocking.
		await pass(2.5 * MINUTE);
		expect(await call()).toBe(200);
		expect(execution.status).toBe('waiting');
		expect(passedOf('1')).toBeUndefined();
		await pass(10_000);
		decide('One?', 'denied');
		await pass(5000);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'denied' }]]);
		expect(pushes()).toBe(1);
		expect(await call()).toBe(409);
	});

	it('is repeated if the execution was not stored yet', async () => {
		open(sendAndWait()).storeMs = 5000;
		const started = world.host.start([{ question: 'One?' }]);
		await pass(100);
		decide('One?');
		await pass(MINUTE);
		expect((await started).status).toBe('success');
		expect(world.host.calls.map(({ status }) => status)).toEqual([409, 409, 200]);
	});

	it('is not sent within 75 seconds of the end of a wait, whose timer n8n would lose', async () => {
		open(sendAndWait(), { pause: true });
		const execution = await start('One?');
		await pass(execution.waitTill! - Date.now() - 30_000);
		decide('One?');
		await pass(29_000);
		expect(world.host.calls).toEqual([]);
		await pass(3000);
		expect(execution.status).toBe('waiting');
		const [pausedAt] = world.host.pauses;
		await pass(590_000);
		expect(passedOf('1')).toBeUndefined();
		await pass(20_000);
		expect(passedOf('1')).toHaveLength(1);
		expect(Date.now() - pausedAt!).toBeGreaterThan(600_000);
	});

	it('is not repeated in that time either, and a hint says that it failed', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await pass(execution.waitTill! - Date.now() - 85_000);
		world.host.unreachable = true;
		decide('One?');
		await pass(10_000);
		world.host.unreachable = false;
		const { length } = world.host.calls;
		expect(length).toBeGreaterThan(1);
		await pass(70_000);
		expect(world.host.calls).toHaveLength(length);
		await pass(10_000);
		expect(execution.status).toBe('success');
		expect(runsOf('1')[0]!.hints![0]!.message).toMatch(/couldn't be told to continue.*WEBHOOK_URL/);
	});

	it('succeeds when n8n is reachable again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		world.host.unreachable = true;
		decide('One?');
		await pass(10_000);
		world.host.unreachable = false;
		await pass(10_000);
		expect(execution.status).toBe('success');
	});

	it('to a stopped execution is not repeated', async () => {
		open(sendAndWait());
		await start('One?');
		world.host.cancel('1');
		decide('One?');
		await pass(20 * MINUTE);
		expect(world.host.calls).toEqual([{ id: '1', status: 409 }]);
		expect(passedOf('1')).toBeUndefined();
	});
});

describe('if the process was killed', () => {
	it('n8n resumes the execution at its time, and nothing is sent twice', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await pass(30_000);
		world.host.die();
		decide('One?');
		await pass(4 * MINUTE);
		expect(execution.status).toBe('waiting');
		await pass(MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
		expect(pushes()).toBe(1);
	});

	it('repeatedly, the execution still resumes and is polled', async () => {
		open(sendAndWait());
		await start('One?');
		for (let kill = 0; kill < 5; kill++) {
			world.host.die();
			await pass(4 * MINUTE);
		}
		await pass(2 * MINUTE);
		decide('One?', 'denied');
		await pass(12_000);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'denied' }]]);
		expect(runsOf('1')).toHaveLength(1);
	});
});

describe('if the pack was changed meanwhile', () => {
	it('and cannot read the stored state, the execution fails with that message and begins nothing again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		world.host.die();
		execution.data = execution.data.replace('"gatehouse":1', '"gatehouse":3');
		await pass(6 * MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/another version of the pack/);
		expect(pushes()).toBe(1);
	});
});

it('executions that are decided together are resumed with a concurrency limit', async () => {
	open(sendAndWait()).readMs = 3000;
	for (let index = 0; index < 40; index++) await start(`${index}?`);
	for (let index = 0; index < 40; index++) decide(`${index}?`);
	await pass(30_000);
	expect([...world.host.executions.values()].map(({ status }) => status)).toEqual(
		Array.from({ length: 40 }, () => 'success'),
	);
	expect(world.host.mostCalls).toBe(10);
});

describe('a time limit', () => {
	const limit = (resumeAmount: number, resumeUnit = 'minutes') =>
		sendAndWait({
			options: {
				limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit } },
			},
		});

	it.each([2, 4, 5, 7, 12])('of %d minutes ends the wait on time', async (minutes) => {
		open(limit(minutes));
		const execution = await start('One?');
		await pass(minutes * MINUTE - 5000);
		expect(execution.status).toBe('waiting');
		await pass(10_000);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'stillOutstanding', approved: false }]]);
		const [[{ waitedSeconds }]] = passedOf('1') as [[{ waitedSeconds: number }]];
		expect(Math.abs(waitedSeconds - 60 * minutes)).toBeLessThan(5);
	});

	it('ends the wait late if the process was killed', async () => {
		open(limit(3));
		await start('One?');
		world.host.die();
		await pass(5 * MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'stillOutstanding' }]]);
	});

	it('as a date is read in the time zone of the workflow', async () => {
		const at = new Date(Date.now() + 3 * MINUTE).toISOString().slice(0, 19);
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: at };
		open(sendAndWait({ options: { limitWaitTime: { values } } }));
		const execution = await start('One?');
		await pass(2.8 * MINUTE);
		expect(execution.status).toBe('waiting');
		await pass(0.4 * MINUTE);
		expect(execution.status).toBe('success');
	});

	it('that is not set lets the execution wait without end', async () => {
		open(sendAndWait());
		await start('One?');
		await pass(5 * 60 * MINUTE);
		decide('One?');
		await pass(6 * MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
		expect(runsOf('1')).toHaveLength(1);
		expect(pushes()).toBe(1);
	});
});

describe('an unavailable service', () => {
	it('at a poll makes the execution park again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		world.host.die();
		world.service.respondInstead = () => ({ status: 503, body: { message: 'Later' } });
		await pass(6 * MINUTE);
		expect(execution.status).toBe('waiting');
		world.service.respondInstead = () => undefined;
		decide('One?');
		await pass(6 * MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('that no longer has the request ends the wait as gone', async () => {
		open(sendAndWait());
		await start('One?');
		world.service.approvals.clear();
		await pass(MINUTE);
		expect(passedOf('1')).toMatchObject([[{ outcome: 'gone', approved: false }]]);
	});
});
