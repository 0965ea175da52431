import { sendAndWait, useWorld } from './parkWorld';

const MINUTE = 60_000;
const world = useWorld();
const { open, start, pass, decide } = world;
const asked = () => world.service.polls.length;
const inquiriesOf = (id: string) => world.host.statusRequests.filter((one) => one.id === id);

describe('an execution that was stopped while it was parked', () => {
	it.each([
		['Send and Wait for Approval', sendAndWait()],
		['Create that waits', sendAndWait({ operation: 'create', wait: true, waitLimit: 7200 })],
	])('is no longer polled after two intervals (%s)', async (_, parameters) => {
		open(parameters);
		await start('One?');
		await pass(20_000);
		world.host.cancel('1');
		await pass(4500);
		const before = asked();
		decide('One?');
		await pass(20 * MINUTE);
		expect(asked()).toBe(before);
		expect(world.host.calls).toEqual([]);
		expect(world.host.nextInputs.get('1')).toBeUndefined();
	});

	it('does not affect the others', async () => {
		open(sendAndWait());
		await start('One?');
		await start('Two?');
		world.host.cancel('1');
		await pass(MINUTE);
		decide('Two?', 'denied');
		await pass(4000);
		expect(world.host.nextInputs.get('2')).toMatchObject([[{ outcome: 'denied' }]]);
	});

	it('is forgotten, also if it was deleted', async () => {
		open(sendAndWait());
		await start('One?');
		world.host.executions.delete('1');
		await pass(10_000);
		const before = asked();
		await pass(MINUTE);
		expect(asked()).toBe(before);
	});
});

describe('checking in n8n whether an execution still waits', () => {
	it('never resumes it, and ends with its wait', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await pass(3 * MINUTE);
		expect(execution.status).toBe('waiting');
		expect(world.host.calls).toEqual([]);
		expect(inquiriesOf('1').length).toBeGreaterThan(60);
		decide('One?');
		await pass(10_000);
		expect(execution.status).toBe('success');
		const { length } = world.host.statusRequests;
		await pass(10 * MINUTE);
		expect(world.host.statusRequests).toHaveLength(length);
	});

	it('has no effect if n8n does not respond successfully', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		world.host.unreachable = true;
		await pass(MINUTE);
		world.host.unreachable = false;
		decide('One?');
		await pass(4000);
		expect(execution.status).toBe('success');
	});

	it('takes a twentieth of the time, however many there are and however slow n8n is', async () => {
		open(sendAndWait()).readMs = 100;
		for (let index = 0; index < 30; index++) await start(`${index}?`);
		const { length } = world.host.statusRequests;
		await pass(MINUTE);
		const made = world.host.statusRequests.length - length;
		expect(made).toBeGreaterThan(25);
		expect(made).toBeLessThanOrEqual(31);
		// Each in its turn.
		const turns = Array.from({ length: 30 }, (_, index) => inquiriesOf(`${index + 1}`).length);
		expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(2);
	});

	it('continues after another poll, and when a new execution is parked after the last one', async () => {
		open(sendAndWait());
		await start('One?');
		await pass(6 * MINUTE);
		world.host.cancel('1');
		await pass(MINUTE);
		const { length } = world.host.statusRequests;
		await pass(MINUTE);
		expect(world.host.statusRequests).toHaveLength(length);
		await start('Two?');
		await pass(10_000);
		expect(inquiriesOf('2').length).toBeGreaterThan(2);
	});
});
