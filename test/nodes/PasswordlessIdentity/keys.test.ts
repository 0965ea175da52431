import { demoKey } from '../../../sandbox/demo';
import { newHolder, token } from '../../sandbox/passwordlessIdentity.fixture';
import { json } from '../../support/toy';
import { ecKey, useIdentityHouse } from './identityHouse';
import { useHurry } from '../../support/hurry';

useHurry();

const house = useIdentityHouse();

const newKey = demoKey('somebody new');
const registered: typeof house.registered = async (name) => await house.registered(name);

describe('Register', () => {
	it("registers the credential's own key and puts out fingerprint and secret, with a hint", async () => {
		house.credential({ privateKey: newKey.privatePem });
		const { out, hints } = await house.op('key', 'register');
		expect(out).toEqual([
			{
				status: 'registered',
				secret: expect.stringMatching(/^.{8,}$/),
				sub: newKey.fingerprint,
				fingerprint: newKey.fingerprint,
			},
		]);
		expect(hints.map(({ message }) => message).join()).toMatch(/secret is shown only this once/);
	});

	it.each<[string, object | undefined]>([
		['nothing', undefined],
		['no secret', { status: 'registered', sub: newKey.fingerprint }],
		['an empty secret', { status: 'registered', secret: ' ', sub: newKey.fingerprint }],
		['null for a secret', { status: 'registered', secret: null, sub: newKey.fingerprint }],
	])('says that the secret is lost when the issuer answers with %s', async (_, body) => {
		const server = await house.toy();
		server.answer((__, response) =>
			body ? json(response, 201, body) : response.writeHead(201).end(),
		);
		house.credential({ baseUrl: server.url, privateKey: newKey.privatePem });
		const { out, hints } = await house.op('key', 'register');
		expect(out).toMatchObject([{ fingerprint: newKey.fingerprint, secretLost: true }]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/registered.*no revocation secret.*Revoke by Email and Phone/),
		]);
		expect(server.received).toHaveLength(1);
	});

	it('takes a private key as JWK, and a device token', async () => {
		house.credential({ privateKey: JSON.stringify(newKey.privateJwk) });
		await house.one('key', 'register', { additionalClaims: { devtoken: 'push-1' } });
		const keys = house.sandbox.control('passwordlessIdentity', 'keys') as Array<{
			fingerprint: string;
			devtoken?: string;
		}>;
		expect(keys.find(({ fingerprint }) => fingerprint === newKey.fingerprint)?.devtoken).toBe(
			'push-1',
		);
	});

	it('sends a token that was signed elsewhere as it is', async () => {
		const holder = newHolder();
		const out = await house.one('key', 'register', {
			useToken: true,
			token: ` ${token({ sub: holder.fingerprint }, holder)}\n`,
		});
		expect(out).toMatchObject({ status: 'registered', fingerprint: holder.fingerprint });
	});

	it('works with an empty private key if the token is ready-made', async () => {
		house.credential({ privateKey: '' });
		const holder = newHolder();
		const ready = { useToken: true, token: token({ sub: holder.fingerprint }, holder) };
		expect(await house.one('key', 'register', ready)).toMatchObject({ status: 'registered' });
		expect((await house.fail('key', 'register')).message).toMatch(/has no private key/);
	});

	it('registers keys of other algorithms under their thumbprint, with the public key', async () => {
		const { privateKey, fingerprint } = await ecKey();
		house.credential({ privateKey, algorithm: 'ES256' });
		expect(await house.one('key', 'register')).toMatchObject({ fingerprint });
		expect(await house.one('key', 'get', { fingerprint })).toMatchObject({
			sub: fingerprint,
			jwk: { kty: 'EC', crv: 'P-256' },
		});
	});

	it('says that a key is registered already', async () => {
		const { message, description, httpCode } = await house.fail('key', 'register');
		expect(message).toBe(
			'The identity issuer says: This key is registered already. (duplicate-key)',
		);
		expect(description).toMatch(/registered already/);
		expect(httpCode).toBe('409');
	});

	it('says that a subject other than the signer is refused', async () => {
		house.credential({ privateKey: newKey.privatePem });
		const { message } = await house.fail('key', 'register', {
			subject: demoKey('another').fingerprint,
		});
		expect(message).toMatch(/auth-error/);
	});
});

describe('Get', () => {
	const get = async (options = {}) =>
		await house.one('key', 'get', { fingerprint: house.sandbox.demo.user.fingerprint, options });

	it('gives the record, asks once within five minutes, and again if told so', async () => {
		const { fingerprint } = house.sandbox.demo.user;
		expect(await get()).toEqual({
			sub: fingerprint,
			status: 'registered',
			since: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		await get();
		expect(house.count('getKey')).toBe(1);
		await get({ skipCache: true });
		expect(house.count('getKey')).toBe(2);
	});

	it('says that a key is unknown, and remembers no such thing', async () => {
		const { fingerprint } = demoKey('nobody');
		for (const asked of [1, 2]) {
			const { message, httpCode } = await house.fail('key', 'get', { fingerprint });
			expect(message).toMatch(/unknown-key/);
			expect(httpCode).toBe('404');
			expect(house.count('getKey')).toBe(asked);
		}
	});

	it('says that a key was revoked, at once after this node revoked it', async () => {
		const { fingerprint, secret } = await registered();
		await house.one('key', 'get', { fingerprint });
		await house.one('key', 'revoke', { fingerprint, secret });
		const { message, httpCode } = await house.fail('key', 'get', { fingerprint });
		expect(message).toMatch(/revoked-key/);
		expect(httpCode).toBe('410');
	});

	it('tries again after half an answer', async () => {
		const half = {
			service: 'passwordlessIdentity',
			operation: 'getKey',
			kind: 'truncate',
		} as const;
		house.sandbox.weather.set({ ...half, times: 1 });
		expect(await get({ longestWait: 1 })).toMatchObject({ status: 'registered' });
		expect(house.count('getKey')).toBe(2);
	});
});

describe('Check', () => {
	const check = async (fingerprint: string) => await house.one('key', 'check', { fingerprint });

	it('tells a registered key from an unknown and a revoked one', async () => {
		const { fingerprint, secret } = await registered();
		expect(await check(fingerprint)).toEqual({ fingerprint, exists: true, revoked: false });
		await house.one('key', 'revoke', { fingerprint, secret });
		expect(await check(fingerprint)).toEqual({ fingerprint, exists: false, revoked: true });
		const nobody = demoKey('nobody').fingerprint;
		expect(await check(nobody)).toEqual({ fingerprint: nobody, exists: false, revoked: false });
	});

	it('does not take the page of another server for a no', async () => {
		const server = await house.toy();
		server.answer((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end());
		house.credential({ baseUrl: server.url });
		const { httpCode } = await house.fail('key', 'check', { fingerprint: newKey.fingerprint });
		expect(httpCode).toBe('404');
	});

	it('does not take the page of another server for a yes', async () => {
		const server = await house.toy();
		server.answer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end());
		house.credential({ baseUrl: server.url });
		const { message } = await house.fail('key', 'check', { fingerprint: newKey.fingerprint });
		expect(message).toBe('The identity issuer answered with a web page (status 200)');
	});
});

describe.each(['update', 'replace'])('%s', (operation) => {
	it('changes the record and forgets what was known of it', async () => {
		const { fingerprint } = await registered();
		await house.one('key', 'get', { fingerprint });
		const out = await house.one('key', operation, {
			fingerprint,
			additionalClaims: { devtoken: 'push-2' },
		});
		expect(out).toEqual({ fingerprint, status: 'confirmed' });
		await house.one('key', 'get', { fingerprint });
		expect(house.count('getKey')).toBe(2);
		const keys = house.sandbox.control('passwordlessIdentity', 'keys') as Array<
			Record<string, unknown>
		>;
		expect(keys.find((key) => key.fingerprint === fingerprint)?.devtoken).toBe('push-2');
	});

	it('takes a ready-made token', async () => {
		const holder = newHolder();
		const signed = token({ sub: holder.fingerprint }, holder);
		await house.one('key', 'register', { useToken: true, token: signed });
		const parameters = { fingerprint: holder.fingerprint, useToken: true, token: signed };
		expect(await house.one('key', operation, parameters)).toMatchObject({ status: 'confirmed' });
	});

	it('says that the key is unknown', async () => {
		house.credential({ privateKey: newKey.privatePem });
		const { message } = await house.fail('key', operation, { fingerprint: newKey.fingerprint });
		expect(message).toMatch(/unknown-key/);
	});

	it('says that the key was revoked', async () => {
		const { fingerprint, secret } = await registered();
		await house.one('key', 'revoke', { fingerprint, secret });
		const { message } = await house.fail('key', operation, { fingerprint });
		expect(message).toMatch(/revoked-key/);
	});

	it("says that somebody else's key is not ours to change", async () => {
		const { fingerprint } = house.sandbox.demo.user;
		const { message } = await house.fail('key', operation, { fingerprint });
		expect(message).toMatch(/auth-error/);
	});
});

it('Update keeps what Replace removes', async () => {
	const { fingerprint } = await registered();
	const contact = { email: 'new@example.com', phone: '+12025550177' };
	await house.one('key', 'replace', { fingerprint, additionalClaims: contact });
	const record = () =>
		(house.sandbox.control('passwordlessIdentity', 'keys') as Array<Record<string, unknown>>).find(
			(key) => key.fingerprint === fingerprint,
		);
	await house.one('key', 'update', {
		fingerprint,
		additionalClaims: { devtoken: 'p', furtherClaims: '{"email": "newer@example.com"}' },
	});
	expect(record()).toMatchObject({ ...contact, devtoken: 'p', email: 'newer@example.com' });
	await house.one('key', 'replace', { fingerprint });
	expect(record()).not.toHaveProperty('email');
	expect(record()).not.toHaveProperty('devtoken');
});

it("Replace says that an email address is somebody else's", async () => {
	const { fingerprint } = await registered();
	const { message, httpCode } = await house.fail('key', 'replace', {
		fingerprint,
		additionalClaims: { email: house.sandbox.demo.user.email },
	});
	expect(message).toMatch(/duplicate-hash/);
	expect(httpCode).toBe('409');
});
