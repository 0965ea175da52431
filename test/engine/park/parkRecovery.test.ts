import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovals, nextInputsOf, runsOf } = rig;

describe('recovery after the process was killed', () => {
	it('n8n resumes the execution when it is due, and nothing is sent twice', async () => {
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

	it('an execution still resumes and is polled after several kills', async () => {
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

describe('recovery after an update of the pack', () => {
	it('an execution whose stored state cannot be read fails with that message and sends nothing again', async () => {
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
	it('the execution is parked again if the service is unavailable at a poll', async () => {
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

	it('the wait ends as gone if the service no longer has the request', async () => {
		open(sendAndWait());
		await start('One?');
		rig.service.approvals.clear();
		await advanceTime(MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'gone', approved: false }]]);
	});
});
