// Protects the service from polls for stopped or deleted executions, and n8n from too many checks whether one still waits.
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const countPolls = () => rig.service.polls.length;
const findStatusRequests = (executionId: string) =>
	rig.host.statusRequests.filter(({ id }) => id === executionId);

describe('a parked execution that the user stops', () => {
	it.each([
		['Send and Wait for Approval', sendAndWait()],
		['Create with a wait', sendAndWait({ operation: 'create', wait: true, waitLimit: 7200 })],
	])(
		'a stopped execution of %s is no longer polled after two intervals of two seconds',
		async (_, parameters) => {
			open(parameters);
			await start('One?');
			await advanceTime(20_000);
			rig.host.cancel(FIRST_EXECUTION_ID);
			await advanceTime(4500);
			const earlierCount = countPolls();
			decide('One?');
			await advanceTime(20 * MINUTE);
			expect(countPolls()).toBe(earlierCount);
			expect(rig.host.resumeCalls).toEqual([]);
			expect(rig.readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
		},
	);

	it('a stopped execution does not affect another one that is parked', async () => {
		open(sendAndWait());
		const stoppedExecution = await start('One?');
		const otherExecution = await start('Two?');
		rig.host.cancel(stoppedExecution.id);
		await advanceTime(MINUTE);
		decide('Two?', 'denied');
		await advanceTime(4000);
		expect(rig.readNextInputs(otherExecution.id)).toMatchObject([[{ outcome: 'denied' }]]);
	});

	it('a deleted execution is no longer polled', async () => {
		open(sendAndWait());
		await start('One?');
		rig.host.executions.delete(FIRST_EXECUTION_ID);
		await advanceTime(10_000);
		const earlierCount = countPolls();
		await advanceTime(MINUTE);
		expect(countPolls()).toBe(earlierCount);
	});
});

describe('the check in n8n whether an execution still waits', () => {
	it('the status check does not resume an execution, and ends when the wait ends', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(3 * MINUTE);
		expect(execution.status).toBe('waiting');
		expect(rig.host.resumeCalls).toEqual([]);
		expect(findStatusRequests(execution.id).length).toBeGreaterThan(60);
		decide('One?');
		await advanceTime(10_000);
		expect(execution.status).toBe('success');
		const earlierCount = rig.host.statusRequests.length;
		await advanceTime(10 * MINUTE);
		expect(rig.host.statusRequests).toHaveLength(earlierCount);
	});

	it('an execution is still polled and resumes after its status checks failed for a minute', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.isUnreachable = true;
		await advanceTime(MINUTE);
		rig.host.isUnreachable = false;
		decide('One?');
		await advanceTime(4000);
		expect(execution.status).toBe('success');
	});

	it('the status checks of thirty executions take a fiftieth of the time if n8n responds slowly', async () => {
		open(sendAndWait()).readMs = 100;
		for (let index = 0; index < 30; index++) await start(`${index}?`);
		const earlierCount = rig.host.statusRequests.length;
		await advanceTime(MINUTE);
		const requestCount = rig.host.statusRequests.length - earlierCount;
		// One check of 100 ms every five seconds.
		expect(requestCount).toBeGreaterThan(9);
		expect(requestCount).toBeLessThanOrEqual(13);
		// Every execution is checked equally often.
		const counts = Array.from(
			{ length: 30 },
			(_, index) => findStatusRequests(`${index + 1}`).length,
		);
		expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
	});

	it('the status checks stop with the last parked execution, and start again for a new one', async () => {
		open(sendAndWait());
		await start('One?');
		await advanceTime(6 * MINUTE);
		rig.host.cancel(FIRST_EXECUTION_ID);
		await advanceTime(MINUTE);
		const earlierCount = rig.host.statusRequests.length;
		await advanceTime(MINUTE);
		expect(rig.host.statusRequests).toHaveLength(earlierCount);
		const newExecution = await start('Two?');
		await advanceTime(10_000);
		expect(findStatusRequests(newExecution.id).length).toBeGreaterThan(2);
	});
});
