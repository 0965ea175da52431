// Protects tests of one-time codes: with force, the sandbox accepts a code once, in time, and only for its user and action.
import { failure, seededUserIds, useTwoFactor } from './twoFactor.fixture';

const client = useTwoFactor();

const phone = '+12025550100';
const MINUTE_MS = 60_000;
const verify = (code: string, id: number, query = '?force=true') =>
	client.get(`/protected/json/verify/${code}/${id}${query}`);
const readLastCode = () => client.listMessages(phone).at(-1)!.code;
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 10_000_000).padStart(7, '0');

describe.each(['sms', 'call'])('the operation that sends by %s', (via) => {
	const send = (id: number | string, query = '') =>
		client.get(`/protected/json/${via}/${id}${query}`);

	it('sends a code that the verify operation accepts', async () => {
		const id = await client.createUser();
		const { status, data } = await send(id);
		expect(status).toBe(200);
		expect(data).toEqual({
			message: expect.stringMatching(/\S/) as string,
			cellphone: '+1-XXX-XXX-XX00',
			success: true,
		});
		const [message] = client.listMessages(phone);
		expect(message).toMatchObject({ kind: via, code: expect.stringMatching(/^\d{7}$/) as string });
		expect(message!.text).toContain(message!.code);
		expect((await verify(message!.code, id)).status).toBe(200);
	});

	it('sends the same code again for ten minutes, and then a new one', async () => {
		const id = await client.createUser();
		await send(id);
		client.sandbox.clock.advance(9 * MINUTE_MS);
		await send(id);
		client.sandbox.clock.advance(2 * MINUTE_MS);
		await send(id);
		const codes = client.listMessages(phone).map(({ code }) => code);
		expect(codes[1]).toBe(codes[0]);
		expect(codes[2]).not.toBe(codes[0]);
	});

	it('sends nothing to users of the app unless force is set', async () => {
		const { status, data } = await send(seededUserIds.withApp);
		expect(status).toBe(200);
		expect(data).toEqual({
			message: expect.stringMatching(/ignored/i) as string,
			cellphone: '+1-XXX-XXX-XX44',
			device: 'android',
			ignored: true,
			success: true,
		});
		expect(client.listMessages('+12025550144')).toEqual([]);
		const forced = await send(seededUserIds.withApp, '?force=true');
		expect(forced.data).not.toHaveProperty('ignored');
		expect(client.listMessages('+12025550144')).toHaveLength(1);
	});

	it('names the purpose of the code, in the requested language', async () => {
		const id = await client.createUser();
		await send(id, '?action=login&action_message=Speaker%20portal&locale=de');
		const { text, code } = client.listMessages(phone)[0]!;
		expect(text).toBe(`Speaker portal: Ihr Gatehouse-Code lautet ${code}.`);
	});

	it('fails for unknown users and invalid parameters', async () => {
		const unknown = await send(999999);
		expect([unknown.status, unknown.data]).toEqual([404, failure('60026')]);
		for (const query of ['?force=perhaps', '?locale=1', '?unknown=1']) {
			const { status, data } = await send(seededUserIds.plain, query);
			expect([status, data]).toEqual([400, failure('60004')]);
		}
	});

	it('fails for a number that is not provisioned', async () => {
		const id = await client.createUser('202-555-0183');
		const { status, data } = await send(id);
		expect([status, data]).toEqual([403, failure('60083')]);
	});
});

describe('a landline', () => {
	it('can be called but receives no SMS', async () => {
		const id = await client.createUser('202-555-0182');
		const sms = await client.get(`/protected/json/sms/${id}`);
		expect([sms.status, sms.data]).toEqual([403, failure('60082')]);
		expect((await client.get(`/protected/json/call/${id}`)).status).toBe(200);
	});
});

describe('the verify operation', () => {
	it('accepts a right code once, which confirms the user', async () => {
		const id = await client.createUser();
		await client.get(`/protected/json/sms/${id}`);
		const { status, data } = await verify(readLastCode(), id);
		expect(status).toBe(200);
		expect(data).toEqual({
			message: expect.stringMatching(/\S/) as string,
			token: 'is valid',
			success: 'true',
			device: {},
		});
		const secondResponse = await verify(readLastCode(), id);
		expect([secondResponse.status, secondResponse.data]).toEqual([401, failure('60019')]);
		expect(secondResponse.data.token).toBe('is invalid');
		const { data: user } = await client.get(`/protected/json/users/${id}/status`);
		expect(user.status).toMatchObject({ confirmed: true });
	});

	it('rejects a wrong code and an expired one', async () => {
		const id = await client.createUser();
		await client.get(`/protected/json/sms/${id}`);
		const wrongResponse = await verify(wrongCodeFor(readLastCode()), id);
		expect([wrongResponse.status, wrongResponse.data]).toEqual([401, failure('60020')]);
		client.sandbox.clock.advance(10 * MINUTE_MS + 1);
		const expiredResponse = await verify(readLastCode(), id);
		expect([expiredResponse.status, expiredResponse.data]).toEqual([401, failure('60020')]);
	});

	it('accepts any code without force until the user has confirmed one', async () => {
		const id = await client.createUser();
		expect((await verify('0000000', id, '')).data).toMatchObject({ token: 'is valid' });
		expect((await verify('0000000', id, '?force=false')).status).toBe(200);
		expect((await verify('0000000', id)).data).toEqual(failure('60020'));
		await client.get(`/protected/json/sms/${id}`);
		await verify(readLastCode(), id);
		expect((await verify('0000000', id, '')).data).toEqual(failure('60020'));
	});

	it('accepts a code of the authenticator app, once', async () => {
		const code = await client.computeAppCode(seededUserIds.withApp);
		const { status, data } = await verify(code, seededUserIds.withApp);
		expect(status).toBe(200);
		expect(data.device).toMatchObject({ os_type: 'android' });
		expect((await verify(code, seededUserIds.withApp)).data).toEqual(failure('60019'));
		const nextCode = await client.computeAppCode(seededUserIds.withApp, 1);
		expect((await verify(nextCode, seededUserIds.withApp)).status).toBe(200);
	});

	it('rejects an old code of the app and a code of another user', async () => {
		const oldCode = await client.computeAppCode(seededUserIds.withApp, -4);
		expect((await verify(oldCode, seededUserIds.withApp)).data).toEqual(failure('60020'));
		const foreignCode = await client.computeAppCode(seededUserIds.plain);
		expect((await verify(foreignCode, seededUserIds.withApp)).data).toEqual(failure('60020'));
	});

	it('accepts a code only for its action', async () => {
		const id = await client.createUser();
		await client.get(`/protected/json/sms/${id}?action=transfer`);
		const code = readLastCode();
		expect((await verify(code, id)).data).toEqual(failure('60020'));
		expect((await verify(code, id, '?force=true&action=login')).data).toEqual(failure('60020'));
		const appCode = await client.computeAppCode(id);
		expect((await verify(appCode, id, '?force=true&action=transfer')).data).toEqual(
			failure('60020'),
		);
		expect((await verify(code, id, '?force=true&action=transfer')).status).toBe(200);
		expect((await verify(code, id, '?force=true&action=transfer')).data).toEqual(failure('60019'));
	});

	it('fails for unknown users and invalid codes', async () => {
		const unknown = await verify('1234567', 999999);
		expect([unknown.status, unknown.data]).toEqual([404, failure('60026')]);
		const malformed = await verify('letters', seededUserIds.plain);
		expect([malformed.status, malformed.data]).toEqual([400, failure('60004')]);
	});

	it('keeps codes out of the request log', async () => {
		await verify('7654321', seededUserIds.plain);
		expect(JSON.stringify(client.sandbox.requestLog.entries())).not.toContain('7654321');
	});
});

describe('the control actions', () => {
	it('return the code that the app of a phone shows', async () => {
		const { phone: number } = client.sandbox.demo.user;
		const { data } = await client.control('tokens', { phone: number });
		const [token, ...others] = data as unknown as Array<{ code: string; secondsLeft: number }>;
		expect(others).toEqual([]);
		expect(token).toMatchObject({ twofactor_id: seededUserIds.plain });
		expect(token!.secondsLeft).toBeGreaterThan(0);
		expect(token!.secondsLeft).toBeLessThanOrEqual(30);
		expect((await verify(token!.code, seededUserIds.plain)).status).toBe(200);
	});

	it('list the messages of one phone', async () => {
		const id = await client.createUser();
		await client.get(`/protected/json/sms/${id}`);
		await client.get(`/protected/json/call/${id}`);
		await client.get(`/protected/json/sms/${seededUserIds.plain}`);
		const { data } = await client.control('messages', { phone });
		const kinds = (data as unknown as Array<{ kind: string }>).map(({ kind }) => kind);
		expect(kinds).toEqual(['sms', 'call']);
		expect((await client.control('messages')).data).toHaveLength(3);
	});
});
