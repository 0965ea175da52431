// Protects Issue that waits or uses a trigger: each item gets the verified answer to its own job, and errors name the job.
import { verifySubmission } from '../../../nodes/engine/http/signature';
import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { useIdentityRig } from './identityRig';

const rig = useIdentityRig();
let user: string;
beforeAll(() => {
	user = rig.sandbox.demo.user.fingerprint;
});
afterEach(() => void rig.sandbox.world.phone.removeAllListeners('item'));

/** Calls `answer` for each job that appears on the phone. */
const onJobIssued = (answer: (job: string, scope: string) => unknown) =>
	rig.sandbox.world.phone.on('item', (item) => {
		if (item.kind === 'scopeJob' && item.status === 'waiting') answer(item.id, item.scope);
	});
const WAIT_PARAMETERS = {
	subject: '={{ $json.who }}',
	wait: true,
	waitLimit: 20,
	options: { checkEvery: 1 },
};

describe('Issue with the option to wait', () => {
	it('outputs the verified answer to the job that it issued', async () => {
		onJobIssued((job) => void rig.approve(job));
		const output = await rig.getOutput('scopeJob', 'issue', { ...WAIT_PARAMETERS, subject: user });
		expect(output).toMatchObject({
			id: expect.any(String) as string,
			subject: user,
			outcome: 'completed',
			verified: true,
			subjectChecked: true,
			claims: { sub: user, email: rig.sandbox.demo.user.email },
		});
	});

	it('issues all jobs before it waits for any, and outputs them in order', async () => {
		const names = ['Ada', 'Grace', 'Mary'];
		const people = names.map((name) => rig.addUser(name).fingerprint);
		const issuedJobs: string[] = [];
		onJobIssued((job) => {
			issuedJobs.push(job);
			// No job is answered before all people were asked.
			if (issuedJobs.length < people.length) return;
			void rig.approve(issuedJobs[0]!);
			rig.sandbox.control('passwordlessIdentity', 'deny', { job: issuedJobs[1]! });
			rig.sandbox.control('passwordlessIdentity', 'expire', { job: issuedJobs[2]! });
		});
		const { outputItems } = await rig.operate(
			'scopeJob',
			'issue',
			WAIT_PARAMETERS,
			people.map((who) => ({ who })),
		);
		expect(outputItems.map(({ id, subject, outcome }) => ({ id, subject, outcome }))).toEqual([
			{ id: issuedJobs[0], subject: people[0], outcome: 'completed' },
			{ id: issuedJobs[1], subject: people[1], outcome: 'cancelled' },
			{ id: issuedJobs[2], subject: people[2], outcome: 'timedOut' },
		]);
	});

	it('fails with the ID of the issued job if the wait fails', async () => {
		const server = await rig.startToy();
		server.respondWith(({ method }, response) =>
			method === 'POST'
				? sendJson(response, 201, { job: 'Zk3fT9aQw1LmX7cVb2Ns', status: 'waiting' })
				: response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
		);
		rig.changeCredential({ baseUrl: server.url });
		const parameters = { ...WAIT_PARAMETERS, subject: user };
		const { message, description } = await rig.getError('scopeJob', 'issue', parameters);
		expect(message).toMatch(/redirects to another address/);
		expect(description).toMatch(/The job Zk3fT9aQw1LmX7cVb2Ns was issued anyway/);
	});

	it('does not wait if a job cannot be issued and errors stop the workflow', async () => {
		const { error } = await rig.operate('scopeJob', 'issue', WAIT_PARAMETERS, [
			{ who: user },
			{ who: 'x' },
		]);
		expect(error?.message).toMatch(/'Person's Key Fingerprint' is not a valid fingerprint/);
		expect(rig.count('getScopeJob')).toBe(0);
	});

	it('waits for the other jobs if one cannot be issued and errors continue', async () => {
		onJobIssued((job) => void rig.approve(job));
		const { outputItems, errorItems } = await rig.operate(
			'scopeJob',
			'issue',
			WAIT_PARAMETERS,
			[{ who: 'x' }, { who: user }],
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(outputItems).toMatchObject([{ subject: user, outcome: 'completed' }]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	});

	it('expects an answer of the person who is named in a ready-made token', async () => {
		const { application } = rig.sandbox.demo;
		const claims = { iss: application.fingerprint, sub: user, scope: 'email' };
		onJobIssued((job) => void rig.approve(job));
		const output = await rig.getOutput('scopeJob', 'issue', {
			...WAIT_PARAMETERS,
			useToken: true,
			token: signToken(claims, importKeyOf(application)),
		});
		expect(output).toMatchObject({ subject: user, verified: true, subjectChecked: true });
	});

	it('fails for the outcomes that the user selected as errors', async () => {
		onJobIssued((job) => rig.sandbox.control('passwordlessIdentity', 'deny', { job }));
		const { message } = await rig.getError('scopeJob', 'issue', {
			...WAIT_PARAMETERS,
			subject: user,
			options: { checkEvery: 1, errorOutcomes: ['cancelled'] },
		});
		expect(message).toBe('The scope job was canceled');
	});
});

describe('Issue with a trigger URL', () => {
	let trigger: ToyServer;
	beforeEach(async () => {
		trigger = await rig.startToy();
	});
	const issueWithTrigger = async (options: object) =>
		await rig.getOutput('scopeJob', 'issue', { subject: user, options });

	it('submits the job, the person who is asked and the data to the trigger', async () => {
		trigger.respondWith((_, response) => sendJson(response, 200, { watched: 1 }));
		const output = await issueWithTrigger({
			triggerUrl: `${trigger.url}/webhook/abc`,
			triggerSecret: 'open sesame',
			triggerData: '{"order": 1042}',
		});
		expect(output).toMatchObject({ status: 'waiting', handedOver: true });
		expect(JSON.parse(trigger.requests[1]!.body)).toEqual({
			ids: [{ id: output.id, subject: user, data: { order: 1042 } }],
		});
		const { headers, body } = trigger.requests[1]!;
		const signature = `${headers['x-gatehouse-signature'] as string}`;
		expect(verifySubmission(signature, body, 'open sesame', 'abc')).toBe('valid');
		expect(JSON.stringify(headers)).not.toContain('open sesame');
	});

	it('issues no job if the trigger does not run, unless the user allows it', async () => {
		trigger.respondWith((_, response) => sendJson(response, 404, { message: 'is not registered' }));
		const options = { triggerUrl: `${trigger.url}/webhook/abc` };
		const { message } = await rig.getError('scopeJob', 'issue', { subject: user, options });
		expect(message).toBe("The trigger at this URL isn't running: publish its workflow");
		expect(rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[]).toHaveLength(0);
		expect(await issueWithTrigger({ ...options, continueWithoutTrigger: true })).toMatchObject({
			status: 'waiting',
			handedOver: false,
			handOverReason: expect.stringMatching(/publish its workflow/) as string,
		});
		expect(rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[]).toHaveLength(1);
	});
});

describe.each([
	['does not wait', false],
	['waits', true],
])('Issue that %s', (_, wait) => {
	it("does not copy verification fields from the issuer's response to the output", async () => {
		const server = await rig.startToy();
		const { changeCredential } = rig;
		server.respondWith(({ method }, response) =>
			method === 'GET'
				? void response.writeHead(204).end()
				: sendJson(response, 200, {
						job: 'Zk3fT9aQw1LmX7cVb2Ns',
						id: 'another',
						status: 'waiting',
						verified: true,
						subjectChecked: true,
						outcome: 'completed',
						claims: { email: 'mallory@example.com' },
						token: 'a.b.c',
						key: { sub: user },
					}),
		);
		changeCredential({ baseUrl: server.url });
		const output = await rig.getOutput('scopeJob', 'issue', { subject: user, wait, waitLimit: 1 });
		changeCredential({});
		expect(output).toMatchObject({ id: 'Zk3fT9aQw1LmX7cVb2Ns', status: 'waiting', subject: user });
		expect(output.outcome).toBe(wait ? 'stillOutstanding' : 'outstanding');
		for (const verificationField of ['verified', 'subjectChecked', 'claims', 'token', 'key']) {
			expect(output).not.toHaveProperty(verificationField);
		}
	});
});
