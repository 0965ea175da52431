import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovals, nextInputsOf, runsOf } = rig;

describe('a call of the resume URL', () => {
	/** Calls the webhook like a stranger who has its address. */
	const call = async () => {
		const url = `${rig.host.base}/1?signature=token-of-1/node-1`;
		const { status } = await rig.host.respond({ method: 'POST', url }, true);
		await advanceTime(2000);
		return status;
	};

	it('a resume call decides nothing: the node polls, and parks again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		// In a process that has just started it would wait blocking.
		await advanceTime(2.5 * MINUTE);
		expect(await call()).toBe(200);
		expect(execution.status).toBe('waiting');
		expect(nextInputsOf('1')).toBeUndefined();
		await advanceTime(10_000);
		decide('One?', 'denied');
		await advanceTime(5000);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'denied' }]]);
		expect(countApprovals()).toBe(1);
		expect(await call()).toBe(409);
	});

	it('a resume call is repeated if the execution is not stored yet', async () => {
		open(sendAndWait()).storeMs = 5000;
		const started = rig.host.start([{ question: 'One?' }]);
		await advanceTime(100);
		decide('One?');
		await advanceTime(MINUTE);
		expect((await started).status).toBe('success');
		expect(rig.host.calls.map(({ status }) => status)).toEqual([409, 409, 200]);
	});

	it('no resume call is sent within 75 seconds before the end of a wait, since n8n would lose its timer', async () => {
		open(sendAndWait(), { pause: true });
		const execution = await start('One?');
		await advanceTime(execution.waitTill! - Date.now() - 30_000);
		decide('One?');
		await advanceTime(29_000);
		expect(rig.host.calls).toEqual([]);
		await advanceTime(3000);
		expect(execution.status).toBe('waiting');
		const [pausedAt] = rig.host.waitNodeStarts;
		await advanceTime(590_000);
		expect(nextInputsOf('1')).toBeUndefined();
		await advanceTime(20_000);
		expect(nextInputsOf('1')).toHaveLength(1);
		expect(Date.now() - pausedAt!).toBeGreaterThan(600_000);
	});

	it('a resume call is not repeated in that time either, and a hint reports its failure', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(execution.waitTill! - Date.now() - 85_000);
		rig.host.unreachable = true;
		decide('One?');
		await advanceTime(10_000);
		rig.host.unreachable = false;
		const { length } = rig.host.calls;
		expect(length).toBeGreaterThan(1);
		await advanceTime(70_000);
		expect(rig.host.calls).toHaveLength(length);
		await advanceTime(10_000);
		expect(execution.status).toBe('success');
		expect(runsOf('1')[0]!.hints![0]!.message).toMatch(/couldn't be told to continue.*WEBHOOK_URL/);
	});

	it('a resume call succeeds when n8n is reachable again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.unreachable = true;
		decide('One?');
		await advanceTime(10_000);
		rig.host.unreachable = false;
		await advanceTime(10_000);
		expect(execution.status).toBe('success');
	});

	it('a resume call to a stopped execution is not repeated', async () => {
		open(sendAndWait());
		await start('One?');
		rig.host.cancel('1');
		decide('One?');
		await advanceTime(20 * MINUTE);
		expect(rig.host.calls).toEqual([{ id: '1', status: 409 }]);
		expect(nextInputsOf('1')).toBeUndefined();
	});
});

it('executions that are decided together resume with a concurrency limit', async () => {
	open(sendAndWait()).readMs = 3000;
	for (let index = 0; index < 40; index++) await start(`${index}?`);
	for (let index = 0; index < 40; index++) decide(`${index}?`);
	await advanceTime(30_000);
	expect([...rig.host.executions.values()].map(({ status }) => status)).toEqual(
		Array.from({ length: 40 }, () => 'success'),
	);
	expect(rig.host.mostCalls).toBe(10);
});
