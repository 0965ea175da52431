import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { TestNode } from '../../support/workflow';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

let rig: IdentityRig;
beforeAll(async () => {
	rig = await openIdentityRig();
});
afterAll(async () => await rig.close());

const node = (name: string, resource: string, operation: string, rest: object = {}): TestNode => ({
	name,
	type: 'passwordlessIdentity',
	parameters: { resource, operation, ...rest },
});

it('register, issue, approve, wait, verify, cancel another, revoke: one workflow', async () => {
	// The application is new: everything it needs, it gets from the nodes before.
	const application = deriveDemoKey('a new application');
	rig.changeCredential({ privateKey: application.privatePem });
	const { user } = rig.sandbox.demo;
	const requestedJobs: string[] = [];
	rig.sandbox.world.phone.on('item', (item) => {
		if (item.kind !== 'scopeJob' || item.status !== 'waiting') return;
		requestedJobs.push(item.id);
		// The person approves the first request and leaves the second alone.
		if (requestedJobs.length === 1) void rig.approve(item.id);
	});
	const subject = user.fingerprint;
	const fingerprint = "={{ $('Register').item.json.fingerprint }}";

	const done = await rig.runSequence([
		node('Register', 'key', 'register'),
		node('Check', 'key', 'check', { fingerprint }),
		node('Ask', 'scopeJob', 'issue', {
			subject,
			scopes: { entries: [{ name: 'email', required: true }, { name: 'profile' }] },
		}),
		node('Wait', 'scopeJob', 'waitUntilFinished', {
			job: "={{ $('Ask').item.json.id }}",
			expectedSubject: "={{ $('Ask').item.json.subject }}",
			waitLimit: 20,
			options: { checkEvery: 1 },
		}),
		node('Log In', 'login', 'complete', { callback: 'https://app.example.com/callback' }),
		node('Ask Again', 'scopeJob', 'issue', { subject }),
		node('Cancel', 'scopeJob', 'cancel', { job: "={{ $('Ask Again').item.json.id }}" }),
		node('See', 'scopeJob', 'get', { job: "={{ $('Ask Again').item.json.id }}" }),
		node('Revoke', 'key', 'revoke', {
			fingerprint,
			secret: "={{ $('Register').item.json.secret }}",
		}),
		node('Check Again', 'key', 'check', { fingerprint }),
	]);

	expect(done.error).toBeUndefined();
	const getOutput = (name: string) => done.json(name)[0]!;
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
