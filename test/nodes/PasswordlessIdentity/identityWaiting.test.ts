// Protects Wait Until Finished: each item gets the outcome of its job, and the wait ends with its limit or its execution.
import { setTimeout as delay } from 'node:timers/promises';

import { claimsOf } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
let user: string;
beforeAll(() => {
	user = rig.sandbox.demo.user.fingerprint;
});

const SHORT_INTERVAL = { checkEvery: 1 };
const waitForJob: typeof rig.waitForJob = async (...args) => await rig.waitForJob(...args);
const runLater = (delayMs: number, act: () => unknown) => void delay(delayMs).then(act);

describe('outcomes of jobs', () => {
	it('a completed job has the verified result', async () => {
		const job = await rig.issueJob();
		let signed = '';
		rig.onFirstPoll(async () => (signed = await rig.approve(job)));
		const output = await waitForJob(job);
		expect(output).toEqual({
			id: job,
			outcome: 'completed',
			seenOutstanding: true,
			verified: true,
			subjectChecked: true,
			claims: claimsOf(signed),
			token: signed,
			key: { sub: user, status: 'registered', since: expect.any(String) },
			waitedSeconds: expect.any(Number) as number,
			polls: expect.any(Number) as number,
		});
		expect(output.polls).toBeGreaterThan(1);
	});

	it('a job that never existed is gone after three polls', async () => {
		const job = 'AAAAAAAAAAAAAAAAAAAA';
		expect(await waitForJob(job)).toEqual({
			id: job,
			outcome: 'gone',
			seenOutstanding: false,
			waitedSeconds: expect.any(Number) as number,
			polls: 3,
		});
		expect(rig.count('getScopeJob')).toBe(3);
	});

	it('a job is still outstanding if the time limit passes first', async () => {
		const job = await rig.issueJob();
		const startedAtMs = Date.now();
		expect(await waitForJob(job, {}, { waitLimit: 2 })).toMatchObject({
			id: job,
			outcome: 'stillOutstanding',
			status: 'waiting',
			seenOutstanding: true,
		});
		expect(Date.now() - startedAtMs).toBeLessThan(4000);
	});
});

describe('outcomes that the user selected as errors', () => {
	const getWaitError = async (job: string, errorOutcomes: string[], waitLimit = 20) =>
		await rig.getError('scopeJob', 'waitUntilFinished', {
			job,
			waitLimit,
			options: { ...SHORT_INTERVAL, errorOutcomes },
		});

	it('the error names the outcome', async () => {
		const denied = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'deny', { job: denied });
		const expired = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'expire', { job: expired });
		const unanswered = await rig.issueJob();
		expect((await getWaitError(denied, ['cancelled'])).message).toBe('The scope job was canceled');
		expect((await getWaitError(expired, ['timedOut'])).message).toBe('The scope job timed out');
		expect((await getWaitError(unanswered, ['stillOutstanding'], 1)).message).toMatch(
			/still outstanding/,
		);
		const gone = await getWaitError('AAAAAAAAAAAAAAAAAAAA', ['gone']);
		expect(gone.message).toMatch(/gone/);
		expect(gone.description).toMatch(/never seen/);
	});

	it('the error names the reason why a result is unverified', async () => {
		const mallory = rig.addUser('Mallory').fingerprint;
		const job = await rig.issueJob({ subject: mallory });
		await rig.approve(job);
		const { message, description } = await rig.getError('scopeJob', 'waitUntilFinished', {
			job,
			expectedSubject: user,
			options: { ...SHORT_INTERVAL, errorOutcomes: ['unverified'] },
		});
		expect(message).toMatch(/not from the person who was asked/);
		expect(description).toMatch(/Don't act on it/);
		expect(message + description).not.toContain(mallory);
	});

	it('an outcome that was not selected is no error', async () => {
		const job = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'deny', { job });
		expect(
			await waitForJob(job, { errorOutcomes: ['timedOut', 'gone', 'stillOutstanding'] }),
		).toMatchObject({ outcome: 'cancelled' });
	});
});

describe('many items', () => {
	const issueJobs = async (count: number) => {
		const ids: Array<{ id: string }> = [];
		for (let index = 0; index < count; index++) ids.push({ id: await rig.issueJob() });
		return ids;
	};
	const waitParameters = { job: '={{ $json.id }}', waitLimit: 60, options: SHORT_INTERVAL };

	it('all items are awaited at the same time, and output in order with their outcomes', async () => {
		const ids = await issueJobs(30);
		const startedAtMs = Date.now();
		rig.onFirstPoll(async () => {
			for (const [index, { id }] of ids.entries()) {
				if (index % 3 === 0) rig.sandbox.control('passwordlessIdentity', 'deny', { job: id });
				else await rig.approve(id, { n: index });
			}
		});
		const { outputItems, error } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ ...waitParameters, expectedSubject: user },
			ids,
		);
		expect(error).toBeUndefined();
		// Sequential waits would take a second each.
		expect(Date.now() - startedAtMs).toBeLessThan(25_000);
		expect(outputItems.map(({ id }) => id)).toEqual(ids.map(({ id }) => id));
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(
			ids.map((_, index) => (index % 3 === 0 ? 'cancelled' : 'completed')),
		);
		expect(outputItems[1]!.claims).toMatchObject({ n: 1 });
	});

	it('an unverified result does not affect other items', async () => {
		const mallory = rig.addUser('Mallory').fingerprint;
		const ids = await issueJobs(2);
		ids.push({ id: await rig.issueJob({ subject: mallory }) });
		for (const { id } of ids) await rig.approve(id);
		const { outputItems, error } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ ...waitParameters, expectedSubject: user },
			[ids[0]!, ids[2]!, ids[1]!],
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ id }) => id)).toEqual([ids[0]!.id, ids[2]!.id, ids[1]!.id]);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual([
			'completed',
			'unverified',
			'completed',
		]);
		expect(outputItems[1]).toEqual({
			id: ids[2]!.id,
			outcome: 'unverified',
			verified: false,
			subjectChecked: false,
			reason: 'anotherSubject',
			message: expect.stringMatching(/not from the person who was asked/) as string,
			seenOutstanding: false,
			waitedSeconds: expect.any(Number) as number,
			polls: 1,
		});
	});

	it('two items that wait for one job with different expected subjects have different outcomes', async () => {
		const [{ id }] = (await issueJobs(1)) as [{ id: string }];
		await rig.approve(id);
		const { outputItems } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ ...waitParameters, expectedSubject: '={{ $json.who }}' },
			[
				{ id, who: user },
				{ id, who: rig.sandbox.demo.application.fingerprint },
			],
		);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(['completed', 'unverified']);
		expect(rig.count('getScopeJob')).toBe(1);
	});
});

it('Wait Until Finished polls a job at most once per interval', async () => {
	const job = await rig.issueJob();
	await waitForJob(job, { checkEvery: 1 }, { waitLimit: 4 });
	const pollTimesMs = rig.sandbox.requestLog
		.entries({ operationId: 'getScopeJob' })
		.map(({ at }) => at);
	expect(pollTimesMs.length).toBeGreaterThan(2);
	for (const [index, timeMs] of pollTimesMs.entries()) {
		if (index > 0) expect(timeMs - pollTimesMs[index - 1]!).toBeGreaterThanOrEqual(995);
	}
});

it('Wait Until Finished ends and polls no more when the execution is cancelled', async () => {
	const job = await rig.issueJob();
	let cancelledAtMs = 0;
	await rig
		.operate('scopeJob', 'waitUntilFinished', { job, options: SHORT_INTERVAL }, [{}], {
			onStart: (cancel) =>
				runLater(1500, () => {
					cancelledAtMs = Date.now();
					cancel();
				}),
		})
		.catch(() => undefined);
	expect(cancelledAtMs).toBeGreaterThan(0);
	expect(Date.now() - cancelledAtMs).toBeLessThan(5000);
	const requestCount = rig.count('getScopeJob');
	await delay(1500);
	expect(rig.count('getScopeJob')).toBe(requestCount);
});
