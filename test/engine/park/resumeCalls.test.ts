// Protects resumes: an outside call decides nothing, a failed call is repeated, and a later Wait node waits its whole time.
import { WAIT_NODE_MS } from './nodes';
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovalRequests, readNextInputs, readRuns } = rig;

describe('a call of the resume URL', () => {
	/** Calls the webhook from outside, as anyone who has its URL can. Returns the status of the response. */
	const callFromOutside = async () => {
		const url = `${rig.host.resumeBaseUrl}/1?signature=token-of-1/node-1`;
		const { status } = await rig.host.respond({ method: 'POST', url }, true);
		await advanceTime(2000);
		return status;
	};

	it('a resume call from outside decides nothing: the node polls the request and parks again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		// In a process that has just started, a resumed execution keeps running for a while.
		await advanceTime(2.5 * MINUTE);
		expect(await callFromOutside()).toBe(200);
		expect(execution.status).toBe('waiting');
		expect(readNextInputs(execution.id)).toBeUndefined();
		await advanceTime(10_000);
		decide('One?', 'denied');
		await advanceTime(5000);
		expect(readNextInputs(execution.id)).toMatchObject([[{ outcome: 'denied' }]]);
		expect(countApprovalRequests()).toBe(1);
		expect(await callFromOutside()).toBe(409);
	});

	it('a resume call is repeated if the execution is not stored yet', async () => {
		open(sendAndWait()).storeMs = 5000;
		const started = rig.host.start([{ question: 'One?' }]);
		await advanceTime(100);
		decide('One?');
		await advanceTime(MINUTE);
		expect((await started).status).toBe('success');
		expect(rig.host.resumeCalls.map(({ status }) => status)).toEqual([409, 409, 200]);
	});

	it('no resume call is sent in the 75 seconds before n8n resumes by time, so the next Wait node waits for its whole time', async () => {
		open(sendAndWait(), { withWaitNode: true });
		const execution = await start('One?');
		await advanceTime(execution.waitTill! - Date.now() - 30_000);
		decide('One?');
		await advanceTime(29_000);
		expect(rig.host.resumeCalls).toEqual([]);
		await advanceTime(3000);
		expect(execution.status).toBe('waiting');
		const [waitNodeStartedAtMs] = rig.host.waitNodeStarts;
		await advanceTime(WAIT_NODE_MS - 10_000);
		expect(readNextInputs(execution.id)).toBeUndefined();
		await advanceTime(20_000);
		expect(readNextInputs(execution.id)).toHaveLength(1);
		expect(Date.now() - waitNodeStartedAtMs!).toBeGreaterThan(WAIT_NODE_MS);
	});

	it('a failed resume call is not repeated in the 75 seconds before n8n resumes by time, and a hint reports the failure', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(execution.waitTill! - Date.now() - 85_000);
		rig.host.isUnreachable = true;
		decide('One?');
		await advanceTime(10_000);
		rig.host.isUnreachable = false;
		const callCount = rig.host.resumeCalls.length;
		expect(callCount).toBeGreaterThan(1);
		await advanceTime(70_000);
		expect(rig.host.resumeCalls).toHaveLength(callCount);
		await advanceTime(10_000);
		expect(execution.status).toBe('success');
		expect(readRuns(execution.id)[0]!.hints![0]!.message).toMatch(
			/couldn't be told to continue.*WEBHOOK_URL/,
		);
	});

	it('a failed resume call is repeated, and succeeds when n8n is reachable again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.isUnreachable = true;
		decide('One?');
		await advanceTime(10_000);
		rig.host.isUnreachable = false;
		await advanceTime(10_000);
		expect(execution.status).toBe('success');
	});

	it('a resume call to a stopped execution is not repeated', async () => {
		open(sendAndWait());
		await start('One?');
		rig.host.cancel(FIRST_EXECUTION_ID);
		decide('One?');
		await advanceTime(20 * MINUTE);
		expect(rig.host.resumeCalls).toEqual([{ id: FIRST_EXECUTION_ID, status: 409 }]);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
	});
});

it('forty executions that are decided at once resume with at most ten concurrent calls', async () => {
	open(sendAndWait()).readMs = 3000;
	const executionCount = 40;
	for (let index = 0; index < executionCount; index++) await start(`${index}?`);
	for (let index = 0; index < executionCount; index++) decide(`${index}?`);
	await advanceTime(30_000);
	expect([...rig.host.executions.values()].map(({ status }) => status)).toEqual(
		Array.from({ length: executionCount }, () => 'success'),
	);
	expect(rig.host.maxConcurrentCalls).toBe(10);
});
