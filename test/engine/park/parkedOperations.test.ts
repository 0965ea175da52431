// Protects the operations that wait: their executions are parked, and each item ends with its own decision or time limit.
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const readFirstInputs = () => rig.readNextInputs(FIRST_EXECUTION_ID);

describe.each([
	['Create with a wait', { operation: 'create', wait: true, waitLimit: 7200 }],
	['Send and Wait for Approval', {}],
])('%s', (_, parameters) => {
	it('the execution is parked, and resumes after its last decision', async () => {
		open(sendAndWait(parameters));
		const execution = await start('a?', 'b?');
		expect(execution.status).toBe('waiting');
		await advanceTime(100 * MINUTE);
		decide('a?');
		decide('b?', 'denied');
		await advanceTime(2 * MINUTE);
		expect(execution.status).toBe('success');
		expect(readFirstInputs()).toMatchObject([[{ outcome: 'approved' }, { outcome: 'denied' }]]);
		expect(rig.host.resumeCalls.every(({ status }) => status === 200)).toBe(true);
		expect(rig.service.approvals.size).toBe(2);
	});
});

describe('Wait for Decision', () => {
	/** Parameters of a node that takes the request and the time limit from the item. */
	const waitForDecision = {
		resource: 'approvalRequest',
		operation: 'waitForDecision',
		uuid: '={{ $json.uuid }}',
		waitLimit: '={{ $json.limit }}',
		outputs: 'one',
	};
	beforeEach(() => {
		for (const uuid of ['a', 'b'])
			rig.service.approvals.set(uuid, { message: uuid, status: 'pending' });
	});

	it('a request that is decided already is output at once', async () => {
		open(waitForDecision);
		decide('a');
		expect((await start({ uuid: 'a', limit: 600 })).status).toBe('success');
		expect(readFirstInputs()).toMatchObject([[{ id: 'a', outcome: 'approved' }]]);
	});

	it('the waited seconds of a resumed execution are counted from its start', async () => {
		open(waitForDecision);
		await start({ uuid: 'a', limit: 86_400 });
		await advanceTime(90 * MINUTE);
		decide('a', 'denied');
		await advanceTime(2 * MINUTE);
		expect(readFirstInputs()).toMatchObject([[{ id: 'a', outcome: 'denied' }]]);
		const [[{ waitedSeconds }]] = readFirstInputs() as [[{ waitedSeconds: number }]];
		expect(waitedSeconds).toBeGreaterThan(90 * 60);
	});

	it('the time limit of one item does not end the wait of another item', async () => {
		open(waitForDecision);
		const execution = await start({ uuid: 'a', limit: 60 }, { uuid: 'b', limit: 1200 });
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('waiting');
		decide('a');
		decide('b');
		await advanceTime(MINUTE);
		expect(readFirstInputs()).toMatchObject([
			[{ outcome: 'stillOutstanding' }, { outcome: 'approved' }],
		]);
	});

	it('two executions that wait for one request both resume when it is decided', async () => {
		open(waitForDecision);
		await start({ uuid: 'a', limit: 600 });
		await start({ uuid: 'a', limit: 600 });
		await advanceTime(10_000);
		decide('a');
		await advanceTime(5000);
		expect([...rig.host.nextInputs.values()]).toMatchObject([
			[[{ outcome: 'approved' }]],
			[[{ outcome: 'approved' }]],
		]);
	});

	it('two executions that wait for one request share its polls', async () => {
		open(waitForDecision);
		await start({ uuid: 'a', limit: 600 });
		await start({ uuid: 'a', limit: 600 });
		const earlierCount = rig.service.polls.length;
		await advanceTime(MINUTE);
		const pollCount = rig.service.polls.length - earlierCount;
		// One poll every two seconds, not one per execution.
		expect(pollCount).toBeGreaterThan(20);
		expect(pollCount).toBeLessThanOrEqual(31);
	});
});
