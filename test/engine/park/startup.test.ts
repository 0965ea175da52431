// Protects overdue executions at the start of n8n: they are parked again only after its crash recovery, and none is lost.
import { InstanceSettings } from 'n8n-core';
import { createRequire } from 'node:module';

import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

// n8n resumes overdue executions before its own crash recovery has run. One that is parked again in between is marked as
// crashed.

const MINUTE = 60_000;
// The instance of the settings that n8n's contexts use.
const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as {
	Container: { get: (type: unknown) => { instanceType: string } };
};
const settings = Container.get(InstanceSettings);
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;

/** Kills n8n, and starts it again when the parked executions are overdue. */
function restartWhenOverdue() {
	rig.host.restartProcess();
	rig.host.stopTimers();
	jest.setSystemTime(Date.now() + 10 * MINUTE);
	rig.host.restartProcess();
}

/** Restarts n8n when the parked executions are overdue. n8n then runs its crash recovery, as in regular mode. */
function restartWithRecovery() {
	restartWhenOverdue();
	rig.host.recoverExecutions();
}
const countExecutions = (wantedStatus: string) =>
	[...rig.host.executions.values()].filter(({ status }) => status === wantedStatus).length;

it('an overdue execution without a decision is parked again as soon as n8n has recovered and is ready', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	restartWithRecovery();
	await advanceTime(2500);
	// So n8n's database says. The execution is still running.
	expect(execution.status).toBe('crashed');
	await advanceTime(5000);
	expect(execution.status).toBe('waiting');
	decide('One?');
	await advanceTime(6 * MINUTE);
	expect(execution.status).toBe('success');
	expect(rig.host.nextInputs.get(execution.id)).toMatchObject([[{ approved: true }]]);
	expect(rig.service.approvals.size).toBe(1);
});

it('an overdue execution waits until n8n is ready, even if its recovery takes minutes', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	restartWhenOverdue();
	rig.host.recoverExecutions(3 * MINUTE);
	await advanceTime(3 * MINUTE + 1000);
	// So n8n's database says. The execution is still running.
	expect(execution.status).toBe('crashed');
	await advanceTime(5000);
	expect(execution.status).toBe('waiting');
});

it('an overdue execution is parked again after a minute if n8n does not say whether it is ready', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	rig.host.isReady = undefined;
	restartWithRecovery();
	await advanceTime(50_000);
	// So n8n's database says. The execution is still running.
	expect(execution.status).toBe('crashed');
	await advanceTime(20_000);
	expect(execution.status).toBe('waiting');
	decide('One?');
	await advanceTime(6 * MINUTE);
	expect(execution.status).toBe('success');
	expect(rig.host.nextInputs.get(execution.id)).toMatchObject([[{ approved: true }]]);
	expect(rig.service.approvals.size).toBe(1);
});

it('an overdue execution resumes within seconds of a decision that comes during the recovery', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	rig.host.isReady = undefined;
	restartWithRecovery();
	await advanceTime(20_000);
	decide('One?', 'denied');
	await advanceTime(5000);
	expect(execution.status).toBe('success');
	expect(rig.host.nextInputs.get(execution.id)).toMatchObject([[{ outcome: 'denied' }]]);
});

it('an overdue execution ends if its time limit passes during the recovery', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 10.5, resumeUnit: 'minutes' };
	open(sendAndWait({ options: { limitWaitTime: { values } } }));
	await start('One?');
	rig.host.isReady = undefined;
	restartWithRecovery();
	await advanceTime(40_000);
	expect(rig.host.nextInputs.get(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'stillOutstanding' }],
	]);
});

it('an overdue execution is parked again if its credential is rejected during the recovery', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	rig.service.replaceResponse = () => ({ status: 401, body: { message: 'Bad key' } });
	restartWithRecovery();
	await advanceTime(70_000);
	expect(execution.status).toBe('waiting');
});

it('no overdue execution is lost in the recovery, however many there are', async () => {
	const executionCount = 150;
	open(sendAndWait(), { resumeAfterMs: 100_000 });
	for (let index = 0; index < executionCount; index++)
		void rig.host.start([{ question: `${index}?` }]);
	await advanceTime(10_000);
	rig.host.restartProcess();
	rig.host.stopTimers();
	// The longest timer is two hours, and two fifths of that here.
	jest.setSystemTime(Date.now() + 60 * MINUTE);
	rig.host.restartProcess();
	rig.host.recoverExecutions();
	for (let second = 0; second < 15; second++) await advanceTime(1000);
	expect(countExecutions('waiting')).toBe(executionCount);
});

it('an overdue execution in a worker of queue mode is parked again at once', async () => {
	const { instanceType } = settings;
	settings.instanceType = 'worker';
	try {
		open(sendAndWait());
		const execution = await start('One?');
		restartWhenOverdue();
		await advanceTime(10_000);
		expect(execution.status).toBe('waiting');
		expect(execution.waitTill).toBeGreaterThan(Date.now());
	} finally {
		settings.instanceType = instanceType;
	}
});

it('an execution that becomes due minutes after the start of n8n is parked again at once', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	await advanceTime(5 * MINUTE + 10_000);
	expect(execution.status).toBe('waiting');
	expect(execution.waitTill).toBeGreaterThan(Date.now());
});
