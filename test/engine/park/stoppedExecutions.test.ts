import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const countPolls = () => rig.service.polls.length;
const statusRequestsOf = (id: string) =>
	rig.host.statusRequests.filter((request) => request.id === id);

describe('an execution that was stopped while it was parked', () => {
	it.each([
		['Send and Wait for Approval', sendAndWait()],
		['Create that waits', sendAndWait({ operation: 'create', wait: true, waitLimit: 7200 })],
	])('a stopped execution is no longer polled after two intervals (%s)', async (_, parameters) => {
		open(parameters);
		await start('One?');
		await advanceTime(20_000);
		rig.host.cancel('1');
		await advanceTime(4500);
		const before = countPolls();
		decide('One?');
		await advanceTime(20 * MINUTE);
		expect(countPolls()).toBe(before);
		expect(rig.host.calls).toEqual([]);
		expect(rig.host.nextInputs.get('1')).toBeUndefined();
	});

	it('a stopped execution does not affect the others', async () => {
		open(sendAndWait());
		await start('One?');
		await start('Two?');
		rig.host.cancel('1');
		await advanceTime(MINUTE);
		decide('Two?', 'denied');
		await advanceTime(4000);
		expect(rig.host.nextInputs.get('2')).toMatchObject([[{ outcome: 'denied' }]]);
	});

	it('a stopped or deleted execution leaves no state', async () => {
		open(sendAndWait());
		await start('One?');
		rig.host.executions.delete('1');
		await advanceTime(10_000);
		const before = countPolls();
		await advanceTime(MINUTE);
		expect(countPolls()).toBe(before);
	});
});

describe('checking in n8n whether an execution still waits', () => {
	it('the status check never resumes an execution, and ends with its wait', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(3 * MINUTE);
		expect(execution.status).toBe('waiting');
		expect(rig.host.calls).toEqual([]);
		expect(statusRequestsOf('1').length).toBeGreaterThan(60);
		decide('One?');
		await advanceTime(10_000);
		expect(execution.status).toBe('success');
		const { length } = rig.host.statusRequests;
		await advanceTime(10 * MINUTE);
		expect(rig.host.statusRequests).toHaveLength(length);
	});

	it('the status check has no effect if n8n does not respond successfully', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.unreachable = true;
		await advanceTime(MINUTE);
		rig.host.unreachable = false;
		decide('One?');
		await advanceTime(4000);
		expect(execution.status).toBe('success');
	});

	it('the status checks take a twentieth of the time, however many executions wait and however slow n8n is', async () => {
		open(sendAndWait()).readMs = 100;
		for (let index = 0; index < 30; index++) await start(`${index}?`);
		const { length } = rig.host.statusRequests;
		await advanceTime(MINUTE);
		const requestCount = rig.host.statusRequests.length - length;
		expect(requestCount).toBeGreaterThan(25);
		expect(requestCount).toBeLessThanOrEqual(31);
		// Each in its turn.
		const turns = Array.from({ length: 30 }, (_, index) => statusRequestsOf(`${index + 1}`).length);
		expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(2);
	});

	it('the status checks continue after another poll, and when a new execution is parked after the last one', async () => {
		open(sendAndWait());
		await start('One?');
		await advanceTime(6 * MINUTE);
		rig.host.cancel('1');
		await advanceTime(MINUTE);
		const { length } = rig.host.statusRequests;
		await advanceTime(MINUTE);
		expect(rig.host.statusRequests).toHaveLength(length);
		await start('Two?');
		await advanceTime(10_000);
		expect(statusRequestsOf('2').length).toBeGreaterThan(2);
	});
});
