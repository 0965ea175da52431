// Protects Issue, Get and Check of scope jobs: the chosen person is asked, and no unsigned claim is output as verified.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import { settingChoices } from '../../../sandbox/passwordlessIdentity/settings';
import { claimsOf, importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { useIdentityRig, quickRetries } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
let user: string;
beforeAll(() => {
	user = rig.sandbox.demo.user.fingerprint;
});

/** Longer than the five minutes after which the sandbox ends a job. */
const PAST_JOB_LIFETIME_MS = 301_000;
const getJobs = () => rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[];
const UNKNOWN_JOB = 'AAAAAAAAAAAAAAAAAAAA';

describe('Issue', () => {
	it('sends the request to the person in the name of the application and outputs the job', async () => {
		const output = await rig.getOutput('scopeJob', 'issue', { subject: user });
		expect(output).toEqual({
			id: expect.stringMatching(/^[\w-]{20}$/),
			status: 'waiting',
			outcome: 'outstanding',
			subject: user,
		});
		expect(getJobs()).toMatchObject([
			{
				job: output.id,
				iss: rig.sandbox.demo.application.fingerprint,
				sub: user,
				scope: 'email',
				test: false,
			},
		]);
	});

	it('writes scopes in the notation of the issuer', async () => {
		await rig.issueJob({
			scopes: {
				entries: [
					{ name: 'email', required: true },
					{ name: 'phone', signed: true },
					{ name: 'other', other: 'nickname birthdate~r', required: true, signed: true },
					{ name: 'email', required: true },
				],
			},
		});
		expect(getJobs()[0]!.scope).toBe('email~r phone~s nickname~r~s birthdate~r');
	});

	it.each([
		['no scope', { entries: [] }, /'Scopes' is missing/],
		['a blank scope', { entries: [{ name: 'other', other: ' ' }] }, /'Scopes' is missing/],
		['a scope with quotes', { entries: [{ name: 'other', other: 'a"b' }] }, /can't be the name/],
	])('rejects %s before any request', async (_, scopes, expectedMessage) => {
		expect((await rig.getError('scopeJob', 'issue', { subject: user, scopes })).message).toMatch(
			expectedMessage,
		);
		expect(rig.count('issueScopeJob')).toBe(0);
	});

	it('sends email, phone, type, further claims and the test flag', async () => {
		rig.changeSettings({ scopeConfirmation: 'never' });
		await rig.issueJob({
			additionalClaims: {
				email: 'ada@example.com',
				phone: '+14155550123',
				type: 'registration',
				furtherClaims: '{"sub": "overruled", "department": "Sales"}',
			},
			options: { test: '={{ "true" }}' },
		});
		expect(getJobs()).toMatchObject([
			{
				email: 'ada@example.com',
				phone: '+14155550123',
				type: 'registration',
				test: true,
				sub: user,
			},
		]);
	});

	it('sends the issuer of the credential in the token', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) =>
			sendJson(response, 201, { job: UNKNOWN_JOB, status: 'waiting' }),
		);
		rig.changeCredential({ baseUrl: server.url, issuer: 'front-desk' });
		await rig.issueJob({ additionalClaims: { furtherClaims: { department: 'Sales' } } });
		expect(claimsOf(server.requests[0]!.body)).toEqual({
			iss: 'front-desk',
			sub: user,
			scope: 'email',
			department: 'Sales',
		});
		expect(server.requests[0]!.headers['content-type']).toBe('application/jwt');
	});

	it('sends a ready-made token, and outputs the person who is named in it', async () => {
		const { application } = rig.sandbox.demo;
		const claims = { iss: application.fingerprint, sub: user, scope: 'phone' };
		const ready = { useToken: true, token: signToken(claims, importKeyOf(application)) };
		expect(await rig.getOutput('scopeJob', 'issue', ready)).toMatchObject({ subject: user });
		expect(getJobs()[0]!.scope).toBe('phone');
	});

	it('fails with the time to wait after a 429 whose Retry-After exceeds the longest wait', async () => {
		rig.changeSettings({ scopeIssuesPerMinute: 1 });
		await rig.issueJob();
		const { message, description, httpCode } = await rig.getError('scopeJob', 'issue', {
			subject: user,
			options: quickRetries,
		});
		expect(message).toMatch(/rate-limit/);
		expect(description).toMatch(/asks to wait \d+ seconds/);
		expect(httpCode).toBe('429');
	});

	it.each([
		['a person who is not registered', deriveDemoKey('nobody').fingerprint, /unknown-key/, '404'],
		['a person whose key was revoked', '', /revoked-key/, '410'],
	])('fails with a message for %s', async (_, subject, problemType, status) => {
		let requestedSubject = subject;
		if (!requestedSubject) {
			requestedSubject = rig.addUser('leaver').fingerprint;
			const keys = rig.sandbox.control('passwordlessIdentity', 'keys') as Array<
				Record<string, string>
			>;
			const { secret } = keys.find(({ fingerprint }) => fingerprint === requestedSubject)!;
			await rig.getOutput('key', 'revoke', { fingerprint: requestedSubject, secret });
		}
		const { message, httpCode } = await rig.getError('scopeJob', 'issue', {
			subject: requestedSubject,
		});
		expect(message).toMatch(problemType);
		expect(httpCode).toBe(status);
	});
});

describe('Get', () => {
	const getJob = async (job: string, parameters = {}) =>
		await rig.getOutput('scopeJob', 'get', { job, expectedSubject: user, ...parameters });

	it.each(settingChoices.scopeOutstanding!)(
		'outputs an outstanding job, reported as %s',
		async (form) => {
			rig.changeSettings({ scopeOutstanding: form as '204' });
			const job = await rig.issueJob();
			const status = form === '204' ? {} : { status: form };
			expect(await getJob(job)).toEqual({ id: job, outcome: 'outstanding', ...status });
		},
	);

	it.each(['jwt', 'text', 'string', 'token'] as const)(
		'verifies a completed job, reported as %s',
		async (form) => {
			rig.changeSettings({ scopeCompleted: form });
			const job = await rig.issueJob();
			const signed = await rig.approve(job);
			expect(await getJob(job)).toEqual({
				id: job,
				outcome: 'completed',
				verified: true,
				subjectChecked: true,
				claims: claimsOf(signed),
				token: signed,
				key: { sub: user, status: 'registered', since: expect.any(String) },
			});
		},
	);

	it('rejects unsigned claims, and outputs them as unverified if verification is off', async () => {
		rig.changeSettings({ scopeCompleted: 'claims' });
		const job = await rig.issueJob();
		const signed = await rig.approve(job);
		const { iat, exp, ...unverifiedClaims } = claimsOf(signed);
		expect([iat, exp]).toEqual([expect.any(Number), expect.any(Number)]);
		const { message } = await rig.getError('scopeJob', 'get', { job, expectedSubject: user });
		expect(message).toMatch(/is not signed/);
		expect(await getJob(job, { options: { verify: false } })).toEqual({
			id: job,
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
			unverifiedClaims,
		});
	});

	it('outputs subjectChecked: false if no person is expected', async () => {
		const job = await rig.issueJob();
		await rig.approve(job);
		expect(await getJob(job, { expectedSubject: '' })).toMatchObject({
			verified: true,
			subjectChecked: false,
		});
	});

	it('outputs claims as unverified if verification is off', async () => {
		const job = await rig.issueJob();
		const signed = await rig.approve(job);
		expect(await getJob(job, { options: { verify: false } })).toEqual({
			id: job,
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
			unverifiedClaims: claimsOf(signed),
			token: signed,
		});
		expect(rig.count('getKey')).toBe(0);
	});

	it('fetches the key of a person once for many jobs', async () => {
		const ids: Array<{ id: string }> = [];
		for (let count = 0; count < 3; count++) {
			const id = await rig.issueJob();
			await rig.approve(id);
			ids.push({ id });
		}
		const { outputItems } = await rig.operate(
			'scopeJob',
			'get',
			{ job: '={{ $json.id }}', expectedSubject: user, options: { itemsAtATime: 1 } },
			ids,
		);
		expect(outputItems.map(({ id, verified }) => ({ id, verified }))).toEqual(
			ids.map(({ id }) => ({ id, verified: true })),
		);
		expect(rig.count('getKey')).toBe(1);
	});

	it.each(settingChoices.scopeCancelled!)(
		'outputs a cancelled job, reported as %s',
		async (form) => {
			rig.changeSettings({ scopeCancelled: form as '404' });
			const job = await rig.issueJob();
			rig.sandbox.control('passwordlessIdentity', 'deny', { job });
			const outcome = form === '404' ? 'gone' : 'cancelled';
			expect(await getJob(job)).toMatchObject({ id: job, outcome });
		},
	);

	it.each(settingChoices.scopeTimedOut!)(
		'outputs a timed-out job, reported as %s',
		async (form) => {
			rig.changeSettings({ scopeTimedOut: form as '404' });
			const job = await rig.issueJob();
			rig.sandbox.clock.advance(PAST_JOB_LIFETIME_MS);
			const outcome = form === '404' || form === '410' ? 'gone' : 'timedOut';
			expect(await getJob(job)).toMatchObject({ id: job, outcome });
		},
	);

	it.each([
		['500', /: Something went wrong \(server-error\)$/],
		['drop', /broke before it answered$/],
		['truncate', /something that is not JSON \(status 200\)$/],
		['html', /a web page \(status 502\)$/],
	] as const)('fails with a clear message after the fault %s', async (kind, expectedMessage) => {
		const job = await rig.issueJob();
		await rig.approve(job);
		rig.sandbox.faultRules.add({ service: 'passwordlessIdentity', operation: 'getScopeJob', kind });
		const { message } = await rig.getError('scopeJob', 'get', { job, options: quickRetries });
		expect(message).toMatch(expectedMessage);
	});
});

describe('Check', () => {
	const checkJob = async (job: string) => await rig.getOutput('scopeJob', 'check', { job });

	it('fails for a web page of another server', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) =>
			response.writeHead(200, { 'content-type': 'Text/HTML; charset=utf-8' }).end(),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { message } = await rig.getError('scopeJob', 'check', { job: 'Zk3fT9aQw1LmX7cVb2Ns' });
		expect(message).toBe('The identity issuer answered with a web page (status 200)');
	});

	it('distinguishes finished, outstanding and gone jobs', async () => {
		const job = await rig.issueJob();
		expect(await checkJob(job)).toEqual({ id: job, finished: false, outcome: 'outstanding' });
		await rig.approve(job);
		expect(await checkJob(job)).toEqual({ id: job, finished: true });
		const goneJob = { id: UNKNOWN_JOB, finished: true, outcome: 'gone' };
		expect(await checkJob(UNKNOWN_JOB)).toEqual(goneJob);
		rig.changeSettings({ scopeTimedOut: '410' });
		const expiredJob = await rig.issueJob();
		rig.sandbox.clock.advance(PAST_JOB_LIFETIME_MS);
		expect(await checkJob(expiredJob)).toEqual({ id: expiredJob, finished: true, outcome: 'gone' });
	});
});
