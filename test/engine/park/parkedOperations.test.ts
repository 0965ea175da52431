import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;
const passed = () => rig.host.nextInputs.get('1');

describe.each([
	['Create that waits', { operation: 'create', wait: true, waitLimit: 7200 }],
	['Send and Wait for Approval', {}],
])('%s', (_, parameters) => {
	it('parks, and resumes after the decision', async () => {
		open(sendAndWait(parameters));
		const execution = await start('a?', 'b?');
		expect(execution.status).toBe('waiting');
		await advanceTime(100 * MINUTE);
		decide('a?');
		decide('b?', 'denied');
		await advanceTime(2 * MINUTE);
		expect(execution.status).toBe('success');
		expect(passed()).toMatchObject([[{ outcome: 'approved' }, { outcome: 'denied' }]]);
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

	it('outputs at once what is already decided', async () => {
		open(wait);
		decide('a');
		expect((await start({ uuid: 'a', limit: 600 })).status).toBe('success');
		expect(passed()).toMatchObject([[{ id: 'a', outcome: 'approved' }]]);
	});

	it('parks, resumes by the URL of the execution, and counts from the beginning', async () => {
		open(wait);
		await start({ uuid: 'a', limit: 86_400 });
		await advanceTime(90 * MINUTE);
		decide('a', 'denied');
		await advanceTime(2 * MINUTE);
		expect(passed()).toMatchObject([[{ id: 'a', outcome: 'denied' }]]);
		const [[{ waitedSeconds }]] = passed() as [[{ waitedSeconds: number }]];
		expect(waitedSeconds).toBeGreaterThan(5400);
	});

	it('keeps the time limit of each item, and waits for the others', async () => {
		open(wait);
		const execution = await start({ uuid: 'a', limit: 60 }, { uuid: 'b', limit: 1200 });
		await advanceTime(6 * MINUTE);
		expect(execution.status).toBe('waiting');
		decide('a');
		decide('b');
		await advanceTime(MINUTE);
		expect(passed()).toMatchObject([[{ outcome: 'stillOutstanding' }, { outcome: 'approved' }]]);
	});

	it('resumes both of two executions that wait for the same request', async () => {
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

	it('polls once for both, and less often than every interval', async () => {
		open(wait);
		await start({ uuid: 'a', limit: 600 });
		await start({ uuid: 'a', limit: 600 });
		const { length } = rig.service.polls;
		await advanceTime(MINUTE);
		const asked = rig.service.polls.length - length;
		expect(asked).toBeGreaterThan(20);
		expect(asked).toBeLessThanOrEqual(31);
	});
});
