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

const fast = { checkEvery: 1 };
const wait: typeof rig.waitForJob = async (...given) => await rig.waitForJob(...given);
const runLater = (ms: number, act: () => unknown) => void delay(ms).then(act);

describe('outcomes of jobs', () => {
	it('a completed job has the verified result', async () => {
		const job = await rig.issueJob();
		let signed = '';
		rig.onFirstPoll(async () => (signed = await rig.approve(job)));
		const output = await wait(job);
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

	it('a job that never existed is gone after three polls, which the output says', async () => {
		const job = 'AAAAAAAAAAAAAAAAAAAA';
		expect(await wait(job)).toEqual({
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
		const started = Date.now();
		expect(await wait(job, {}, { waitLimit: 2 })).toMatchObject({
			id: job,
			outcome: 'stillOutstanding',
			status: 'waiting',
			seenOutstanding: true,
		});
		expect(Date.now() - started).toBeLessThan(4000);
	});
});

describe('outcomes that the user selected as errors', () => {
	const fail = async (job: string, errorOutcomes: string[], waitLimit = 20) =>
		await rig.getError('scopeJob', 'waitUntilFinished', {
			job,
			waitLimit,
			options: { ...fast, errorOutcomes },
		});

	it('the error says what happened', async () => {
		const denied = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'deny', { job: denied });
		const late = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'expire', { job: late });
		const open = await rig.issueJob();
		expect((await fail(denied, ['cancelled'])).message).toBe('The scope job was canceled');
		expect((await fail(late, ['timedOut'])).message).toBe('The scope job timed out');
		expect((await fail(open, ['stillOutstanding'], 1)).message).toMatch(/still outstanding/);
		const gone = await fail('AAAAAAAAAAAAAAAAAAAA', ['gone']);
		expect(gone.message).toMatch(/gone/);
		expect(gone.description).toMatch(/never seen/);
	});

	it('the error says why a result is not trusted', async () => {
		const other = rig.addUser('Mallory').fingerprint;
		const job = await rig.issueJob({ subject: other });
		await rig.approve(job);
		const { message, description } = await rig.getError('scopeJob', 'waitUntilFinished', {
			job,
			expectedSubject: user,
			options: { ...fast, errorOutcomes: ['unverified'] },
		});
		expect(message).toMatch(/not from the person who was asked/);
		expect(description).toMatch(/Don't act on it/);
		expect(message + description).not.toContain(other);
	});

	it('a selected outcome does not affect other items', async () => {
		const job = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'deny', { job });
		expect(
			await wait(job, { errorOutcomes: ['timedOut', 'gone', 'stillOutstanding'] }),
		).toMatchObject({ outcome: 'cancelled' });
	});
});

describe('many items', () => {
	const issueJobs = async (count: number) => {
		const ids: Array<{ id: string }> = [];
		for (let n = 0; n < count; n++) ids.push({ id: await rig.issueJob() });
		return ids;
	};
	const together = { job: '={{ $json.id }}', waitLimit: 60, options: fast };

	it('items are awaited together, in order, each with its own outcome', async () => {
		const ids = await issueJobs(30);
		const started = Date.now();
		rig.onFirstPoll(async () => {
			for (const [index, { id }] of ids.entries()) {
				if (index % 3 === 0) rig.sandbox.control('passwordlessIdentity', 'deny', { job: id });
				else await rig.approve(id, { n: index });
			}
		});
		const { outputItems, error } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ ...together, expectedSubject: user },
			ids,
		);
		expect(error).toBeUndefined();
		// One after the other they would take a second each.
		expect(Date.now() - started).toBeLessThan(25_000);
		expect(outputItems.map(({ id }) => id)).toEqual(ids.map(({ id }) => id));
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(
			ids.map((_, index) => (index % 3 === 0 ? 'cancelled' : 'completed')),
		);
		expect(outputItems[1]!.claims).toMatchObject({ n: 1 });
	});

	it('a result that is not trusted does not affect other items', async () => {
		const other = rig.addUser('Mallory').fingerprint;
		const ids = await issueJobs(2);
		ids.push({ id: await rig.issueJob({ subject: other }) });
		for (const { id } of ids) await rig.approve(id);
		const { outputItems, error } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ ...together, expectedSubject: user },
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

	it('two items can wait for the same job with different expectations', async () => {
		const [{ id }] = (await issueJobs(1)) as [{ id: string }];
		await rig.approve(id);
		const { outputItems } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ ...together, expectedSubject: '={{ $json.who }}' },
			[
				{ id, who: user },
				{ id, who: rig.sandbox.demo.application.fingerprint },
			],
		);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(['completed', 'unverified']);
		expect(rig.count('getScopeJob')).toBe(1);
	});
});

it('waiting polls no job sooner than its interval', async () => {
	const job = await rig.issueJob();
	await wait(job, { checkEvery: 1 }, { waitLimit: 4 });
	const times = rig.sandbox.requestLog.entries({ operationId: 'getScopeJob' }).map(({ at }) => at);
	expect(times.length).toBeGreaterThan(2);
	for (const [index, polledAt] of times.entries()) {
		if (index > 0) expect(polledAt - times[index - 1]!).toBeGreaterThanOrEqual(995);
	}
});

it('waiting ends at once when the execution is cancelled', async () => {
	const job = await rig.issueJob();
	let cancelledAt = 0;
	await rig
		.operate('scopeJob', 'waitUntilFinished', { job, options: fast }, [{}], {
			onStart: (cancel) =>
				runLater(1500, () => {
					cancelledAt = Date.now();
					cancel();
				}),
		})
		.catch(() => undefined);
	expect(cancelledAt).toBeGreaterThan(0);
	expect(Date.now() - cancelledAt).toBeLessThan(5000);
	const requestCount = rig.count('getScopeJob');
	await delay(1500);
	expect(rig.count('getScopeJob')).toBe(requestCount);
});
