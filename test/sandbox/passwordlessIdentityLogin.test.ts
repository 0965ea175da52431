// Protects tests of logins: the sandbox completes a login only with a valid signature for the right audience.
import {
	claimsOf,
	importKeyOf,
	newHolder,
	problem,
	usePasswordlessIdentity,
	signToken,
	verifies,
} from './passwordlessIdentity.fixture';

const client = usePasswordlessIdentity();

const callback = 'https://app.example.com/login/callback';
const path = `/login?callback=${encodeURIComponent(callback)}`;

/** Sends a login of the demo user. By default the demo application signs the claims. */
const sendLogin = (changes: object = {}, signer = importKeyOf(client.sandbox.demo.application)) => {
	const { application, user } = client.sandbox.demo;
	const claims = { iss: application.fingerprint, sub: user.fingerprint, aud: callback, ...changes };
	return client.send('POST', path, signToken(claims, signer));
};

describe('the operation that completes a login', () => {
	it('responds with a token that the service’s registered key signed', async () => {
		const { status, data, headers } = await sendLogin();
		expect(status).toBe(200);
		expect(headers['content-type']).toMatch('application/jwt');
		const jwt = data as unknown as string;
		const claims = claimsOf(jwt);
		expect(claims).toMatchObject({
			sub: client.sandbox.demo.user.fingerprint,
			aud: callback,
			status: 'sent',
		});
		const signer = claims.iss as string;
		expect((await client.send('GET', `/key/${signer}`)).status).toBe(200);
		expect(verifies(jwt, signer)).toBe(true);
	});

	it('responds with a JSON status if the setting says so', async () => {
		client.sandbox.settings.passwordlessIdentity.loginAnswer = 'json';
		const { status, data } = await sendLogin();
		expect([status, data]).toEqual([200, { status: 'sent' }]);
	});

	it.each(['https://app.example.com', 'https://app.example.com/', 'app.example.com'])(
		'accepts the audience %s',
		async (aud) => {
			expect((await sendLogin({ aud })).status).toBe(200);
		},
	);

	it.each(['https://other.example.com', 'https://app.example.com/other', 'example.com'])(
		'rejects the audience %s',
		async (aud) => {
			const { status, data } = await sendLogin({ aud });
			expect([status, data]).toEqual([401, problem(401, 'aud-error')]);
		},
	);

	it("accepts the user's own signature", async () => {
		const { user } = client.sandbox.demo;
		expect((await sendLogin({ iss: user.fingerprint }, importKeyOf(user))).status).toBe(200);
	});

	it('rejects a foreign signature, an unknown subject and an expired token', async () => {
		const rejectedResponses = [
			await sendLogin({}, newHolder()),
			await sendLogin({ sub: newHolder().fingerprint }),
			await sendLogin({ exp: 1_000_000_000 }),
		];
		for (const { status, data } of rejectedResponses) {
			expect([status, data]).toEqual([401, problem(401, 'auth-error')]);
		}
	});

	it('rejects a token without audience or issuer, and a request without callback', async () => {
		const rejectedResponses = [
			await sendLogin({ aud: undefined }),
			await sendLogin({ iss: undefined }),
			await client.send('POST', '/login', 'a.b.c'),
			await client.send('POST', '/login?callback=nowhere', 'a.b.c'),
		];
		for (const { status, data } of rejectedResponses) {
			expect([status, data]).toEqual([400, problem(400, 'bad-request')]);
		}
	});
});

describe('the identity service', () => {
	it('responds in its own error format when the core rejects or fails', async () => {
		const { sandbox } = client;
		sandbox.faultRules.add({
			service: 'passwordlessIdentity',
			kind: '429',
			times: 1,
			retryAfter: 2,
		});
		const limitedResponse = await client.send('GET', `/key/${sandbox.demo.user.fingerprint}`);
		expect([limitedResponse.status, limitedResponse.data]).toEqual([
			429,
			problem(429, 'rate-limit'),
		]);
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '503', times: 1 });
		const unavailableResponse = await client.send('GET', `/key/${sandbox.demo.user.fingerprint}`);
		expect([unavailableResponse.status, unavailableResponse.data]).toEqual([
			503,
			problem(503, 'unavailable'),
		]);
		const unknownPathResponse = await client.send('GET', '/nowhere');
		expect([unknownPathResponse.status, unknownPathResponse.data]).toEqual([
			404,
			problem(404, 'unknown-path'),
		]);
		const tooLargeResponse = await client.send('POST', '/key', 'x'.repeat(2 * 1024 * 1024));
		expect([tooLargeResponse.status, tooLargeResponse.data]).toEqual([
			413,
			problem(413, 'too-large'),
		]);
	});

	it('rejects invalid settings', async () => {
		const putSettings = (body: object) =>
			client.send('PUT', '/../control/settings/passwordlessIdentity', body, 'application/json');
		expect((await putSettings({ scopeCompleted: 'token' })).status).toBe(200);
		expect((await putSettings({ scopeCompleted: 'smoke' })).status).toBe(400);
		expect((await putSettings({ scopeJobSeconds: 'long' })).status).toBe(400);
		expect(client.sandbox.settings.passwordlessIdentity.scopeCompleted).toBe('token');
	});
});
