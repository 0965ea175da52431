// Protects tests of keys: the sandbox changes or revokes a key only with the signature, secret or code of its holder.
import { calculateJwkThumbprint } from 'jose';
import { generateKeyPairSync, sign } from 'node:crypto';

import {
	importKeyOf,
	newHolder,
	problem,
	usePasswordlessIdentity,
	signToken,
} from './passwordlessIdentity.fixture';

const client = usePasswordlessIdentity();

const unknownFingerprint = newHolder().fingerprint;

describe('the register operation', () => {
	it('registers a key with a token that the key signed', async () => {
		const holder = newHolder();
		const { status, data } = await client.register(holder, { devtoken: 'device' });
		expect(status).toBe(201);
		expect(data).toEqual({
			status: 'registered',
			secret: expect.stringMatching(/^.{16,}$/) as string,
			sub: holder.fingerprint,
		});
		expect((await client.send('GET', `/key/${holder.fingerprint}`)).status).toBe(200);
	});

	it('rejects a key that is already registered', async () => {
		const holder = newHolder();
		await client.register(holder);
		const { status, data } = await client.register(holder);
		expect(status).toBe(409);
		expect(data).toEqual(problem(409, 'duplicate-key'));
	});

	it('rejects a token that another key signed', async () => {
		const body = signToken({ sub: newHolder().fingerprint }, newHolder());
		const { status, data } = await client.send('POST', '/key', body);
		expect(status).toBe(401);
		expect(data).toEqual(problem(401, 'auth-error'));
	});

	it.each([
		[
			'an unsigned token',
			() => signToken({ sub: unknownFingerprint }, newHolder(), { alg: 'none' }),
			401,
		],
		['a token without sub', () => signToken({}, newHolder()), 400],
		['a sub that is no fingerprint', () => signToken({ sub: 'short' }, newHolder()), 400],
		['something else than a token', () => 'hello', 400],
	])('rejects %s', async (_, body, expected) => {
		const { status, data } = await client.send('POST', '/key', body());
		expect(status).toBe(expected);
		expect(data).toEqual(problem(expected, expected === 400 ? 'bad-request' : 'auth-error'));
	});

	it('rejects a token that expired or is not yet valid, with a tolerance of half a minute', async () => {
		const holder = newHolder();
		const nowSeconds = Math.floor(Date.now() / 1000);
		expect((await client.register(holder, { exp: nowSeconds - 120 })).status).toBe(401);
		expect((await client.register(holder, { nbf: nowSeconds + 120 })).status).toBe(401);
		expect((await client.register(holder, { exp: nowSeconds - 30 })).status).toBe(201);
	});

	it('accepts a token that is valid in real time although the clock was moved', async () => {
		client.sandbox.clock.advance(24 * 3600 * 1000);
		const exp = Math.floor(Date.now() / 1000) + 60;
		expect((await client.register(newHolder(), { exp })).status).toBe(201);
	});

	it('accepts a key of another algorithm by its thumbprint, and the record contains the key', async () => {
		const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
		const jwk = publicKey.export({ format: 'jwk' });
		const sub = await calculateJwkThumbprint(jwk);
		const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
		const text = `${encodePart({ alg: 'ES256', jwk })}.${encodePart({ sub })}`;
		const signature = sign('sha256', Buffer.from(text), {
			key: privateKey,
			dsaEncoding: 'ieee-p1363',
		});
		const { status } = await client.send(
			'POST',
			'/key',
			`${text}.${signature.toString('base64url')}`,
		);
		expect(status).toBe(201);
		expect((await client.send('GET', `/key/${sub}`)).data.jwk).toEqual(jwk);
	});

	it('requires a token, not JSON', async () => {
		const { status, data } = await client.send(
			'POST',
			'/key',
			{ sub: unknownFingerprint },
			'application/json',
		);
		expect(status).toBe(415);
		expect(data).toEqual(problem(415, 'media-type'));
	});
});

describe('the get and check operations', () => {
	it('return the demo keys from the start', async () => {
		const { application, user } = client.sandbox.demo;
		for (const { fingerprint } of [application, user]) {
			const { status, data } = await client.send('GET', `/key/${fingerprint}`);
			expect(status).toBe(200);
			expect(data).toEqual({
				sub: fingerprint,
				status: 'registered',
				since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
			});
			const head = await client.send('HEAD', `/key/${fingerprint}`);
			expect([head.status, head.data]).toEqual([200, '']);
		}
	});

	it('respond 404 for an unknown key', async () => {
		const { status, data } = await client.send('GET', `/key/${unknownFingerprint}`);
		expect(status).toBe(404);
		expect(data).toEqual(problem(404, 'unknown-key'));
		expect((await client.send('HEAD', `/key/${unknownFingerprint}`)).status).toBe(404);
	});

	it('respond 410 for a revoked key', async () => {
		const holder = newHolder();
		const { data: registered } = await client.register(holder);
		await client.send('DELETE', `/key/${holder.fingerprint}?secret=${String(registered.secret)}`);
		const { status, data } = await client.send('GET', `/key/${holder.fingerprint}`);
		expect(status).toBe(410);
		expect(data).toEqual(problem(410, 'revoked-key'));
		expect((await client.send('HEAD', `/key/${holder.fingerprint}`)).status).toBe(410);
	});

	it('respond 400 for an invalid fingerprint', async () => {
		const { status, data } = await client.send('GET', '/key/short');
		expect(status).toBe(400);
		expect(data).toEqual(problem(400, 'bad-request'));
		expect((await client.send('HEAD', '/key/short')).status).toBe(400);
	});
});

describe.each([
	['update', 'POST'],
	['replace', 'PUT'],
])('the %s operation', (_, method) => {
	it('changes the record of the key that signed', async () => {
		const holder = newHolder();
		await client.register(holder);
		const claims = { sub: holder.fingerprint, email: 'new@example.com', phone: '+44 20 7946 0001' };
		const response = await client.send(
			method,
			`/key/${holder.fingerprint}`,
			signToken({ ...claims, devtoken: 'other' }, holder),
		);
		expect([response.status, response.data]).toEqual([200, { status: 'confirmed' }]);
		const revokePath = `email=new@example.com&phone=${encodeURIComponent('+442079460001')}`;
		expect((await client.send('DELETE', `/key?${revokePath}`)).data).toEqual({ status: 'pending' });
	});

	it('rejects an unknown key, a foreign signature and a foreign subject', async () => {
		const holder = newHolder();
		const path = `/key/${holder.fingerprint}`;
		const ownToken = signToken({ sub: holder.fingerprint }, holder);
		const before = await client.send(method, path, ownToken);
		expect([before.status, before.data]).toEqual([404, problem(404, 'unknown-key')]);
		await client.register(holder);
		const foreign = await client.send(
			method,
			path,
			signToken({ sub: holder.fingerprint }, newHolder()),
		);
		expect([foreign.status, foreign.data]).toEqual([401, problem(401, 'auth-error')]);
		const other = await client.send(method, path, signToken({ sub: unknownFingerprint }, holder));
		expect([other.status, other.data]).toEqual([401, problem(401, 'auth-error')]);
	});

	it('rejects a revoked key', async () => {
		const { user } = client.sandbox.demo;
		await client.send('DELETE', `/key/${user.fingerprint}?secret=demo-user-secret`);
		const body = signToken({ sub: user.fingerprint }, importKeyOf(user));
		expect((await client.send(method, `/key/${user.fingerprint}`, body)).status).toBe(410);
	});
});

describe('the replace operation', () => {
	it('rejects the email address or phone number of another key', async () => {
		const holder = newHolder();
		await client.register(holder);
		const { email, phone } = client.sandbox.demo.user;
		for (const contact of [{ email: email.toUpperCase() }, { phone }]) {
			const body = signToken({ sub: holder.fingerprint, ...contact }, holder);
			const response = await client.send('PUT', `/key/${holder.fingerprint}`, body);
			expect([response.status, response.data]).toEqual([409, problem(409, 'duplicate-hash')]);
		}
	});

	it('removes omitted fields, unlike update', async () => {
		const { user } = client.sandbox.demo;
		const query = `email=${user.email}&phone=${encodeURIComponent(user.phone)}`;
		const body = signToken({ sub: user.fingerprint, devtoken: 'new' }, importKeyOf(user));
		await client.send('POST', `/key/${user.fingerprint}`, body);
		expect((await client.send('DELETE', `/key?${query}`)).status).toBe(200);
		await client.send('PUT', `/key/${user.fingerprint}`, body);
		expect((await client.send('DELETE', `/key?${query}`)).status).toBe(404);
	});
});

describe('the revoke operation', () => {
	it('accepts the secret once', async () => {
		const holder = newHolder();
		const { data } = await client.register(holder);
		const path = `/key/${holder.fingerprint}?secret=${encodeURIComponent(String(data.secret))}`;
		const first = await client.send('DELETE', path);
		expect([first.status, first.data]).toEqual([200, { status: 'done' }]);
		const second = await client.send('DELETE', path);
		expect([second.status, second.data]).toEqual([410, problem(410, 'revoked-key')]);
		expect((await client.register(holder)).status).toBe(409);
	});

	it('rejects a wrong secret, a missing one and an unknown key', async () => {
		const { fingerprint } = client.sandbox.demo.user;
		const wrong = await client.send('DELETE', `/key/${fingerprint}?secret=guess`);
		expect([wrong.status, wrong.data]).toEqual([401, problem(401, 'auth-error')]);
		const missing = await client.send('DELETE', `/key/${fingerprint}`);
		expect([missing.status, missing.data]).toEqual([400, problem(400, 'bad-request')]);
		const none = await client.send('DELETE', `/key/${unknownFingerprint}?secret=guess`);
		expect([none.status, none.data]).toEqual([404, problem(404, 'unknown-key')]);
		expect((await client.send('GET', `/key/${fingerprint}`)).status).toBe(200);
	});
});

describe('the operation that revokes by email and phone', () => {
	const query = () => {
		const { email, phone } = client.sandbox.demo.user;
		return `/key?email=${encodeURIComponent(email)}&phone=${encodeURIComponent(phone)}`;
	};
	const readMails = () =>
		client.sandbox.world.phone.items({ email: client.sandbox.demo.user.email });

	it('mails a code, and revokes the key with this code', async () => {
		const first = await client.send('DELETE', query());
		expect([first.status, first.data]).toEqual([200, { status: 'pending' }]);
		const [mail] = readMails();
		expect(mail).toMatchObject({ kind: 'mail', code: expect.stringMatching(/^\d{6}$/) as string });
		const { code } = mail as { code: string };
		const second = await client.send('DELETE', `${query()}&code=${code}`);
		expect([second.status, second.data]).toEqual([200, { status: 'done' }]);
		const { fingerprint } = client.sandbox.demo.user;
		expect((await client.send('GET', `/key/${fingerprint}`)).status).toBe(410);
		expect((await client.send('DELETE', query())).status).toBe(404);
	});

	it('rejects a code before one was mailed, and a wrong code', async () => {
		const early = await client.send('DELETE', `${query()}&code=123456`);
		expect([early.status, early.data]).toEqual([409, problem(409, 'confirm-first')]);
		await client.send('DELETE', query());
		const wrong = await client.send('DELETE', `${query()}&code=wrong`);
		expect([wrong.status, wrong.data]).toEqual([401, problem(401, 'auth-error')]);
	});

	it('rejects the code after ten minutes', async () => {
		await client.send('DELETE', query());
		const { code } = readMails()[0] as { code: string };
		client.sandbox.clock.advance(10 * 60 * 1000 + 1);
		expect((await client.send('DELETE', `${query()}&code=${code}`)).status).toBe(409);
	});

	it('requires an email address and a phone number of the same key', async () => {
		const { email } = client.sandbox.demo.user;
		const path = `/key?email=${encodeURIComponent(email)}&phone=%2B4420794600`;
		const { status, data } = await client.send('DELETE', path);
		expect([status, data]).toEqual([404, problem(404, 'unknown-key')]);
		expect((await client.send('DELETE', `/key?email=${email}`)).status).toBe(400);
	});
});
