// Protects logins: only a token that the issuer signed about the right person completes one, and a plain status never does.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { jwk, signRawToken } from '../../engine/token/tokens';
import { claimsOf, importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { keyPairFor } from '../../support/keyPairs';
import { sendJson } from '../../support/toy';
import { useIdentityRig } from './identityRig';

const CALLBACK = 'https://app.example.com/login/callback';
const serviceKey = deriveDemoKey('identity service');
const rig = useIdentityRig();

const completeLogin = async (parameters = {}) =>
	await rig.getOutput('login', 'complete', { callback: CALLBACK, ...parameters });

it('Login verifies the signed response with the registered key of its issuer', async () => {
	const { application } = rig.sandbox.demo;
	const output = await completeLogin();
	expect(output).toEqual({
		outcome: 'completed',
		verified: true,
		subjectChecked: true,
		signerChecked: false,
		signer: serviceKey.fingerprint,
		claims: expect.objectContaining({
			sub: application.fingerprint,
			aud: CALLBACK,
			status: 'sent',
		}) as unknown,
		token: expect.stringMatching(/^eyJ/),
		key: { sub: serviceKey.fingerprint, status: 'registered', since: expect.any(String) },
	});
});

it('Login outputs a plain status as unverified', async () => {
	rig.changeSettings({ loginAnswer: 'json' });
	expect(await completeLogin()).toEqual({
		outcome: 'unverified',
		status: 'sent',
		verified: false,
		subjectChecked: false,
		reason: 'noToken',
		message: expect.stringMatching(/accepted the login, but sent no signed token/),
	});
});

it.each([
	['a status', { status: 'completed', verified: true, outcome: 'completed' }],
	['claims without a token', { sub: 'somebody', claims: { sub: 'somebody' }, state: 'completed' }],
	['an empty object', {}],
	['a malformed token', { token: 'a.b.c' }],
])('Login is not completed by %s', async (_, body) => {
	const server = await rig.startToy();
	server.respondWith((__, response) => sendJson(response, 200, body));
	rig.changeCredential({ baseUrl: server.url });
	const output = await completeLogin();
	expect(output).toMatchObject({ outcome: 'unverified', verified: false, reason: 'noToken' });
	expect(output).not.toHaveProperty('claims');
});

it('Login accepts the expected signer and rejects another one', async () => {
	const serviceAsSigner = { options: { expectedSigner: serviceKey.fingerprint } };
	expect(await completeLogin(serviceAsSigner)).toMatchObject({
		verified: true,
		signerChecked: true,
	});
	const { message } = await rig.getError('login', 'complete', {
		callback: CALLBACK,
		options: { expectedSigner: rig.sandbox.demo.user.fingerprint },
	});
	expect(message).toMatch(/signed by a different key/);
});

it('Login outputs claims as unverified if verification is off', async () => {
	const output = await completeLogin({ options: { verify: false } });
	expect(output).toEqual({
		outcome: 'unverified',
		verified: false,
		subjectChecked: false,
		unverifiedClaims: claimsOf(`${output.token}`),
		token: output.token,
	});
});

it('Login accepts a ready-made token of another person', async () => {
	const { user } = rig.sandbox.demo;
	const claims = { iss: user.fingerprint, sub: user.fingerprint, aud: 'app.example.com' };
	const readyToken = { useToken: true, token: signToken(claims, importKeyOf(user)) };
	expect(await completeLogin(readyToken)).toMatchObject({
		subjectChecked: true,
		claims: { sub: user.fingerprint },
	});
});

it('Login sends claims for subject, issuer, audience and times, by default or as chosen', async () => {
	const server = await rig.startToy();
	server.respondWith((_, response) => sendJson(response, 200, { status: 'sent' }));
	rig.changeCredential({ baseUrl: server.url });
	const { application, user } = rig.sandbox.demo;
	const startedAtSeconds = Math.floor(Date.now() / 1000);
	await completeLogin();
	await completeLogin({
		subject: user.fingerprint,
		audience: 'https://app.example.com',
		validFor: 60,
		additionalClaims: { notBefore: '2026-11-30T09:00:00Z' },
	});
	const [defaultClaims, chosenClaims] = server.requests.map(({ body }) => claimsOf(body));
	expect(server.requests[0]!.url).toBe(`/login?callback=${encodeURIComponent(CALLBACK)}`);
	expect(defaultClaims).toEqual({
		iss: application.fingerprint,
		sub: application.fingerprint,
		aud: CALLBACK,
		iat: expect.any(Number),
		exp: expect.any(Number),
	});
	const { iat, exp } = defaultClaims as { iat: number; exp: number };
	expect(iat).toBeGreaterThanOrEqual(startedAtSeconds);
	expect(exp - iat).toBeGreaterThanOrEqual(299);
	expect(exp - iat).toBeLessThanOrEqual(301);
	expect(chosenClaims).toMatchObject({
		sub: user.fingerprint,
		aud: 'https://app.example.com',
		nbf: Date.UTC(2026, 10, 30, 9) / 1000,
	});
});

it('Login fails with a message if the audience does not contain the callback', async () => {
	const { message, description, httpCode } = await rig.getError('login', 'complete', {
		callback: CALLBACK,
		audience: 'https://elsewhere.example',
	});
	expect(message).toMatch(/aud-error/);
	expect(description).toMatch(/Audience/);
	expect(httpCode).toBe('401');
});

it('Login fails with a message and sends one request if the issuer rejects the signature', async () => {
	rig.changeCredential({ privateKey: deriveDemoKey('stranger').privatePem });
	const { message, httpCode } = await rig.getError('login', 'complete', { callback: CALLBACK });
	expect(message).toMatch(/auth-error/);
	expect(httpCode).toBe('401');
	expect(rig.count('completeLogin')).toBe(1);
});

it('Login rejects a response about another person, and says that the login itself succeeded', async () => {
	const server = await rig.startToy();
	const other = rig.sandbox.demo.user.fingerprint;
	server.respondWith((_, response) => {
		const claims = { iss: serviceKey.fingerprint, sub: other };
		response.writeHead(200, { 'content-type': 'application/jwt' });
		response.end(signToken(claims, importKeyOf(serviceKey)));
	});
	rig.changeCredential({ baseUrl: server.url });
	const { message, description } = await rig.getError('login', 'complete', { callback: CALLBACK });
	expect(message).toMatch(/not from the person/);
	expect(description).toMatch(/accepted the login/);
	expect(server.requests).toHaveLength(1);
});

it('Login rejects a key record that mixes members of another key with the key of the expected signer', async () => {
	const server = await rig.startToy();
	const { privateKey } = keyPairFor('RS256');
	const { fingerprint } = serviceKey;
	server.respondWith((request, response) => {
		if (request.url.startsWith('/key/')) {
			const key = { ...jwk(privateKey), crv: 'Ed25519', x: fingerprint };
			return sendJson(response, 200, { sub: fingerprint, status: 'registered', jwk: key });
		}
		const sub = rig.sandbox.demo.application.fingerprint;
		response.writeHead(200, { 'content-type': 'application/jwt' });
		return response.end(signRawToken(privateKey, 'RS256', { iss: fingerprint, sub }));
	});
	rig.changeCredential({ baseUrl: server.url });
	const options = { expectedSigner: fingerprint };
	const { message } = await rig.getError('login', 'complete', { callback: CALLBACK, options });
	expect(message).toMatch(/mixes members of different types of keys/);
});
