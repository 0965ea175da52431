// Protects tests of scope jobs: the sandbox returns each state of a job in each form that its settings offer.
import {
	importKeyOf,
	newHolder,
	problem,
	usePasswordlessIdentity,
	signToken,
} from './passwordlessIdentity.fixture';

const client = usePasswordlessIdentity();

const unknownJob = 'A'.repeat(20);
const readJob = (job: string) => client.send('GET', `/scope/${job}`);
const readJobStatus = async (job: string) => (await client.send('HEAD', `/scope/${job}`)).status;
const readPhoneItems = () =>
	client.sandbox.world.phone.items({ fingerprint: client.sandbox.demo.user.fingerprint });

describe('the issue operation', () => {
	it('creates a job that the phone shows', async () => {
		const { status, data } = await client.issueJob({ type: 'login' });
		expect(status).toBe(201);
		expect(data).toEqual({
			job: expect.stringMatching(/^[\w-]{20}$/) as string,
			status: 'waiting',
		});
		const { application, user } = client.sandbox.demo;
		expect(readPhoneItems()).toEqual([
			expect.objectContaining({
				kind: 'scopeJob',
				id: data.job,
				from: application.fingerprint,
				to: { fingerprint: user.fingerprint },
				scope: 'email~r profile',
				type: 'login',
				status: 'waiting',
			}),
		]);
	});

	it('does not show a test job on the phone', async () => {
		const job = await client.createJob({}, '?test=1');
		expect(readPhoneItems()).toEqual([]);
		expect((await readJob(job)).data).toEqual({ status: 'waiting' });
		expect((await client.issueJob({}, '?test=yes')).status).toBe(400);
	});

	it('rejects a signature that is not the issuer’s', async () => {
		const { application, user } = client.sandbox.demo;
		const claims = { iss: application.fingerprint, sub: user.fingerprint, scope: 'email' };
		const { status, data } = await client.send(
			'POST',
			'/scope',
			signToken(claims, importKeyOf(user)),
		);
		expect([status, data]).toEqual([401, problem(401, 'auth-error')]);
	});

	it('rejects an issuer that is not registered', async () => {
		const stranger = newHolder();
		const { user } = client.sandbox.demo;
		const claims = { iss: stranger.fingerprint, sub: user.fingerprint, scope: 'email' };
		const before = await client.send('POST', '/scope', signToken(claims, stranger));
		expect([before.status, before.data]).toEqual([401, problem(401, 'auth-error')]);
		await client.register(stranger);
		expect((await client.send('POST', '/scope', signToken(claims, stranger))).status).toBe(201);
	});

	it('takes the signer from kid if the issuer is a name', async () => {
		const { application, user } = client.sandbox.demo;
		const claims = { iss: 'https://app.example.com', sub: user.fingerprint, scope: 'email' };
		const header = { kid: application.fingerprint };
		const body = signToken(claims, importKeyOf(application), header);
		expect((await client.send('POST', '/scope', body)).status).toBe(201);
	});

	it('rejects a user who is unknown or revoked', async () => {
		const unknown = await client.issueJob({ sub: newHolder().fingerprint });
		expect([unknown.status, unknown.data]).toEqual([404, problem(404, 'unknown-key')]);
		const { fingerprint } = client.sandbox.demo.user;
		await client.send('DELETE', `/key/${fingerprint}?secret=demo-user-secret`);
		const revoked = await client.issueJob();
		expect([revoked.status, revoked.data]).toEqual([410, problem(410, 'revoked-key')]);
	});

	it.each([{ scope: undefined }, { sub: undefined }, { scope: 'email!!' }, { email: 'nobody' }])(
		'rejects the claims %j',
		async (claims) => {
			const { status, data } = await client.issueJob(claims);
			expect([status, data]).toEqual([400, problem(400, 'bad-request')]);
		},
	);

	it('rejects more jobs a minute than the setting allows', async () => {
		client.changeSettings({ scopeIssuesPerMinute: 2 });
		expect((await client.issueJob()).status).toBe(201);
		client.sandbox.clock.advance(30_000);
		expect((await client.issueJob()).status).toBe(201);
		const { status, data, headers } = await client.issueJob();
		expect([status, data]).toEqual([429, problem(429, 'rate-limit')]);
		expect(Number(headers['retry-after'])).toBeGreaterThan(20);
		expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
		client.sandbox.clock.advance(30_000);
		expect((await client.issueJob()).status).toBe(201);
	});
});

describe('an outstanding job', () => {
	it.each(['waiting', 'pending', 'outstanding', 'confirmed'])(
		'has the status %s',
		async (setting) => {
			client.changeSettings({ scopeOutstanding: setting });
			const job = await client.createJob();
			const { status, data } = await readJob(job);
			expect([status, data]).toEqual([200, { status: setting }]);
			expect(await readJobStatus(job)).toBe(204);
		},
	);

	it('has an empty response with 204 if the setting is 204', async () => {
		client.changeSettings({ scopeOutstanding: '204' });
		const job = await client.createJob();
		const { status, data } = await readJob(job);
		expect([status, data]).toEqual([204, '']);
		expect(await readJobStatus(job)).toBe(204);
	});
});

describe('a completed job', () => {
	it.each([
		['jwt', 'application/jwt'],
		['text', 'text/plain'],
		['string', 'application/json'],
	])('returns the token as %s with the content type %s', async (setting, type) => {
		client.changeSettings({ scopeCompleted: setting });
		const job = await client.createJob();
		const body = client.signAnswer();
		expect((await client.completeJob(job, body)).data).toEqual({ status: 'ready' });
		const { status, data, headers } = await readJob(job);
		expect([status, data]).toEqual([200, body]);
		expect(String(headers['content-type'])).toMatch(type);
		expect(await readJobStatus(job)).toBe(200);
	});

	it('returns the token in a JSON object', async () => {
		client.changeSettings({ scopeCompleted: 'token' });
		const job = await client.createJob();
		const body = client.signAnswer();
		await client.completeJob(job, body);
		expect((await readJob(job)).data).toEqual({ status: 'completed', token: body });
	});

	it('returns unsigned claims', async () => {
		client.changeSettings({ scopeCompleted: 'claims' });
		const job = await client.createJob();
		await client.completeJob(job);
		const { user } = client.sandbox.demo;
		expect((await readJob(job)).data).toEqual({ sub: user.fingerprint, email: user.email });
	});
});

describe('the cancel operation', () => {
	it.each(['cancelled', 'canceled', 'deleted'])(
		'sets the status %s, as the setting says',
		async (setting) => {
			client.changeSettings({ scopeCancelled: setting });
			const job = await client.createJob();
			const { status, data } = await client.send('DELETE', `/scope/${job}`);
			expect([status, data]).toEqual([200, { status: 'done' }]);
			expect((await readJob(job)).data).toEqual({ status: setting });
			expect(await readJobStatus(job)).toBe(200);
			expect(readPhoneItems()).toEqual([expect.objectContaining({ id: job, status: 'cancelled' })]);
		},
	);

	it('makes the job unknown if the setting is 404', async () => {
		client.changeSettings({ scopeCancelled: '404' });
		const job = await client.createJob();
		await client.send('DELETE', `/scope/${job}`);
		const { status, data } = await readJob(job);
		expect([status, data]).toEqual([404, problem(404, 'unknown-job')]);
		expect(await readJobStatus(job)).toBe(404);
	});

	it('is possible only while the job is outstanding', async () => {
		const job = await client.createJob();
		await client.send('DELETE', `/scope/${job}`);
		const secondCancel = await client.send('DELETE', `/scope/${job}`);
		expect([secondCancel.status, secondCancel.data]).toEqual([404, problem(404, 'unknown-job')]);
		expect((await client.completeJob(job)).status).toBe(404);
		const completedJob = await client.createJob();
		await client.completeJob(completedJob);
		expect((await client.send('DELETE', `/scope/${completedJob}`)).status).toBe(404);
		expect((await readJob(completedJob)).headers['content-type']).toMatch('application/jwt');
	});
});

describe('a job after its time limit', () => {
	it.each(['expired', 'timeout', 'timed out'])(
		'has the status %s, as the setting says',
		async (setting) => {
			client.changeSettings({ scopeTimedOut: setting });
			const job = await client.createJob();
			client.sandbox.clock.advance(299_000);
			expect((await readJob(job)).data).toEqual({ status: 'waiting' });
			client.sandbox.clock.advance(1001);
			expect((await readJob(job)).data).toEqual({ status: setting });
			expect(await readJobStatus(job)).toBe(200);
			expect((await client.completeJob(job)).status).toBe(404);
			expect(readPhoneItems()).toEqual([expect.objectContaining({ id: job, status: 'expired' })]);
		},
	);

	it.each([
		['404', 'unknown-job'],
		['410', 'expired-job'],
	])('returns status %s and the error %s, as the setting says', async (setting, label) => {
		client.changeSettings({ scopeTimedOut: setting, scopeJobSeconds: 10 });
		const job = await client.createJob();
		client.sandbox.clock.advance(10_001);
		const { status, data } = await readJob(job);
		expect([status, data]).toEqual([Number(setting), problem(Number(setting), label)]);
		expect(await readJobStatus(job)).toBe(Number(setting));
	});
});

describe('a job that never existed', () => {
	it('returns 404 for every operation', async () => {
		expect((await readJob(unknownJob)).data).toEqual(problem(404, 'unknown-job'));
		expect(await readJobStatus(unknownJob)).toBe(404);
		expect((await client.completeJob(unknownJob)).data).toEqual(problem(404, 'unknown-job'));
		const confirm = await client.send('POST', `/scope/${unknownJob}`, {}, 'application/json');
		expect(confirm.data).toEqual(problem(404, 'unknown-job'));
		const cancel = await client.send('DELETE', `/scope/${unknownJob}`);
		expect(cancel.data).toEqual(problem(404, 'unknown-job'));
	});

	it('returns 400 if its ID is invalid', async () => {
		expect((await readJob('short')).data).toEqual(problem(400, 'bad-request'));
		expect(await readJobStatus('short')).toBe(400);
	});
});
