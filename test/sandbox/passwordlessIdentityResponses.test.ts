// Protects tests of results of scope jobs: the sandbox accepts a token only from the requested person, after any code.
import {
	claimsOf,
	newHolder,
	problem,
	usePasswordlessIdentity,
	signToken,
	verifies,
} from './passwordlessIdentity.fixture';

const client = usePasswordlessIdentity();

const unknownJob = 'A'.repeat(20);
const readJob = (job: string) => client.send('GET', `/scope/${job}`);
const readJobStatus = async (job: string) => (await client.send('HEAD', `/scope/${job}`)).status;

describe('the update status operation', () => {
	it('rejects a token of another person', async () => {
		const job = await client.createJob();
		const stranger = newHolder();
		const { user } = client.sandbox.demo;
		const forgedResponse = await client.completeJob(
			job,
			signToken({ sub: user.fingerprint }, stranger),
		);
		expect([forgedResponse.status, forgedResponse.data]).toEqual([401, problem(401, 'auth-error')]);
		await client.register(stranger);
		const foreignResponse = await client.completeJob(
			job,
			signToken({ sub: stranger.fingerprint }, stranger),
		);
		expect([foreignResponse.status, foreignResponse.data]).toEqual([
			401,
			problem(401, 'auth-error'),
		]);
		const impostorResponse = await client.completeJob(
			job,
			client.signAnswer({ sub: stranger.fingerprint }),
		);
		expect([impostorResponse.status, impostorResponse.data]).toEqual([
			401,
			problem(401, 'auth-error'),
		]);
		expect((await client.completeJob(job, 'no token')).status).toBe(400);
		expect((await readJob(job)).data).toEqual({ status: 'waiting' });
	});

	it('rejects a user whose key was revoked meanwhile', async () => {
		const job = await client.createJob();
		const { fingerprint } = client.sandbox.demo.user;
		await client.send('DELETE', `/key/${fingerprint}?secret=demo-user-secret`);
		expect((await client.completeJob(job)).status).toBe(401);
	});

	it('accepts the same token again, and rejects another token', async () => {
		const job = await client.createJob();
		const firstToken = client.signAnswer();
		expect((await client.completeJob(job, firstToken)).status).toBe(200);
		expect((await client.completeJob(job, firstToken)).status).toBe(200);
		expect(
			(await client.completeJob(job, client.signAnswer({ email: 'other@example.com' }))).status,
		).toBe(404);
		expect((await readJob(job)).data).toBe(firstToken);
	});
});

describe('the confirm operation', () => {
	const confirm = (job: string, body: unknown) =>
		client.send('POST', `/scope/${job}`, body, 'application/json');

	it('accepts any JSON object if no code was sent', async () => {
		const job = await client.createJob();
		const { status, data } = await confirm(job, { anything: true });
		expect([status, data]).toEqual([202, { status: 'confirmed' }]);
		expect((await readJob(job)).data).toEqual({ status: 'confirmed' });
		expect(await readJobStatus(job)).toBe(204);
	});

	it('must come before the answer if a code was sent', async () => {
		client.changeSettings({ scopeConfirmation: 'contact' });
		const { phone } = client.sandbox.demo.user;
		const job = await client.createJob({ phone });
		const earlyAnswer = await client.completeJob(job);
		expect([earlyAnswer.status, earlyAnswer.data]).toEqual([409, problem(409, 'confirm-first')]);
		const wrongCode = await confirm(job, { code: 'wrong' });
		expect([wrongCode.status, wrongCode.data]).toEqual([401, problem(401, 'auth-error')]);
		const [sms] = client.sandbox.world.phone.items({ phone });
		expect(sms).toMatchObject({ kind: 'sms', code: expect.stringMatching(/^\d{6}$/) as string });
		expect((await confirm(job, { code: (sms as { code: string }).code })).status).toBe(202);
		expect((await client.completeJob(job)).status).toBe(200);
	});

	it('is not needed without email and phone, unless the setting requires it always', async () => {
		client.changeSettings({ scopeConfirmation: 'contact' });
		expect((await client.completeJob(await client.createJob())).status).toBe(200);
		client.changeSettings({ scopeConfirmation: 'always' });
		expect((await client.completeJob(await client.createJob())).status).toBe(409);
	});

	it('requires a code that is sent by mail if there is no phone number', async () => {
		client.changeSettings({ scopeConfirmation: 'contact' });
		const holder = newHolder();
		await client.register(holder);
		const email = 'holder@example.com';
		const job = await client.createJob({ sub: holder.fingerprint, email });
		const answer = signToken({ sub: holder.fingerprint }, holder);
		expect((await client.completeJob(job, answer)).data).toEqual(problem(409, 'confirm-first'));
		const mails = client.sandbox.world.phone.items({ email });
		expect(mails).toMatchObject([
			{ kind: 'mail', code: expect.stringMatching(/^\d{6}$/) as string },
		]);
		expect((await confirm(job, { code: (mails[0] as { code: string }).code })).status).toBe(202);
		expect((await client.completeJob(job, answer)).status).toBe(200);
	});

	it('rejects a token with 405', async () => {
		const job = await client.createJob();
		const { status, data } = await client.send('POST', `/scope/${job}`, client.signAnswer());
		expect([status, data]).toEqual([405, problem(405, 'wrong-method')]);
	});

	it('requires a JSON object', async () => {
		const job = await client.createJob();
		expect((await confirm(job, '[1]')).data).toEqual(problem(400, 'bad-request'));
		expect((await confirm(job, '{"code":')).data).toEqual(problem(400, 'bad-request'));
	});
});

describe('the control actions', () => {
	const control = (action: string, input: object = {}) =>
		client.send('POST', `/../control/passwordlessIdentity/${action}`, input, 'application/json');

	it('approve with the key of the demo user and the requested claims', async () => {
		const job = await client.createJob({ scope: 'email~r profile~s name' });
		const { status, data } = await control('approve', { job });
		expect([status, data.state]).toEqual([200, 'completed']);
		const jwt = (await readJob(job)).data as unknown as string;
		const { user, application } = client.sandbox.demo;
		expect(verifies(jwt, user.fingerprint)).toBe(true);
		expect(claimsOf(jwt)).toEqual({
			iss: user.fingerprint,
			sub: user.fingerprint,
			aud: application.fingerprint,
			job,
			email: user.email,
			name: user.name,
			profile: expect.objectContaining({ name: user.name }) as object,
			iat: expect.any(Number) as number,
			exp: expect.any(Number) as number,
		});
	});

	it('approve with claims that the caller chooses', async () => {
		const job = await client.createJob({ scope: 'email badge' });
		await control('approve', { job, claims: { badge: 'speaker', email: 'r@example.com' } });
		const jwt = (await readJob(job)).data as unknown as string;
		expect(claimsOf(jwt)).toMatchObject({ badge: 'speaker', email: 'r@example.com' });
	});

	it('deny and expire jobs', async () => {
		const [deniedJob, expiredJob] = [await client.createJob(), await client.createJob()];
		expect((await control('deny', { job: deniedJob })).data).toEqual({
			job: deniedJob,
			state: 'cancelled',
		});
		expect((await control('expire', { job: expiredJob })).data).toEqual({
			job: expiredJob,
			state: 'timedOut',
		});
		expect((await readJob(deniedJob)).data).toEqual({ status: 'cancelled' });
		expect((await readJob(expiredJob)).data).toEqual({ status: 'expired' });
		const lateApproval = await control('approve', { job: deniedJob });
		expect([lateApproval.status, lateApproval.data]).toEqual([
			400,
			{ error: 'The job is cancelled already' },
		]);
		expect((await control('deny', { job: unknownJob })).status).toBe(400);
	});

	it('list the jobs of one user or of one state', async () => {
		const { data: user } = await control('addUser', { name: 'Ines', email: 'ines@example.com' });
		const { fingerprint } = user as { fingerprint: string };
		const [demoUserJob, otherUserJob] = [
			await client.createJob(),
			await client.createJob({ sub: fingerprint }),
		];
		await control('approve', { job: otherUserJob });
		const listJobIds = async (input: object) =>
			((await control('jobs', input)).data as unknown as Array<{ job: string }>).map(
				({ job }) => job,
			);
		expect(await listJobIds({})).toEqual([demoUserJob, otherUserJob]);
		expect(await listJobIds({ fingerprint })).toEqual([otherUserJob]);
		expect(await listJobIds({ state: 'outstanding' })).toEqual([demoUserJob]);
		const jwt = (await readJob(otherUserJob)).data as unknown as string;
		expect(verifies(jwt, fingerprint)).toBe(true);
		expect(claimsOf(jwt)).toMatchObject({ email: 'ines@example.com' });
	});

	it('do not approve for a key that the sandbox does not hold', async () => {
		const holder = newHolder();
		await client.register(holder);
		const job = await client.createJob({ sub: holder.fingerprint });
		expect((await control('approve', { job })).status).toBe(400);
		const keys = (await control('keys')).data as unknown as Array<Record<string, unknown>>;
		expect(keys.find((key) => key.fingerprint === holder.fingerprint)).toMatchObject({
			held: false,
			revoked: false,
		});
	});
});
