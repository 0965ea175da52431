import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const nextInputs = () => rig.host.nextInputs.get('1');

describe.each([
	['Create that waits', { operation: 'create', wait: true, waitLimit: 7200 }],
	['Send and Wait for Approval', {}],
])('%s', (_, parameters) => {
	it('the execution is parked, and resumes after the decision', async () => {
		open(sendAndWait(parameters));
		const execution = await start('a?', 'b?');
		expect(execution.status).toBe('waiting');
		await advanceTime(100 * MINUTE);
		decide('a?');
		decide('b?', 'denied');
		await advanceTime(2 * MINUTE);
		expect(execution.status).toBe('success');
		expect(nextInputs()).toMatchObject([[{ outcome: 'approved' }, { outcome: 'denied' }]]);
		expect(rig.host.calls.every(({ status }) => status === 200)).toBe(true);
		expect(rig.service.approvals.size).toBe(2);
	});
});

describe('Wait for Decision', () => {
	const wait = {
		resource: 'approvalRequest',
		operation: 'waitForDecision',
		uuid: '={{ $json.uuid }}',
		waitLimit: '={{ $json.limit }}',
	};
	beforeEach(() => {
		for (const uuid of ['a', 'b'])
			rig.service.approvals.set(uuid, { message: uuid, status: 'pending' });
	});

	it('an existing decision is output at once', async () => {
		open(wait);
		decide('a');
		expect((await start({ uuid: 'a', limit: 600 })).status).toBe('success');
		expect(nextInputs()).toMatchObject([[{ id: 'a', outcome: 'approved' }]]);
	});

	it('a resumed execution counts the waited seconds from the beginning', async () => {
		open(wait);
		await start({ uuid: 'a', limit: 86_400 });
		await advanceTime(90 * MINUTE);
		decide('a', 'denied');
		await advanceTime(2 * MINUTE);
		expect(nextInputs()).toMatchObject([[{ id: 'a', outcome: 'denied' }]]);
		const [[{ waitedSeconds }]] = nextInputs() as [[{ waitedSeconds: number }]];
		expect(waitedSeconds).toBeGreaterThan(5400);
	});

	it('the time limit of one item does not end the wait of the others', async () => {
		open(wait);
		const execution = await start({ uuid: 'a', limit: 60 }, { uuid: 'b', limit: 1200 });
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('waiting');
		decide('a');
		decide('b');
		await advanceTime(MINUTE);
		expect(nextInputs()).toMatchObject([
			[{ outcome: 'stillOutstanding' }, { outcome: 'approved' }],
		]);
	});

	it('two executions that wait for the same request both resume', async () => {
		open(wait);
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

	it('two executions share the polls of one request', async () => {
		open(wait);
		await start({ uuid: 'a', limit: 600 });
		await start({ uuid: 'a', limit: 600 });
		const { length } = rig.service.polls;
		await advanceTime(MINUTE);
		const pollCount = rig.service.polls.length - length;
		expect(pollCount).toBeGreaterThan(20);
		expect(pollCount).toBeLessThanOrEqual(31);
	});
});
