import { sendAndWait, useWorld } from './parkWorld';

const MINUTE = 60_000;
const world = useWorld();
const { open, start, pass, decide, pushes, passedOf, runsOf } = world;

describe('if the process was killed', () => {
	it('n8n resumes the execution at its time, and nothing is sent twice', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await pass(30_000);
		world.host.restartProcess();
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
			world.host.restartProcess();
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
		world.host.restartProcess();
		execution.data = execution.data.replace('"gatehouse":1', '"gatehouse":3');
		await pass(6 * MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/another version of the pack/);
		expect(pushes()).toBe(1);
	});
});

describe('an unavailable service', () => {
	it('at a poll makes the execution park again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		world.host.restartProcess();
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
