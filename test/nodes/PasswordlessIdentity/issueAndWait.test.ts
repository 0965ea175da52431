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

/** Answers jobs as they appear on the phone. */
const onJobIssued = (answer: (job: string, scope: string) => unknown) =>
	rig.sandbox.world.phone.on('item', (item) => {
		if (item.kind === 'scopeJob' && item.status === 'waiting') answer(item.id, item.scope);
	});
const ask = { subject: '={{ $json.who }}', wait: true, waitLimit: 20, options: { checkEvery: 1 } };

describe('Issue with the option to wait', () => {
	it('issues and waits in one node', async () => {
		onJobIssued((job) => void rig.approve(job));
		const output = await rig.getOutput('scopeJob', 'issue', { ...ask, subject: user });
		expect(output).toMatchObject({
			id: expect.any(String) as string,
			subject: user,
			outcome: 'completed',
			verified: true,
			subjectChecked: true,
			claims: { sub: user, email: rig.sandbox.demo.user.email },
		});
	});

	it('issues all jobs before it waits for any, and keeps their order', async () => {
		const names = ['Ada', 'Grace', 'Mary'];
		const people = names.map((name) => rig.addUser(name).fingerprint);
		const issued: string[] = [];
		onJobIssued((job) => {
			issued.push(job);
			// The first answer comes only when all people have been asked.
			if (issued.length < people.length) return;
			void rig.approve(issued[0]!);
			rig.sandbox.control('passwordlessIdentity', 'deny', { job: issued[1]! });
			rig.sandbox.control('passwordlessIdentity', 'expire', { job: issued[2]! });
		});
		const { outputItems } = await rig.operate(
			'scopeJob',
			'issue',
			ask,
			people.map((who) => ({ who })),
		);
		expect(outputItems.map(({ id, subject, outcome }) => ({ id, subject, outcome }))).toEqual([
			{ id: issued[0], subject: people[0], outcome: 'completed' },
			{ id: issued[1], subject: people[1], outcome: 'cancelled' },
			{ id: issued[2], subject: people[2], outcome: 'timedOut' },
		]);
	});

	it('the error names the issued job if waiting fails', async () => {
		const server = await rig.startToy();
		server.respondWith(({ method }, response) =>
			method === 'POST'
				? sendJson(response, 201, { job: 'Zk3fT9aQw1LmX7cVb2Ns', status: 'waiting' })
				: response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
		);
		rig.changeCredential({ baseUrl: server.url });
		const parameters = { ...ask, subject: user };
		const { message, description } = await rig.getError('scopeJob', 'issue', parameters);
		expect(message).toMatch(/redirects to another address/);
		expect(description).toMatch(/The job Zk3fT9aQw1LmX7cVb2Ns was issued anyway/);
	});

	it('does not wait if a job cannot be issued', async () => {
		const { error } = await rig.operate('scopeJob', 'issue', ask, [{ who: user }, { who: 'x' }]);
		expect(error?.message).toMatch(/'Person's Key Fingerprint' is not a valid fingerprint/);
		expect(rig.count('getScopeJob')).toBe(0);
	});

	it('Issue waits for the other jobs with Continue On Fail', async () => {
		onJobIssued((job) => void rig.approve(job));
		const { outputItems, errorItems } = await rig.operate(
			'scopeJob',
			'issue',
			ask,
			[{ who: 'x' }, { who: user }],
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(outputItems).toMatchObject([{ subject: user, outcome: 'completed' }]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	});

	it('expects the person named in a ready-made token', async () => {
		const { application } = rig.sandbox.demo;
		const claims = { iss: application.fingerprint, sub: user, scope: 'email' };
		onJobIssued((job) => void rig.approve(job));
		const output = await rig.getOutput('scopeJob', 'issue', {
			...ask,
			useToken: true,
			token: signToken(claims, importKeyOf(application)),
		});
		expect(output).toMatchObject({ subject: user, verified: true, subjectChecked: true });
	});

	it('fails for the outcomes that the user selected as errors', async () => {
		onJobIssued((job) => rig.sandbox.control('passwordlessIdentity', 'deny', { job }));
		const { message } = await rig.getError('scopeJob', 'issue', {
			...ask,
			subject: user,
			options: { checkEvery: 1, errorOutcomes: ['cancelled'] },
		});
		expect(message).toBe('The scope job was canceled');
	});
});

describe('Issue that submits to a trigger', () => {
	let trigger: ToyServer;
	beforeEach(async () => {
		trigger = await rig.startToy();
	});
	const issue = async (options: object) =>
		await rig.getOutput('scopeJob', 'issue', { subject: user, options });

	it('submits the job, the person who is asked and data', async () => {
		trigger.respondWith((_, response) => sendJson(response, 200, { watched: 1 }));
		const output = await issue({
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

	it('issues nothing if the trigger does not run, unless that is allowed', async () => {
		trigger.respondWith((_, response) => sendJson(response, 404, { message: 'is not registered' }));
		const options = { triggerUrl: `${trigger.url}/webhook/abc` };
		const { message } = await rig.getError('scopeJob', 'issue', { subject: user, options });
		expect(message).toBe("The trigger at this URL isn't running: publish its workflow");
		expect(rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[]).toHaveLength(0);
		expect(await issue({ ...options, continueWithoutTrigger: true })).toMatchObject({
			status: 'waiting',
			handedOver: false,
			handOverReason: expect.stringMatching(/publish its workflow/) as string,
		});
		expect(rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[]).toHaveLength(1);
	});
});

describe.each([
	['without waiting', false],
	['until the wait is over', true],
])("fields of verification results in the issuer's response, %s", (_, wait) => {
	it('such fields are not copied to the output', async () => {
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
		for (const ours of ['verified', 'subjectChecked', 'claims', 'token', 'key']) {
			expect(output).not.toHaveProperty(ours);
		}
	});
});
