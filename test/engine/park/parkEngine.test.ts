// Protects the parked wait of a workflow: it resumes soon after the last decision, in one run, and sends each request once.
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovalRequests, readNextInputs, readRuns } = rig;

/** Longer than the 144 characters that a message may have. */
const TOO_LONG = 'x'.repeat(200);

describe('parking an execution', () => {
	it('the execution resumes seconds after the decision, and one request is sent for its one run', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		expect(execution.status).toBe('waiting');
		await advanceTime(20_000);
		decide('One?');
		await advanceTime(4000);
		expect(execution.status).toBe('success');
		expect(readNextInputs(execution.id)).toMatchObject([
			[{ id: 'uuid-1', approved: true, outcome: 'approved', twofactor_id: 100_002 }],
		]);
		expect(readRuns(execution.id)).toHaveLength(1);
		expect(countApprovalRequests()).toBe(1);
		expect(rig.host.resumeCalls).toEqual([{ id: execution.id, status: 200 }]);
	});

	it('requests of a resumed execution are no longer polled', async () => {
		open(sendAndWait());
		await start('One?');
		decide('One?', 'denied');
		await advanceTime(5000);
		const earlierCount = rig.service.polls.length;
		await advanceTime(20 * MINUTE);
		expect(rig.service.polls).toHaveLength(earlierCount);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ approved: false, outcome: 'denied' }],
		]);
	});

	it('the stored execution contains no secret', async () => {
		open(sendAndWait());
		const { data } = await start('One?');
		expect(data).toContain('uuid-1');
		expect(data).not.toContain('key-0123456789');
	});

	it('the execution waits for all items together, and outputs them in order and paired in one run', async () => {
		open(sendAndWait());
		await start('a?', 'b?', 'c?');
		for (const [question, status] of [
			['c?', 'denied'],
			['a?', 'approved'],
		] as const) {
			decide(question, status);
			await advanceTime(MINUTE);
		}
		expect(readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
		expect(rig.host.resumeCalls).toEqual([]);
		decide('b?', 'expired');
		await advanceTime(4000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[
				{ id: 'uuid-1', outcome: 'approved', approved: true },
				{ id: 'uuid-2', outcome: 'expired', approved: false },
				{ id: 'uuid-3', outcome: 'denied', approved: false },
			],
		]);
		const items = readRuns(FIRST_EXECUTION_ID)[0]!.data!.main![0]!;
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(countApprovalRequests()).toBe(3);
	});

	it('a decision that was read stays known even if the service deletes it before the other items are decided', async () => {
		open(sendAndWait());
		await start('a?', 'b?');
		decide('a?');
		await advanceTime(6 * MINUTE);
		rig.service.approvals.delete('uuid-1');
		await advanceTime(10 * MINUTE);
		decide('b?');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'approved' }, { outcome: 'approved' }],
		]);
	});

	it('failed items are output at their positions', async () => {
		open(sendAndWait(), { onError: 'continueRegularOutput' });
		await start('a?', { question: TOO_LONG }, 'c?');
		await advanceTime(7 * MINUTE);
		decide('a?');
		decide('c?');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[
				{ outcome: 'approved' },
				{ error: expect.stringMatching(/144/) as string },
				{ outcome: 'approved' },
			],
		]);
		expect(countApprovalRequests()).toBe(2);
	});

	it('the execution is not parked if a failed item ends the run', async () => {
		open(sendAndWait());
		const { status } = await start('a?', { question: TOO_LONG });
		expect(status).toBe('error');
	});

	it.each([
		['Always Output Data', { alwaysOutputData: true }, ['a?', 'b?'], 2],
		['Execute Once', { executeOnce: true }, ['a?', 'b?'], 1],
		['Retry On Fail', { retryOnFail: true, waitBetweenTries: 0 }, ['a?'], 1],
	])(
		'the execution resumes with the node setting %s',
		async (_, settings, questions, sentCount) => {
			open(sendAndWait(), settings);
			await start(...questions);
			await advanceTime(6 * MINUTE);
			for (const question of questions.slice(0, sentCount)) decide(question);
			await advanceTime(6 * MINUTE);
			expect(readNextInputs(FIRST_EXECUTION_ID)).toHaveLength(1);
			expect(readNextInputs(FIRST_EXECUTION_ID)![0]).toHaveLength(sentCount);
			expect(countApprovalRequests()).toBe(sentCount);
		},
	);

	it('an outcome that counts as an error ends the run, and Retry On Fail sends no second request', async () => {
		open(sendAndWait({ options: { errorOutcomes: ['denied'] } }), { retryOnFail: true });
		const execution = await start('a?');
		decide('a?', 'denied');
		await advanceTime(MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/denied/);
		expect(countApprovalRequests()).toBe(1);
	});
});
