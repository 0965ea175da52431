import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovals, nextInputsOf, runsOf } = rig;

describe('if the process was killed', () => {
	it('n8n resumes the execution at its time, and nothing is sent twice', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(30_000);
		rig.host.restartProcess();
		decide('One?');
		await advanceTime(4 * MINUTE);
		expect(execution.status).toBe('waiting');
		await advanceTime(MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
		expect(countApprovals()).toBe(1);
	});

	it('repeatedly, the execution still resumes and is polled', async () => {
		open(sendAndWait());
		await start('One?');
		for (let kill = 0; kill < 5; kill++) {
			rig.host.restartProcess();
			await advanceTime(4 * MINUTE);
		}
		await advanceTime(2 * MINUTE);
		decide('One?', 'denied');
		await advanceTime(12_000);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'denied' }]]);
		expect(runsOf('1')).toHaveLength(1);
	});
});

describe('if the pack was changed meanwhile', () => {
	it('and cannot read the stored state, the execution fails with that message and begins nothing again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.restartProcess();
		execution.data = execution.data.replace('"gatehouse":1', '"gatehouse":3');
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('error');
		expect(execution.run!.data.resultData.error!.message).toMatch(/another version of the pack/);
		expect(countApprovals()).toBe(1);
	});
});

describe('an unavailable service', () => {
	it('at a poll makes the execution park again', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.restartProcess();
		rig.service.replaceResponse = () => ({ status: 503, body: { message: 'Later' } });
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('waiting');
		rig.service.replaceResponse = () => undefined;
		decide('One?');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('that no longer has the request ends the wait as gone', async () => {
		open(sendAndWait());
		await start('One?');
		rig.service.approvals.clear();
		await advanceTime(MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'gone', approved: false }]]);
	});
});
