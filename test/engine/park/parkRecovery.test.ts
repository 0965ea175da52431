// Protects parked executions from a kill of n8n or an outage of the service: they resume, and send no request twice.
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovalRequests, readNextInputs, readRuns } = rig;

describe('after n8n was killed', () => {
	it('the execution resumes when its time is due, and no request is sent twice', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(30_000);
		rig.host.restartProcess();
		decide('One?');
		await advanceTime(4 * MINUTE);
		expect(execution.status).toBe('waiting');
		await advanceTime(MINUTE);
		expect(readNextInputs(execution.id)).toMatchObject([[{ outcome: 'approved' }]]);
		expect(countApprovalRequests()).toBe(1);
	});

	it('the execution is still polled and resumes in one run after five kills', async () => {
		open(sendAndWait());
		await start('One?');
		for (let kill = 0; kill < 5; kill++) {
			rig.host.restartProcess();
			await advanceTime(4 * MINUTE);
		}
		await advanceTime(2 * MINUTE);
		decide('One?', 'denied');
		await advanceTime(12_000);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'denied' }]]);
		expect(readRuns(FIRST_EXECUTION_ID)).toHaveLength(1);
	});
});

describe('at a poll', () => {
	it('the execution is parked again if the service is unavailable', async () => {
		open(sendAndWait());
		const execution = await start('One?');
		rig.host.restartProcess();
		rig.service.replaceResponse = () => ({ status: 503, body: { message: 'Later' } });
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('waiting');
		rig.service.replaceResponse = () => undefined;
		decide('One?');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(execution.id)).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('the wait ends as gone if the service no longer has the request', async () => {
		open(sendAndWait());
		await start('One?');
		rig.service.approvals.clear();
		await advanceTime(MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'gone', approved: false }],
		]);
	});
});
