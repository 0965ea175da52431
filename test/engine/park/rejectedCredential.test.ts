import { ExecuteContext } from 'n8n-core';

import { sendAndWait, useParkRig } from './parkRig';

// A credential that the service rejects for a while must not end executions that are parked.

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, nextInputsOf } = rig;

const reject = (status = 401) => {
	rig.service.replaceResponse = () => ({ status, body: { message: 'Bad key key-0123456789' } });
};
const accept = () => {
	rig.service.replaceResponse = () => undefined;
};
const limited = (minutes: number) => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: minutes, resumeUnit: 'minutes' },
	},
});
const expiring = (amount: number, unit: string) => ({ expiry: { time: { amount, unit } } });

it.each([401, 403])(
	'a credential rejected with %d keeps the execution parked, which resumes afterwards',
	async (code) => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(MINUTE);
		reject(code);
		for (let minute = 0; minute < 20; minute++) {
			await advanceTime(MINUTE);
			expect(execution.status).toBe('waiting');
		}
		accept();
		decide('One?');
		await advanceTime(6 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved', approved: true }]]);
		expect(nextInputsOf('1')![0]![0]).not.toHaveProperty('trouble');
		expect(rig.service.approvals.size).toBe(1);
	},
);

it('a rejected credential keeps the execution parked even if n8n was killed meanwhile', async () => {
	open(sendAndWait());
	await start('One?');
	reject();
	rig.host.restartProcess();
	await advanceTime(11 * MINUTE);
	accept();
	decide('One?', 'denied');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'denied', approved: false }]]);
});

it('a rejected credential makes polling rarer: at most twice in five minutes for each execution', async () => {
	open(sendAndWait());
	for (let index = 0; index < 20; index++) await start(`${index}?`);
	await advanceTime(MINUTE);
	reject();
	await advanceTime(5 * MINUTE);
	const before = rig.service.polls.length;
	await advanceTime(10 * MINUTE);
	// Once when n8n resumes it, and once by the poller of the process.
	expect(rig.service.polls.length - before).toBeLessThanOrEqual(2 * 2 * 20);
	accept();
	for (let index = 0; index < 20; index++) decide(`${index}?`);
	await advanceTime(6 * MINUTE);
	expect([...rig.host.executions.values()].map(({ status }) => status)).toEqual(
		Array.from({ length: 20 }, () => 'success'),
	);
});

it("a rejected credential is reported at the end of 'Limit Wait Time', without secrets", async () => {
	open(sendAndWait({ options: limited(12) }));
	const execution = await start('One?');
	reject();
	await advanceTime(11.5 * MINUTE);
	expect(execution.status).toBe('waiting');
	await advanceTime(2 * MINUTE);
	const [[output]] = nextInputsOf('1') as [[Record<string, unknown>]];
	expect(output).toMatchObject({ outcome: 'stillOutstanding', approved: false });
	expect(output.trouble).toMatch(/Bad key •••/);
	expect(JSON.stringify(execution.run)).not.toContain('key-0123456789');
});

/** Lets time pass while n8n is down. */
const simulateDowntime = (minutes: number) => {
	rig.host.restartProcess();
	rig.host.close();
	jest.setSystemTime(Date.now() + minutes * MINUTE);
	rig.host.restartProcess();
};

it.each([
	['one day, the default expiry of the service,', {}, 24 * 60],
	["the time of 'Expires After'", expiring(30, 'minutes'), 30],
])(
	'a rejected credential without a time limit ends the wait when %s is over',
	async (_, options, minutes) => {
		open(sendAndWait({ options }));
		const execution = await start('One?');
		reject();
		simulateDowntime(minutes - 12);
		await advanceTime(11 * MINUTE);
		expect(execution.status).toBe('waiting');
		await advanceTime(7 * MINUTE);
		expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'stillOutstanding', approved: false }]]);
		expect(nextInputsOf('1')![0]![0]!.trouble).toMatch(/Bad key/);
	},
);

it('a rejected credential without a time limit and an expiry keeps the execution parked', async () => {
	open(sendAndWait({ options: { neverExpires: true } }));
	const execution = await start('One?');
	reject();
	simulateDowntime(30 * 24 * 60);
	await advanceTime(11 * MINUTE);
	expect(execution.status).toBe('waiting');
	accept();
	decide('One?');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ approved: true }]]);
});

describe('a rejected credential in the log', () => {
	const lines: string[] = [];
	beforeEach(() => {
		lines.length = 0;
		const logger = { warn: (line: string) => lines.push(line) };
		Object.defineProperty(ExecuteContext.prototype, 'logger', {
			value: logger,
			configurable: true,
		});
	});
	afterEach(() => {
		Reflect.deleteProperty(ExecuteContext.prototype, 'logger');
	});
	const logLine = expect.stringMatching(
		/rejected the credential "twoFactorApi".*Bad key •••.*stay parked/,
	) as string;

	it('a rejected credential is logged once per process', async () => {
		open(sendAndWait());
		await start('One?');
		await start('Two?');
		reject();
		await advanceTime(20 * MINUTE);
		expect(lines).toEqual([logLine]);
	});

	it('a rejected credential is logged again after the service accepted it in between', async () => {
		open(sendAndWait());
		await start('One?');
		reject();
		await advanceTime(20 * MINUTE);
		accept();
		await advanceTime(20 * MINUTE);
		expect(lines).toEqual([logLine]);
		reject();
		await advanceTime(20 * MINUTE);
		expect(lines).toEqual([logLine, logLine]);
	});
});

it('a rejection that the service calls permanent is an error that names what was sent', async () => {
	open(sendAndWait({ options: { neverExpires: true } }));
	const execution = await start('One?');
	await advanceTime(MINUTE);
	rig.service.replaceResponse = () => ({
		status: 503,
		body: { message: 'Account is suspended', error_code: '60060', success: false },
	});
	await advanceTime(11 * MINUTE);
	expect(execution.status).toBe('error');
	const { message, description } = execution.run!.data.resultData.error!;
	expect(message).toMatch(/Account is suspended/);
	expect(description).toMatch(/The approval request uuid-1 was sent anyway/);
});

it('a rejection for one item does not affect the others', async () => {
	open(sendAndWait());
	await start('One?', 'Two?');
	rig.service.replaceResponse = (method, uuid) =>
		method === 'GET' && uuid === 'uuid-1'
			? { status: 403, body: { message: 'Not yours' } }
			: undefined;
	decide('Two?');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toBeUndefined();
	accept();
	decide('One?', 'denied');
	await advanceTime(6 * MINUTE);
	expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'denied' }, { outcome: 'approved' }]]);
});

it('a rejection right after the request was sent is an error that names what was sent', async () => {
	open(sendAndWait());
	rig.service.replaceResponse = (method) =>
		method === 'GET' ? { status: 401, body: { message: 'Bad key' } } : undefined;
	const execution = await start('One?');
	expect(execution.status).toBe('error');
	expect(JSON.stringify(execution.run!.data.resultData.error)).toMatch(/uuid-1 was sent anyway/);
});

it('a deleted credential is an error that names what was sent', async () => {
	open(sendAndWait());
	const execution = await start('One?', 'Two?');
	rig.host.credentialDeleted = true;
	await advanceTime(6 * MINUTE);
	expect(execution.status).toBe('error');
	const { message, description } = execution.run!.data.resultData.error!;
	expect(message).toMatch(/does not exist/);
	expect(description).toMatch(
		/The approval request uuid-1 was sent anyway.*The approval request uuid-2 was sent anyway/,
	);
});
