// Protects a whole workflow: keys, scope jobs and a login work in sequence, each with the output of earlier nodes.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { TestNode } from '../../support/workflow';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

let rig: IdentityRig;
beforeAll(async () => {
	rig = await openIdentityRig();
});
afterAll(async () => await rig.close());

const makeNode = (
	name: string,
	resource: string,
	operation: string,
	otherParameters: object = {},
): TestNode => ({
	name,
	type: 'passwordlessIdentity',
	parameters: { resource, operation, ...otherParameters },
});

it('one workflow registers a key, waits for an approved job, logs in, cancels a second job and revokes the key', async () => {
	// The application is new. Each node gets its values from the nodes before it.
	const application = deriveDemoKey('a new application');
	rig.changeCredential({ privateKey: application.privatePem });
	const { user } = rig.sandbox.demo;
	const requestedJobs: string[] = [];
	rig.sandbox.world.phone.on('item', (item) => {
		if (item.kind !== 'scopeJob' || item.status !== 'waiting') return;
		requestedJobs.push(item.id);
		// The person approves the first request and does not answer the second.
		if (requestedJobs.length === 1) void rig.approve(item.id);
	});
	const subject = user.fingerprint;
	const fingerprint = "={{ $('Register').item.json.fingerprint }}";

	const run = await rig.runSequence([
		makeNode('Register', 'key', 'register'),
		makeNode('Check', 'key', 'check', { fingerprint }),
		makeNode('Ask', 'scopeJob', 'issue', {
			subject,
			scopes: { entries: [{ name: 'email', required: true }, { name: 'profile' }] },
		}),
		makeNode('Wait', 'scopeJob', 'waitUntilFinished', {
			job: "={{ $('Ask').item.json.id }}",
			expectedSubject: "={{ $('Ask').item.json.subject }}",
			waitLimit: 20,
			options: { checkEvery: 1 },
		}),
		makeNode('Log In', 'login', 'complete', { callback: 'https://app.example.com/callback' }),
		makeNode('Ask Again', 'scopeJob', 'issue', { subject }),
		makeNode('Cancel', 'scopeJob', 'cancel', { job: "={{ $('Ask Again').item.json.id }}" }),
		makeNode('See', 'scopeJob', 'get', { job: "={{ $('Ask Again').item.json.id }}" }),
		makeNode('Revoke', 'key', 'revoke', {
			fingerprint,
			secret: "={{ $('Register').item.json.secret }}",
		}),
		makeNode('Check Again', 'key', 'check', { fingerprint }),
	]);

	expect(run.error).toBeUndefined();
	const getOutput = (name: string) => run.json(name)[0]!;
	expect(getOutput('Register')).toMatchObject({ fingerprint: application.fingerprint });
	expect(getOutput('Check')).toMatchObject({ exists: true, revoked: false });
	expect(getOutput('Ask')).toMatchObject({ id: requestedJobs[0], outcome: 'outstanding', subject });
	expect(getOutput('Wait')).toMatchObject({
		id: requestedJobs[0],
		outcome: 'completed',
		verified: true,
		claims: { sub: subject, email: user.email, profile: { name: user.name } },
	});
	expect(getOutput('Log In')).toMatchObject({
		verified: true,
		claims: { sub: application.fingerprint },
	});
	expect(getOutput('Cancel')).toMatchObject({ id: requestedJobs[1], outcome: 'cancelled' });
	expect(getOutput('See')).toMatchObject({ id: requestedJobs[1], outcome: 'cancelled' });
	expect(getOutput('Revoke')).toMatchObject({ revoked: true });
	expect(getOutput('Check Again')).toMatchObject({ exists: false, revoked: true });
	expect(rig.sandbox.internalErrors).toEqual([]);
});
