// Protects Confirm, Update Status and Cancel: the job changes as requested, or the error has the reason without the code.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import {
	claimsOf,
	importKeyOf,
	newHolder,
	signToken,
} from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { openIdentityRig, quickRetries } from './identityRig';
import type { IdentityRig } from './identityRig';

const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';

useAcceleratedTime();

let rig: IdentityRig;
let user: string;
beforeAll(async () => {
	rig = await openIdentityRig();
	user = rig.sandbox.demo.user.fingerprint;
});
afterAll(async () => await rig.close());
beforeEach(() => {
	rig.sandbox.reset();
	rig.changeCredential({});
});
afterEach(() => expect(rig.sandbox.internalErrors).toEqual([]));

const findJob = (id: string) =>
	(rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[]).find(({ job }) => job === id)!;
const UNKNOWN_JOB = 'AAAAAAAAAAAAAAAAAAAA';
const useUserCredential = () =>
	rig.changeCredential({ privateKey: rig.sandbox.demo.user.privatePem });

describe('Confirm', () => {
	beforeEach(() => rig.changeSettings({ scopeConfirmation: 'always' }));

	it('sends the code, and the job remains outstanding', async () => {
		const job = await rig.issueJob();
		const { code } = findJob(job);
		expect(await rig.getOutput('scopeJob', 'confirm', { job, code })).toEqual({
			id: job,
			status: 'confirmed',
		});
		expect(findJob(job)).toMatchObject({ confirmed: true, state: 'outstanding' });
		expect(await rig.getOutput('scopeJob', 'get', { job })).toEqual({
			id: job,
			outcome: 'outstanding',
			status: 'confirmed',
		});
	});

	it('accepts a code that an expression returns as a number', async () => {
		const job = await rig.issueJob();
		findJob(job).code = '123456';
		const { outputItems } = await rig.operate('scopeJob', 'confirm', {
			job,
			code: '={{ 123456 }}',
		});
		expect(outputItems).toEqual([{ id: job, status: 'confirmed' }]);
	});

	it('sends further data, with or without the code', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) => sendJson(response, 202, { status: 'confirmed' }));
		rig.changeCredential({ baseUrl: server.url });
		const options = { furtherData: '{"pin": "1234"}' };
		await rig.getOutput('scopeJob', 'confirm', { job: JOB, code: '482913', options });
		await rig.getOutput('scopeJob', 'confirm', { job: JOB, options });
		expect(server.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
			{ pin: '1234', code: '482913' },
			{ pin: '1234' },
		]);
	});

	it('sends no body without a code and further data', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) => sendJson(response, 202, { status: 'confirmed' }));
		rig.changeCredential({ baseUrl: server.url });
		for (const parameters of [{}, { code: '  ' }, { options: { furtherData: '{}' } }]) {
			const output = await rig.getOutput('scopeJob', 'confirm', { job: JOB, ...parameters });
			expect(output).toEqual({ id: JOB, status: 'confirmed' });
		}
		const sentRequests = server.requests.map(({ method, url, body, headers }) => {
			return [method, url, body, headers['content-type']];
		});
		expect(sentRequests).toEqual(
			Array(3).fill(['POST', '/scope/Zk3fT9aQw1LmX7cVb2Ns', '', undefined]),
		);
	});

	it('confirms a job that needs no code', async () => {
		rig.changeSettings({ scopeConfirmation: 'never' });
		const job = await rig.issueJob();
		expect(await rig.getOutput('scopeJob', 'confirm', { job })).toEqual({
			id: job,
			status: 'confirmed',
		});
		expect(findJob(job)).toMatchObject({ confirmed: true, state: 'outstanding' });
	});

	it('fails with a message if a code is required and missing', async () => {
		const job = await rig.issueJob();
		const { message } = await rig.getError('scopeJob', 'confirm', { job });
		expect(message).toMatch(/The code is wrong.*auth-error/);
		expect(findJob(job)).toMatchObject({ confirmed: false });
	});

	it('fails with a message that does not show the code if it is wrong', async () => {
		const job = await rig.issueJob();
		const { message, description, httpCode } = await rig.getError('scopeJob', 'confirm', {
			job,
			code: 'wr0ng!',
		});
		expect(message).toMatch(/The code is wrong.*auth-error/);
		expect(httpCode).toBe('401');
		expect(message + description).not.toContain('wr0ng!');
		expect(rig.count('confirmScopeJob')).toBe(1);
	});

	it('fails with a reference to Update Status if the issuer rejects the method', async () => {
		const server = await rig.startToy();
		const type = 'https://identity.example/problems/wrong-method';
		server.respondWith((_, response) =>
			sendJson(response, 405, { error: 405, type, title: 'Method not allowed' }),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { message, description } = await rig.getError('scopeJob', 'confirm', {
			job: JOB,
			code: '1',
		});
		expect(message).toBe('Identity issuer: Method not allowed (wrong-method)');
		expect(description).toMatch(/Update Status/);
	});
});

describe('Update Status', () => {
	const signAnswer = (claims: object = {}) =>
		signToken({ sub: user, ...claims }, importKeyOf(rig.sandbox.demo.user));

	it('completes a job with the token of the person', async () => {
		const job = await rig.issueJob();
		const signed = signAnswer({ email: 'ada@example.com' });
		expect(await rig.getOutput('scopeJob', 'updateStatus', { job, token: signed })).toEqual({
			id: job,
			status: 'ready',
		});
		expect(findJob(job)).toMatchObject({ state: 'completed', token: signed });
	});

	it("signs the answer with the credential's key", async () => {
		const job = await rig.issueJob();
		useUserCredential();
		await rig.getOutput('scopeJob', 'updateStatus', {
			job,
			useToken: false,
			additionalClaims: { email: 'ada@example.com', furtherClaims: '{"profile": {"name": "Ada"}}' },
		});
		expect(claimsOf(findJob(job).token!)).toEqual({
			sub: user,
			iss: user,
			email: 'ada@example.com',
			profile: { name: 'Ada' },
		});
	});

	describe('if the issuer responds with a text', () => {
		const returnedToken = signToken({ sub: 'somebody', status: 'ready' }, newHolder());

		it.each<[string, string, string]>([
			['as application/jwt', 'application/jwt', returnedToken],
			['with white space around it', 'application/jwt; charset=utf-8', `\n${returnedToken} \n`],
			['as plain text', 'text/plain', returnedToken],
			['without a type', '', returnedToken],
			['as a JSON string', 'application/json', JSON.stringify(returnedToken)],
			['that cannot be read', 'application/jwt', 'bm8ganNvbg.bm8ganNvbg.AAAA'],
			['that is encrypted', 'application/jwt', 'eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn'],
		])('accepts a token %s as success, with one request', async (_, type, body) => {
			const server = await rig.startToy();
			server.respondWith((__, response) => {
				response.writeHead(200, type ? { 'content-type': type } : {});
				response.end(body);
			});
			rig.changeCredential({ baseUrl: server.url });
			const parameters = { job: JOB, token: signAnswer(), options: quickRetries };
			expect(await rig.getOutput('scopeJob', 'updateStatus', parameters)).toEqual({
				id: JOB,
				status: 'ready',
				verified: false,
				token: body.trim().replaceAll('"', ''),
			});
			expect(server.requests).toHaveLength(1);
		});

		it.each<[string, string, string]>([
			['half a token', 'application/jwt', returnedToken.slice(0, 60)],
			['a version number', 'text/plain', '1.2.3'],
			['half a JSON object', 'application/json', '{"status":"rea'],
		])('sends the request again after a response of %s', async (_, type, body) => {
			const server = await rig.startToy();
			server.respondWith((__, response, count) => {
				if (count > 1) return sendJson(response, 200, { status: 'ready' });
				response.writeHead(200, { 'content-type': type });
				return response.end(body);
			});
			rig.changeCredential({ baseUrl: server.url });
			const parameters = { job: JOB, token: signAnswer(), options: quickRetries };
			expect(await rig.getOutput('scopeJob', 'updateStatus', parameters)).toEqual({
				id: JOB,
				status: 'ready',
			});
			expect(server.requests).toHaveLength(2);
		});
	});

	it('fails with a reference to Confirm if a code is required first', async () => {
		rig.changeSettings({ scopeConfirmation: 'always' });
		const job = await rig.issueJob();
		const { message, description, httpCode } = await rig.getError('scopeJob', 'updateStatus', {
			job,
			token: signAnswer(),
		});
		expect(message).toMatch(/confirm-first/);
		expect(description).toMatch(/Confirm/);
		expect(httpCode).toBe('409');
	});

	it('fails with a message if another person answers', async () => {
		const job = await rig.issueJob();
		const stranger = deriveDemoKey('stranger');
		const forged = signToken({ sub: stranger.fingerprint }, importKeyOf(stranger));
		const { message } = await rig.getError('scopeJob', 'updateStatus', { job, token: forged });
		expect(message).toMatch(/auth-error/);
	});

	it('fails with a message if the job does not exist', async () => {
		const { message, httpCode } = await rig.getError('scopeJob', 'updateStatus', {
			job: UNKNOWN_JOB,
			token: signAnswer(),
		});
		expect(message).toMatch(/unknown-job/);
		expect(httpCode).toBe('404');
	});
});

describe('Cancel', () => {
	it('cancels an outstanding job', async () => {
		const job = await rig.issueJob();
		expect(await rig.getOutput('scopeJob', 'cancel', { job })).toEqual({
			id: job,
			outcome: 'cancelled',
		});
		expect(findJob(job).state).toBe('cancelled');
	});

	it('fails with a message if the job is answered or unknown', async () => {
		const job = await rig.issueJob();
		await rig.approve(job);
		for (const id of [job, UNKNOWN_JOB]) {
			const { message, description, httpCode } = await rig.getError('scopeJob', 'cancel', {
				job: id,
			});
			expect(message).toMatch(/unknown-job/);
			expect(description).toMatch(/answered or canceled/);
			expect(httpCode).toBe('404');
		}
	});
});
