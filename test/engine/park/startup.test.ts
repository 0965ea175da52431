import { InstanceSettings } from 'n8n-core';
import { createRequire } from 'node:module';

import { sendAndWait, useParkRig } from './parkRig';

// n8n resumes overdue executions before its own crash recovery has run. One that is parked again in between is marked as
// crashed.

const MINUTE = 60_000;
// The very settings that n8n's contexts use.
const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as {
	Container: { get: (type: unknown) => { instanceType: string } };
};
const settings = Container.get(InstanceSettings);
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;

/** n8n is killed, and started again when what is parked is overdue. */
function startOverdue() {
	rig.host.restartProcess();
	rig.host.close();
	jest.setSystemTime(Date.now() + 10 * MINUTE);
	rig.host.restartProcess();
}

/** The same with the recovery that n8n goes through in regular mode. */
function restart() {
	startOverdue();
	rig.host.recover();
}
const statuses = () => [...rig.host.executions.values()].map(({ status }) => status);
const count = (wanted: string) => statuses().filter((status) => status === wanted).length;

it('an overdue execution that is still open is not parked before the recovery', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	restart();
	await advanceTime(50_000);
	// As far as n8n's database knows; it runs.
	expect(execution.status).toBe('crashed');
	await advanceTime(20_000);
	expect(execution.status).toBe('waiting');
	decide('One?');
	await advanceTime(6 * MINUTE);
	expect(execution.status).toBe('success');
	expect(rig.host.nextInputs.get('1')).toMatchObject([[{ approved: true }]]);
	expect(rig.service.approvals.size).toBe(1);
});

it('an overdue execution that is decided meanwhile continues within seconds', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	restart();
	await advanceTime(20_000);
	decide('One?', 'denied');
	await advanceTime(5000);
	expect(execution.status).toBe('success');
	expect(rig.host.nextInputs.get('1')).toMatchObject([[{ outcome: 'denied' }]]);
});

it('an overdue execution ends if its time limit passes meanwhile', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 10.5, resumeUnit: 'minutes' };
	open(sendAndWait({ options: { limitWaitTime: { values } } }));
	await start('One?');
	restart();
	await advanceTime(40_000);
	expect(rig.host.nextInputs.get('1')).toMatchObject([[{ outcome: 'stillOutstanding' }]]);
});

it('an overdue execution keeps waiting if its credential is rejected meanwhile', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	rig.service.replaceResponse = () => ({ status: 401, body: { message: 'Bad key' } });
	restart();
	await advanceTime(70_000);
	expect(execution.status).toBe('waiting');
});

it('no more than 100 overdue executions wait; the others are parked again', async () => {
	open(sendAndWait());
	for (let index = 0; index < 5; index++) await start(`${index}?`);
	startOverdue();
	const startup = rig.host.packProcess.shared().get('park startup 1') as { blocking: number };
	startup.blocking = 98;
	await advanceTime(10_000);
	expect([count('running'), count('waiting')]).toEqual([2, 3]);
	await advanceTime(60_000);
	expect(count('waiting')).toBe(5);
});

it('an overdue execution in a worker of queue mode is parked again at once', async () => {
	const { instanceType } = settings;
	settings.instanceType = 'worker';
	try {
		open(sendAndWait());
		const execution = await start('One?');
		startOverdue();
		await advanceTime(10_000);
		expect(execution.status).toBe('waiting');
		expect(execution.waitTill).toBeGreaterThan(Date.now());
	} finally {
		settings.instanceType = instanceType;
	}
});

it('an overdue execution in a process that has run for a while is parked again at once', async () => {
	open(sendAndWait());
	const execution = await start('One?');
	await advanceTime(5 * MINUTE + 10_000);
	expect(execution.status).toBe('waiting');
	expect(execution.waitTill).toBeGreaterThan(Date.now());
});
