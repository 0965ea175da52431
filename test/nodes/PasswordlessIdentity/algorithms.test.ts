import { fingerprintOf } from '../../../nodes/engine/token/jwt';
import { jwk, signRawToken, pem } from '../../engine/token/tokens';
import { keyPairFor } from '../../support/keyPairs';
import type { KeyOwner } from '../../support/keyPairs';
import { useIdentityRig } from './identityRig';

const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'ES512', 'PS256', 'RS256'];
const callback = 'https://app.example.com/login/callback';
const rig = useIdentityRig();

/** The key of the application or a person, made without the engine. */
async function keyOf(owner: KeyOwner, algorithm: string) {
	const { privateKey } = keyPairFor(algorithm, owner);
	const fingerprint = await fingerprintOf(jwk(privateKey));
	const text = pem(privateKey);
	return {
		fingerprint,
		text,
		sign: (claims: object) => signRawToken(privateKey, algorithm, claims),
	};
}

/** Registers a key of our own for an algorithm; the credential holds it from then on. */
async function registerApplication(algorithm: string) {
	const applicationKey = await keyOf('application', algorithm);
	rig.changeCredential({ privateKey: applicationKey.text, algorithm });
	expect(await rig.getOutput('key', 'register')).toMatchObject({
		fingerprint: applicationKey.fingerprint,
	});
	return applicationKey;
}

describe.each(ALGORITHMS)('with a credential for %s', (algorithm) => {
	it('a login is completed and its response verified with the key of the issuer', async () => {
		const { fingerprint } = await registerApplication(algorithm);
		expect(await rig.getOutput('login', 'complete', { callback })).toMatchObject({
			verified: true,
			subjectChecked: true,
			claims: { sub: fingerprint },
		});
	});

	it('a person with an Ed25519 key is verified', async () => {
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

it.each(ALGORITHMS)('a person with a key for %s is verified', async (algorithm) => {
	const person = await keyOf('Ada', algorithm);
	rig.changeCredential({ privateKey: person.text, algorithm });
	await rig.getOutput('key', 'register');
	rig.changeCredential({});
	const job = await rig.issueJob({ subject: person.fingerprint });
	const answer = person.sign({ sub: person.fingerprint, email: 'ada@example.com' });
	await rig.getOutput('scopeJob', 'updateStatus', { job, token: answer });
	const expectedSubject = person.fingerprint;
	expect(await rig.getOutput('scopeJob', 'get', { job, expectedSubject })).toMatchObject({
		verified: true,
		claims: { email: 'ada@example.com' },
	});
});

it('the algorithm of the credential does not apply to the keys of other people', async () => {
	// A token that our own algorithm would fit, of a person whose registered key is another.
	await registerApplication('ES256');
	const { user } = rig.sandbox.demo;
	const server = await rig.startToy();
	const forger = await keyOf('Mallory', 'ES256');
	server.respondWith(({ url }, response) => {
		const forged = forger.sign({ sub: user.fingerprint });
		const record = JSON.stringify({ sub: user.fingerprint, status: 'registered' });
		response.end(url.startsWith('/scope') ? forged : record);
	});
	rig.changeCredential({ privateKey: forger.text, algorithm: 'ES256', baseUrl: server.url });
	const { message } = await rig.getError('scopeJob', 'get', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		expectedSubject: user.fingerprint,
	});
	expect(message).toMatch(/has no public key, which ES256 needs/);
});
