import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovals, nextInputsOf, runsOf } = rig;

describe('a parked execution', () => {
	it('the execution resumes seconds after the decision, in one run and with one push message', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		expect(execution.status).toBe('waiting');
		await advanceTime(20_000);
		decide('One?');
		await advanceTime(4000);
		expect(execution.status).toBe('success');
		expect(nextInputsOf('1')).toMatchObject([
			[{ id: 'uuid-1', approved: true, outcome: 'approved', twofactor_id: 100_002 }],
		]);
		expect(runsOf('1')).toHaveLength(1);
		expect(countApprovals()).toBe(1);
		expect(rig.host.calls).toEqual([{ id: '1', status: 200 }]);
	});

	it('a resumed execution is no longer polled', async () => {
		open(sendAndWait());
		await start('One?');
		decide('One?', 'denied');
		await advanceTime(5000);
		const { length } = rig.service.polls;
		await advanceTime(20 * MINUTE);
		expect(rig.service.polls).toHaveLength(length);
		expect(nextInputsOf('1')).toMatchObject([[{ approved: false, outcome: 'denied' }]]);
	});

	it('stores no secret', async () => {
		open(sendAndWait());
		const { data } = await start('One?');
		expect(data).toContain('uuid-1');
		expect(data).not.toContain('key-0123456789');
	});

	it('the execution waits for all items together, and outputs them in one run, in order and paired', async () => {
		open(sendAndWait());
		await start('a?', 'b?', 'c?');
		for (const [question, status] of [
			['c?', 'denied'],
			['a?', 'approved'],
		] as const) {
			decide(question, status);
			await advanceTime(MINUTE);
		}
		expect(nextInputsOf('1')).toBeUndefined();
		expect(rig.host.calls).toEqual([]);
		decide('b?', 'expired');
		await advanceTime(4000);
		expect(nextInputsOf('1')).toMatchObject([
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
		expect(countApprovals()).toBe(3);
	});

	it('the execution keeps an early decision even if the service deletes it', async () => {
		open(sendAndWait());
		await start('a?', 'b?');
		decide('a?');
		await advanceTime(6 * MINUTE);
		rig.service.approvals.delete('uuid-1');
		await advanceTime(10 * MINUTE);
		decide('b?');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }, { outcome: 'approved' }]]);
	});

	it('the execution outputs failed items at their positions', async () => {
		open(sendAndWait(), { onError: 'continueRegularOutput' });
		await start('a?', { question: 'x'.repeat(200) }, 'c?');
		await advanceTime(7 * MINUTE);
		decide('a?');
		decide('c?');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([
			[
				{ outcome: 'approved' },
				{ error: expect.stringMatching(/144/) as string },
				{ outcome: 'approved' },
			],
		]);
		expect(countApprovals()).toBe(2);
	});

	it('the execution is not parked if an item fails and that ends the run', async () => {
		open(sendAndWait());
		const { status } = await start('a?', { question: 'x'.repeat(200) });
		expect(status).toBe('error');
	});

	it.each([
		['Always Output Data', { alwaysOutputData: true }, ['a?', 'b?'], 2],
		['Execute Once', { executeOnce: true }, ['a?', 'b?'], 1],
		['Retry On Fail', { retryOnFail: true, waitBetweenTries: 0 }, ['a?'], 1],
	])('an execution also resumes with %s', async (_, node, questions, count) => {
		open(sendAndWait(), node);
		await start(...questions);
		await advanceTime(6 * MINUTE);
		for (const question of questions.slice(0, count)) decide(question);
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toHaveLength(1);
		expect(nextInputsOf('1')![0]).toHaveLength(count);
		expect(countApprovals()).toBe(count);
	});

	it('a failed wait goes to the error output, or ends the run, as the node is set', async () => {
		open(sendAndWait({ options: { errorOutcomes: ['denied'] } }), { retryOnFail: true });
		const execution = await start('a?');
		decide('a?', 'denied');
		await advanceTime(MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/denied/);
		expect(countApprovals()).toBe(1);
	});
});
