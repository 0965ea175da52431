// Protects parked executions while the service rejects the credential or another server answers: they stay parked.
import { ExecuteContext } from 'n8n-core';

import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, readNextInputs } = rig;

/** Has the service reject the credential in every response. */
const rejectCredential = (status = 401) => {
	rig.service.replaceResponse = () => ({ status, body: { message: 'Bad key key-0123456789' } });
};
const acceptCredential = () => {
	rig.service.replaceResponse = () => undefined;
};
const limitWaitTo = (minutes: number) => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: minutes, resumeUnit: 'minutes' },
	},
});
const expireAfter = (minutes: number) => ({
	expiry: { time: { amount: minutes, unit: 'minutes' } },
});

it.each([401, 403])(
	'the execution stays parked while the credential is rejected with %d, and resumes after a decision',
	async (status) => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(MINUTE);
		rejectCredential(status);
		for (let minute = 0; minute < 20; minute++) {
			await advanceTime(MINUTE);
			expect(execution.status).toBe('waiting');
		}
		acceptCredential();
		decide('One?');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(execution.id)).toMatchObject([[{ outcome: 'approved', approved: true }]]);
		expect(readNextInputs(execution.id)![0]![0]).not.toHaveProperty('trouble');
		expect(rig.service.approvals.size).toBe(1);
	},
);

it.each([404, 410])(
	'the execution stays parked while another server answers %d, and resumes after a decision',
	async (status) => {
		open(sendAndWait());
		const execution = await start('One?');
		await advanceTime(MINUTE);
		rig.service.replaceResponse = () => ({ status, body: { message: 'No such route' } });
		await advanceTime(20 * MINUTE);
		expect(execution.status).toBe('waiting');
		acceptCredential();
		decide('One?');
		await advanceTime(6 * MINUTE);
		expect(readNextInputs(execution.id)).toMatchObject([[{ outcome: 'approved', approved: true }]]);
	},
);

it('the execution stays parked while the credential is rejected even if n8n is killed', async () => {
	open(sendAndWait());
	await start('One?');
	rejectCredential();
	rig.host.restartProcess();
	await advanceTime(11 * MINUTE);
	acceptCredential();
	decide('One?', 'denied');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'denied', approved: false }],
	]);
});

it('each execution causes at most two polls in five minutes while the credential is rejected', async () => {
	open(sendAndWait());
	const executionCount = 20;
	for (let index = 0; index < executionCount; index++) await start(`${index}?`);
	await advanceTime(MINUTE);
	rejectCredential();
	await advanceTime(5 * MINUTE);
	const earlierCount = rig.service.polls.length;
	await advanceTime(10 * MINUTE);
	// In each five minutes one poll when n8n resumes the execution, and one by the poller of the process.
	expect(rig.service.polls.length - earlierCount).toBeLessThanOrEqual(2 * 2 * executionCount);
	acceptCredential();
	for (let index = 0; index < executionCount; index++) decide(`${index}?`);
	await advanceTime(6 * MINUTE);
	expect([...rig.host.executions.values()].map(({ status }) => status)).toEqual(
		Array.from({ length: executionCount }, () => 'success'),
	);
});

it('a replaced key is used for all parked executions of the credential once one of them has read it', async () => {
	open(sendAndWait());
	const first = await start('One?');
	await advanceTime(MINUTE);
	rig.host.apiKey = 'key-9876543210';
	rig.service.replaceResponse = (_method, _uuid, key) =>
		key === rig.host.apiKey ? undefined : { status: 401, body: { message: 'Bad key' } };
	await start('Two?');
	decide('One?');
	await advanceTime(MINUTE);
	expect(first.status).toBe('success');
	expect(readNextInputs(first.id)).toMatchObject([[{ outcome: 'approved', approved: true }]]);
});

it("a rejected credential is reported at the end of 'Limit Wait Time', without secrets", async () => {
	open(sendAndWait({ options: limitWaitTo(12) }));
	const execution = await start('One?');
	rejectCredential();
	await advanceTime(11.5 * MINUTE);
	expect(execution.status).toBe('waiting');
	await advanceTime(2 * MINUTE);
	const [[output]] = readNextInputs(execution.id) as [[Record<string, unknown>]];
	expect(output).toMatchObject({ outcome: 'stillOutstanding', approved: false });
	expect(output.trouble).toMatch(/Bad key •••/);
	expect(JSON.stringify(execution.run)).not.toContain('key-0123456789');
});

/** Stops n8n, and starts it again after this time. */
const simulateDowntime = (minutes: number) => {
	rig.host.restartProcess();
	rig.host.stopTimers();
	jest.setSystemTime(Date.now() + minutes * MINUTE);
	rig.host.restartProcess();
};

it.each([
	['one day, the default expiry of the service', {}, 24 * 60],
	["the time of 'Expires After'", expireAfter(30), 30],
])(
	'a wait without a time limit ends with the rejection of the credential after %s',
	async (_, options, minutes) => {
		open(sendAndWait({ options }));
		const execution = await start('One?');
		rejectCredential();
		simulateDowntime(minutes - 12);
		await advanceTime(11 * MINUTE);
		expect(execution.status).toBe('waiting');
		await advanceTime(7 * MINUTE);
		expect(readNextInputs(execution.id)).toMatchObject([
			[{ outcome: 'stillOutstanding', approved: false }],
		]);
		expect(readNextInputs(execution.id)![0]![0]!.trouble).toMatch(/Bad key/);
	},
);

it('the execution stays parked without end if the request never expires and there is no time limit', async () => {
	open(sendAndWait({ options: { neverExpires: true } }));
	const execution = await start('One?');
	rejectCredential();
	simulateDowntime(30 * 24 * 60);
	await advanceTime(11 * MINUTE);
	expect(execution.status).toBe('waiting');
	acceptCredential();
	decide('One?');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(execution.id)).toMatchObject([[{ approved: true }]]);
});

describe('the log of n8n', () => {
	const warnings: string[] = [];
	beforeEach(() => {
		warnings.length = 0;
		const logger = { warn: (message: string) => warnings.push(message) };
		Object.defineProperty(ExecuteContext.prototype, 'logger', {
			value: logger,
			configurable: true,
		});
	});
	afterEach(() => {
		Reflect.deleteProperty(ExecuteContext.prototype, 'logger');
	});
	const REJECTION = expect.stringMatching(
		/rejected the credential "twoFactorApi".*Bad key •••.*stay parked/,
	) as string;

	it('a rejected credential is logged once per process', async () => {
		open(sendAndWait());
		await start('One?');
		await start('Two?');
		rejectCredential();
		await advanceTime(20 * MINUTE);
		expect(warnings).toEqual([REJECTION]);
	});

	it('a rejected credential is logged again if the service accepted the credential in between', async () => {
		open(sendAndWait());
		await start('One?');
		rejectCredential();
		await advanceTime(20 * MINUTE);
		acceptCredential();
		await advanceTime(20 * MINUTE);
		expect(warnings).toEqual([REJECTION]);
		rejectCredential();
		await advanceTime(20 * MINUTE);
		expect(warnings).toEqual([REJECTION, REJECTION]);
	});
});

it('the execution fails and names the sent request if the service reports a permanent rejection', async () => {
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

it('a credential that is rejected for the request of one item does not change the outcome of another item', async () => {
	open(sendAndWait());
	await start('One?', 'Two?');
	rig.service.replaceResponse = (method, uuid) =>
		method === 'GET' && uuid === 'uuid-1'
			? { status: 403, body: { message: 'Not yours' } }
			: undefined;
	decide('Two?');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
	acceptCredential();
	decide('One?', 'denied');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'denied' }, { outcome: 'approved' }],
	]);
});

it('the execution fails and names the sent request if the credential is rejected at the first poll', async () => {
	open(sendAndWait());
	rig.service.replaceResponse = (method) =>
		method === 'GET' ? { status: 401, body: { message: 'Bad key' } } : undefined;
	const execution = await start('One?');
	expect(execution.status).toBe('error');
	expect(JSON.stringify(execution.run!.data.resultData.error)).toMatch(/uuid-1 was sent anyway/);
});

it('the execution fails and names the sent requests if the credential was deleted', async () => {
	open(sendAndWait());
	const execution = await start('One?', 'Two?');
	rig.host.isCredentialDeleted = true;
	await advanceTime(6 * MINUTE);
	expect(execution.status).toBe('error');
	const { message, description } = execution.run!.data.resultData.error!;
	expect(message).toMatch(/does not exist/);
	expect(description).toMatch(
		/The approval request uuid-1 was sent anyway.*The approval request uuid-2 was sent anyway/,
	);
});
