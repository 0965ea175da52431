import { fingerprintOf } from '../../../nodes/engine/token/jwt';
import { jwk, make, pem } from '../../engine/jwtTokens';
import { pair } from '../../support/keyPairs';
import { useIdentityHouse } from './identityHouse';

const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'ES512', 'PS256', 'RS256'];
const callback = 'https://app.example.com/login/callback';
const house = useIdentityHouse();

/** The key of the application, a person or a forger, made without the engine. */
async function keyOf(who: string, algorithm: string) {
	const { privateKey } = pair(algorithm, who);
	const fingerprint = await fingerprintOf(jwk(privateKey));
	const text = pem(privateKey);
	return { fingerprint, text, sign: (claims: object) => make(privateKey, algorithm, claims) };
}

/** Registers a key of our own for an algorithm; the credential holds it from then on. */
async function application(algorithm: string) {
	const own = await keyOf('application', algorithm);
	house.credential({ privateKey: own.text, algorithm });
	expect(await house.one('key', 'register')).toMatchObject({ fingerprint: own.fingerprint });
	return own;
}

describe.each(ALGORITHMS)('with a credential for %s', (algorithm) => {
	it('a login is completed and its answer verified by the key of the issuer', async () => {
		const { fingerprint } = await application(algorithm);
		expect(await house.one('login', 'complete', { callback })).toMatchObject({
			verified: true,
			subjectChecked: true,
			claims: { sub: fingerprint },
		});
	});

	it('a person with an Ed25519 key is verified', async () => {
		await application(algorithm);
		const { user } = house.sandbox.demo;
		const job = await house.newJob();
		await house.approve(job);
		const expectedSubject = user.fingerprint;
		expect(await house.one('scopeJob', 'get', { job, expectedSubject })).toMatchObject({
			state: 'completed',
			verified: true,
			claims: { email: user.email },
		});
	});
});

it.each(ALGORITHMS)('a person with a key for %s is verified', async (algorithm) => {
	const person = await keyOf('person', algorithm);
	house.credential({ privateKey: person.text, algorithm });
	await house.one('key', 'register');
	house.credential({});
	const job = await house.newJob({ subject: person.fingerprint });
	const answer = person.sign({ sub: person.fingerprint, email: 'ada@example.com' });
	await house.one('scopeJob', 'updateStatus', { job, token: answer });
	const expectedSubject = person.fingerprint;
	expect(await house.one('scopeJob', 'get', { job, expectedSubject })).toMatchObject({
		verified: true,
		claims: { email: 'ada@example.com' },
	});
});

it("the credential's algorithm is of no use to somebody else's key", async () => {
	// A token that our own algorithm would fit, of a person whose registered key is another.
	await application('ES256');
	const { user } = house.sandbox.demo;
	const server = await house.toy();
	const forger = await keyOf('forger', 'ES256');
	server.answer(({ url }, response) => {
		const forged = forger.sign({ sub: user.fingerprint });
		const record = JSON.stringify({ sub: user.fingerprint, status: 'registered' });
		response.end(url.startsWith('/scope') ? forged : record);
	});
	house.credential({ privateKey: forger.text, algorithm: 'ES256', baseUrl: server.url });
	const { message } = await house.fail('scopeJob', 'get', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		expectedSubject: user.fingerprint,
	});
	expect(message).toMatch(/holds no public key, which ES256 needs/);
});
