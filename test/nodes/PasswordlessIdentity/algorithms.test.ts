// Protects logins and answers in every algorithm: a signature of the right key is verified, and a forged one is rejected.
import { fingerprintOf } from '../../../nodes/engine/token/jwt';
import { jwk, signRawToken, pem } from '../../engine/token/tokens';
import { keyPairFor } from '../../support/keyPairs';
import type { KeyOwner } from '../../support/keyPairs';
import { useIdentityRig } from './identityRig';

const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'ES512', 'PS256', 'RS256'];
const CALLBACK = 'https://app.example.com/login/callback';
const rig = useIdentityRig();

/** Creates the key of the application or a person without code of the engine. */
async function createKey(owner: KeyOwner, algorithm: string) {
	const { privateKey } = keyPairFor(algorithm, owner);
	const fingerprint = await fingerprintOf(jwk(privateKey));
	const privatePem = pem(privateKey);
	return {
		fingerprint,
		privatePem,
		sign: (claims: object) => signRawToken(privateKey, algorithm, claims),
	};
}

/** Registers a key for an algorithm, and puts it into the credential. */
async function registerApplication(algorithm: string) {
	const applicationKey = await createKey('application', algorithm);
	rig.changeCredential({ privateKey: applicationKey.privatePem, algorithm });
	expect(await rig.getOutput('key', 'register')).toMatchObject({
		fingerprint: applicationKey.fingerprint,
	});
	return applicationKey;
}

describe.each(ALGORITHMS)('with a credential for %s', (algorithm) => {
	it('a login is completed, and its response is verified with the key of the issuer', async () => {
		const { fingerprint } = await registerApplication(algorithm);
		expect(await rig.getOutput('login', 'complete', { callback: CALLBACK })).toMatchObject({
			verified: true,
			subjectChecked: true,
			claims: { sub: fingerprint },
		});
	});

	it('the answer of a person with an Ed25519 key is verified', async () => {
		await registerApplication(algorithm);
		const { user } = rig.sandbox.demo;
		const job = await rig.issueJob();
		await rig.approve(job);
		const expectedSubject = user.fingerprint;
		expect(await rig.getOutput('scopeJob', 'get', { job, expectedSubject })).toMatchObject({
			outcome: 'completed',
			verified: true,
			claims: { email: user.email },
		});
	});
});

it.each(ALGORITHMS)('the answer of a person with a key for %s is verified', async (algorithm) => {
	const person = await createKey('Ada', algorithm);
	rig.changeCredential({ privateKey: person.privatePem, algorithm });
	await rig.getOutput('key', 'register');
	rig.changeCredential({});
	const job = await rig.issueJob({ subject: person.fingerprint });
	const signedAnswer = person.sign({ sub: person.fingerprint, email: 'ada@example.com' });
	await rig.getOutput('scopeJob', 'updateStatus', { job, token: signedAnswer });
	const expectedSubject = person.fingerprint;
	expect(await rig.getOutput('scopeJob', 'get', { job, expectedSubject })).toMatchObject({
		verified: true,
		claims: { email: 'ada@example.com' },
	});
});

it('a forged answer in the algorithm of the credential is rejected', async () => {
	// The token is signed with the algorithm of the credential, but by another key than the person's.
	await registerApplication('ES256');
	const { user } = rig.sandbox.demo;
	const server = await rig.startToy();
	const forger = await createKey('Mallory', 'ES256');
	server.respondWith(({ url }, response) => {
		const forged = forger.sign({ sub: user.fingerprint });
		const record = JSON.stringify({ sub: user.fingerprint, status: 'registered' });
		response.end(url.startsWith('/scope') ? forged : record);
	});
	rig.changeCredential({ privateKey: forger.privatePem, algorithm: 'ES256', baseUrl: server.url });
	const { message } = await rig.getError('scopeJob', 'get', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		expectedSubject: user.fingerprint,
	});
	expect(message).toMatch(/has no public key, which ES256 needs/);
});
