import { sendAndWait, useWorld } from './parkWorld';

const MINUTE = 60_000;
const world = useWorld();
const { open, start, pass, decide, pushes, passedOf, runsOf } = world;

describe('a call of the resume URL', () => {
	/** Calls the webhook like a stranger who has its address. */
	const call = async () => {
		const url = `${world.host.base}/1?signature=token-of-1/node-1`;
		const { status } = await world.host.respond({ method: 'POST', url }, true);
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
		const [pausedAt] = world.host.waitNodeStarts;
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
