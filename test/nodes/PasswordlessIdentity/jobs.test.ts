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

const getJobs = () => rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[];
const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAA';

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
		['a scope that is none', { entries: [{ name: 'other', other: 'a"b' }] }, /can't be the name/],
	])('rejects %s before any request', async (_, scopes, message) => {
		expect((await rig.getError('scopeJob', 'issue', { subject: user, scopes })).message).toMatch(
			message,
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

	it('names the issuer of the credential if there is one', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) =>
			sendJson(response, 201, { job: UNKNOWN, status: 'waiting' }),
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

	it('accepts a ready-made token, and reads from it who is asked', async () => {
		const { application } = rig.sandbox.demo;
		const claims = { iss: application.fingerprint, sub: user, scope: 'phone' };
		const ready = { useToken: true, token: signToken(claims, importKeyOf(application)) };
		expect(await rig.getOutput('scopeJob', 'issue', ready)).toMatchObject({ subject: user });
		expect(getJobs()[0]!.scope).toBe('phone');
	});

	it('names the time after a 429 whose Retry-After exceeds the longest wait', async () => {
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
	])('fails with a message for %s', async (_, subject, label, status) => {
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
		expect(message).toMatch(label);
		expect(httpCode).toBe(status);
	});
});

describe('Get', () => {
	const get = async (job: string, parameters = {}) =>
		await rig.getOutput('scopeJob', 'get', { job, expectedSubject: user, ...parameters });

	it.each(settingChoices.scopeOutstanding!)('reads an outstanding job as %s', async (form) => {
		rig.changeSettings({ scopeOutstanding: form as '204' });
		const job = await rig.issueJob();
		const status = form === '204' ? {} : { status: form };
		expect(await get(job)).toEqual({ id: job, outcome: 'outstanding', ...status });
	});

	it.each(['jwt', 'text', 'string', 'token'] as const)(
		'verifies a completed job as %s',
		async (form) => {
			rig.changeSettings({ scopeCompleted: form });
			const job = await rig.issueJob();
			const signed = await rig.approve(job);
			expect(await get(job)).toEqual({
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

	it('rejects unsigned claims, and outputs them only if verification is off', async () => {
		rig.changeSettings({ scopeCompleted: 'claims' });
		const job = await rig.issueJob();
		const signed = await rig.approve(job);
		const { iat, exp, ...unverifiedClaims } = claimsOf(signed);
		expect([iat, exp]).toEqual([expect.any(Number), expect.any(Number)]);
		const { message } = await rig.getError('scopeJob', 'get', { job, expectedSubject: user });
		expect(message).toMatch(/is not signed/);
		expect(await get(job, { options: { verify: false } })).toEqual({
			id: job,
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
			unverifiedClaims,
		});
	});

	it('says in the output that no expected person was given', async () => {
		const job = await rig.issueJob();
		await rig.approve(job);
		expect(await get(job, { expectedSubject: '' })).toMatchObject({
			verified: true,
			subjectChecked: false,
		});
	});

	it('outputs claims as unverified if verification is off', async () => {
		const job = await rig.issueJob();
		const signed = await rig.approve(job);
		expect(await get(job, { options: { verify: false } })).toEqual({
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
		for (let n = 0; n < 3; n++) {
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

	it.each(settingChoices.scopeCancelled!)('reads a cancelled job as %s', async (form) => {
		rig.changeSettings({ scopeCancelled: form as '404' });
		const job = await rig.issueJob();
		rig.sandbox.control('passwordlessIdentity', 'deny', { job });
		expect(await get(job)).toMatchObject({
			id: job,
			outcome: form === '404' ? 'gone' : 'cancelled',
		});
	});

	it.each(settingChoices.scopeTimedOut!)('reads a timed-out job as %s', async (form) => {
		rig.changeSettings({ scopeTimedOut: form as '404' });
		const job = await rig.issueJob();
		rig.sandbox.clock.advance(301_000);
		const outcome = form === '404' || form === '410' ? 'gone' : 'timedOut';
		expect(await get(job)).toMatchObject({ id: job, outcome });
	});

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
	const check = async (job: string) => await rig.getOutput('scopeJob', 'check', { job });

	it('does not mistake the page of another server for an end', async () => {
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
		expect(await check(job)).toEqual({ id: job, finished: false, outcome: 'outstanding' });
		await rig.approve(job);
		expect(await check(job)).toEqual({ id: job, finished: true });
		expect(await check(UNKNOWN)).toEqual({ id: UNKNOWN, finished: true, outcome: 'gone' });
		rig.changeSettings({ scopeTimedOut: '410' });
		const late = await rig.issueJob();
		rig.sandbox.clock.advance(301_000);
		expect(await check(late)).toEqual({ id: late, finished: true, outcome: 'gone' });
	});
});
