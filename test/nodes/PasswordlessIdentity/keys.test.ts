// Protects Register, Get, Check, Update and Replace: the issuer has the key as entered, and a lost secret is reported.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { newHolder, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { createEcKey, useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();

const newKey = deriveDemoKey('somebody new');
const registerKey: typeof rig.registerKey = async (name) => await rig.registerKey(name);

describe('Register', () => {
	it("registers the credential's own key and outputs fingerprint and secret, with a hint about the secret", async () => {
		rig.changeCredential({ privateKey: newKey.privatePem });
		const { outputItems, hints } = await rig.operate('key', 'register');
		expect(outputItems).toEqual([
			{
				fingerprint: newKey.fingerprint,
				secret: expect.stringMatching(/^.{8,}$/),
				status: 'registered',
			},
		]);
		expect(hints.map(({ message }) => message).join()).toMatch(/secret is shown only once/);
	});

	it.each<[string, object | undefined]>([
		['nothing', undefined],
		['no secret', { status: 'registered', sub: newKey.fingerprint }],
		['an empty secret', { status: 'registered', secret: ' ', sub: newKey.fingerprint }],
		['null for a secret', { status: 'registered', secret: null, sub: newKey.fingerprint }],
	])('adds a hint that the secret is lost if the issuer responds with %s', async (_, body) => {
		const server = await rig.startToy();
		server.respondWith((__, response) =>
			body ? sendJson(response, 201, body) : response.writeHead(201).end(),
		);
		rig.changeCredential({ baseUrl: server.url, privateKey: newKey.privatePem });
		const { outputItems, hints } = await rig.operate('key', 'register');
		expect(outputItems).toMatchObject([{ fingerprint: newKey.fingerprint, secretLost: true }]);
		const messages = hints.map(({ message }) => message);
		expect(messages.filter((message) => message.includes('revocation'))).toEqual([
			expect.stringMatching(
				/no revocation secret.*Check with Key: Check.*Revoke by Email and Phone/,
			),
		]);
		expect(server.requests).toHaveLength(1);
	});

	it('accepts a private key as JWK, and a device token', async () => {
		rig.changeCredential({ privateKey: JSON.stringify(newKey.privateJwk) });
		await rig.getOutput('key', 'register', { additionalClaims: { devtoken: 'push-1' } });
		const keys = rig.sandbox.control('passwordlessIdentity', 'keys') as Array<{
			fingerprint: string;
			devtoken?: string;
		}>;
		expect(keys.find(({ fingerprint }) => fingerprint === newKey.fingerprint)?.devtoken).toBe(
			'push-1',
		);
	});

	it('sends a token that was signed elsewhere unchanged', async () => {
		const holder = newHolder();
		const output = await rig.getOutput('key', 'register', {
			useToken: true,
			token: ` ${signToken({ sub: holder.fingerprint }, holder)}\n`,
		});
		expect(output).toMatchObject({ status: 'registered', fingerprint: holder.fingerprint });
	});

	it('needs no private key for a ready-made token', async () => {
		rig.changeCredential({ privateKey: '' });
		const holder = newHolder();
		const readyToken = { useToken: true, token: signToken({ sub: holder.fingerprint }, holder) };
		expect(await rig.getOutput('key', 'register', readyToken)).toMatchObject({
			status: 'registered',
		});
		expect((await rig.getError('key', 'register')).message).toMatch(/has no private key/);
	});

	it('registers keys of other algorithms under their thumbprint, with the public key', async () => {
		const { privateKey, fingerprint } = await createEcKey();
		rig.changeCredential({ privateKey, algorithm: 'ES256' });
		expect(await rig.getOutput('key', 'register')).toMatchObject({ fingerprint });
		expect(await rig.getOutput('key', 'get', { fingerprint })).toMatchObject({
			fingerprint,
			jwk: { kty: 'EC', crv: 'P-256' },
		});
	});

	it('fails with a message if the key is already registered', async () => {
		const { message, description, httpCode } = await rig.getError('key', 'register');
		expect(message).toBe('Identity issuer: This key is registered already (duplicate-key)');
		expect(description).toMatch(/use Update/);
		expect(httpCode).toBe('409');
	});

	it('fails with a message if the subject is not the signer', async () => {
		rig.changeCredential({ privateKey: newKey.privatePem });
		const { message } = await rig.getError('key', 'register', {
			subject: deriveDemoKey('another').fingerprint,
		});
		expect(message).toMatch(/auth-error/);
	});
});

describe('Get', () => {
	const getUserKey = async (options = {}) =>
		await rig.getOutput('key', 'get', { fingerprint: rig.sandbox.demo.user.fingerprint, options });

	it('outputs the record, requests it once within five minutes, and again on demand', async () => {
		const { fingerprint } = rig.sandbox.demo.user;
		expect(await getUserKey()).toEqual({
			fingerprint,
			status: 'registered',
			since: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		await getUserKey();
		expect(rig.count('getKey')).toBe(1);
		await getUserKey({ skipCache: true });
		expect(rig.count('getKey')).toBe(2);
	});

	it('fails with a message for an unknown key, and requests it again the next time', async () => {
		const { fingerprint } = deriveDemoKey('nobody');
		for (const requestCount of [1, 2]) {
			const { message, httpCode } = await rig.getError('key', 'get', { fingerprint });
			expect(message).toMatch(/unknown-key/);
			expect(httpCode).toBe('404');
			expect(rig.count('getKey')).toBe(requestCount);
		}
	});

	it('fails with a message for a cached key directly after Revoke', async () => {
		const { fingerprint, secret } = await registerKey();
		await rig.getOutput('key', 'get', { fingerprint });
		await rig.getOutput('key', 'revoke', { fingerprint, secret });
		const { message, httpCode } = await rig.getError('key', 'get', { fingerprint });
		expect(message).toMatch(/revoked-key/);
		expect(httpCode).toBe('410');
	});

	it('sends the request again after an incomplete response', async () => {
		const truncation = {
			service: 'passwordlessIdentity',
			operation: 'getKey',
			kind: 'truncate',
		} as const;
		rig.sandbox.faultRules.add({ ...truncation, times: 1 });
		expect(await getUserKey({ longestWait: 1 })).toMatchObject({ status: 'registered' });
		expect(rig.count('getKey')).toBe(2);
	});
});

describe('Check', () => {
	const checkKey = async (fingerprint: string) =>
		await rig.getOutput('key', 'check', { fingerprint });

	it('distinguishes registered, unknown and revoked keys', async () => {
		const { fingerprint, secret } = await registerKey();
		expect(await checkKey(fingerprint)).toEqual({ fingerprint, exists: true, revoked: false });
		await rig.getOutput('key', 'revoke', { fingerprint, secret });
		expect(await checkKey(fingerprint)).toEqual({ fingerprint, exists: false, revoked: true });
		const nobody = deriveDemoKey('nobody').fingerprint;
		expect(await checkKey(nobody)).toEqual({ fingerprint: nobody, exists: false, revoked: false });
	});

	it('fails for a web page with status 404 instead of reporting an unknown key', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) =>
			response.writeHead(404, { 'content-type': 'text/html' }).end(),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { httpCode } = await rig.getError('key', 'check', { fingerprint: newKey.fingerprint });
		expect(httpCode).toBe('404');
	});

	it('fails for a web page with status 200 instead of reporting a registered key', async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end(),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { message } = await rig.getError('key', 'check', { fingerprint: newKey.fingerprint });
		expect(message).toBe('The identity issuer answered with a web page (status 200)');
	});
});

describe.each(['update', 'replace'])('%s', (operation) => {
	it('changes the record and removes it from the cache', async () => {
		const { fingerprint } = await registerKey();
		await rig.getOutput('key', 'get', { fingerprint });
		const output = await rig.getOutput('key', operation, {
			fingerprint,
			additionalClaims: { devtoken: 'push-2' },
		});
		expect(output).toEqual({ fingerprint, status: 'confirmed' });
		await rig.getOutput('key', 'get', { fingerprint });
		expect(rig.count('getKey')).toBe(2);
		const keys = rig.sandbox.control('passwordlessIdentity', 'keys') as Array<
			Record<string, unknown>
		>;
		expect(keys.find((key) => key.fingerprint === fingerprint)?.devtoken).toBe('push-2');
	});

	it('accepts a ready-made token', async () => {
		const holder = newHolder();
		const signed = signToken({ sub: holder.fingerprint }, holder);
		await rig.getOutput('key', 'register', { useToken: true, token: signed });
		const parameters = { fingerprint: holder.fingerprint, useToken: true, token: signed };
		expect(await rig.getOutput('key', operation, parameters)).toMatchObject({
			status: 'confirmed',
		});
	});

	it('fails with a message if the key is unknown', async () => {
		rig.changeCredential({ privateKey: newKey.privatePem });
		const { message } = await rig.getError('key', operation, { fingerprint: newKey.fingerprint });
		expect(message).toMatch(/unknown-key/);
	});

	it('fails with a message if the key was revoked', async () => {
		const { fingerprint, secret } = await registerKey();
		await rig.getOutput('key', 'revoke', { fingerprint, secret });
		const { message } = await rig.getError('key', operation, { fingerprint });
		expect(message).toMatch(/revoked-key/);
	});

	it('fails with a message if the key belongs to someone else', async () => {
		const { fingerprint } = rig.sandbox.demo.user;
		const { message } = await rig.getError('key', operation, { fingerprint });
		expect(message).toMatch(/auth-error/);
	});
});

it('Update keeps fields that Replace removes', async () => {
	const { fingerprint } = await registerKey();
	const contact = { email: 'new@example.com', phone: '+12025550177' };
	await rig.getOutput('key', 'replace', { fingerprint, additionalClaims: contact });
	const readRecord = () =>
		(rig.sandbox.control('passwordlessIdentity', 'keys') as Array<Record<string, unknown>>).find(
			(key) => key.fingerprint === fingerprint,
		);
	await rig.getOutput('key', 'update', {
		fingerprint,
		additionalClaims: { devtoken: 'p', furtherClaims: '{"email": "newer@example.com"}' },
	});
	expect(readRecord()).toMatchObject({ ...contact, devtoken: 'p', email: 'newer@example.com' });
	await rig.getOutput('key', 'replace', { fingerprint });
	expect(readRecord()).not.toHaveProperty('email');
	expect(readRecord()).not.toHaveProperty('devtoken');
});

it('Replace fails with a message if an email address belongs to someone else', async () => {
	const { fingerprint } = await registerKey();
	const { message, httpCode } = await rig.getError('key', 'replace', {
		fingerprint,
		additionalClaims: { email: rig.sandbox.demo.user.email },
	});
	expect(message).toMatch(/duplicate-hash/);
	expect(httpCode).toBe('409');
});
