// Protects the time limit of a parked wait: it ends the wait on time, or at n8n's next timer if n8n was killed.
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, countApprovalRequests, readNextInputs, readRuns } = rig;

describe('a time limit', () => {
	/** Parameters of a node that waits for this many minutes. */
	const waitForMinutes = (minutes: number) =>
		sendAndWait({
			options: {
				limitWaitTime: {
					values: { limitType: 'afterTimeInterval', resumeAmount: minutes, resumeUnit: 'minutes' },
				},
			},
		});

	it.each([2, 4, 5, 7, 12])('a limit of %d minutes ends the wait on time', async (minutes) => {
		open(waitForMinutes(minutes));
		const execution = await start('One?');
		await advanceTime(minutes * MINUTE - 5000);
		expect(execution.status).toBe('waiting');
		await advanceTime(10_000);
		expect(readNextInputs(execution.id)).toMatchObject([
			[{ outcome: 'stillOutstanding', approved: false }],
		]);
		const [[{ waitedSeconds }]] = readNextInputs(execution.id) as [[{ waitedSeconds: number }]];
		expect(Math.abs(waitedSeconds - 60 * minutes)).toBeLessThan(5);
	});

	it('a limit of three minutes ends the wait after five minutes at the latest if n8n was killed', async () => {
		open(waitForMinutes(3));
		await start('One?');
		rig.host.restartProcess();
		await advanceTime(5 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'stillOutstanding' }]]);
	});

	it('a date as time limit ends the wait at that time in the time zone of the workflow', async () => {
		const aheadOfUtcMs = 9 * 60 * MINUTE;
		const limitDate = new Date(Date.now() + aheadOfUtcMs + 3 * MINUTE).toISOString().slice(0, 19);
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: limitDate };
		const settings = { timezone: 'Asia/Tokyo' };
		open(sendAndWait({ options: { limitWaitTime: { values } } }), { settings });
		const execution = await start('One?');
		await advanceTime(2.8 * MINUTE);
		expect(execution.status).toBe('waiting');
		await advanceTime(0.4 * MINUTE);
		expect(execution.status).toBe('success');
	});

	it('the execution waits without end if no time limit is set', async () => {
		open(sendAndWait());
		await start('One?');
		await advanceTime(5 * 60 * MINUTE);
		decide('One?');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
		expect(readRuns(FIRST_EXECUTION_ID)).toHaveLength(1);
		expect(countApprovalRequests()).toBe(1);
	});
});
