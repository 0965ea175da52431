// Protects tests of phone verifications: the sandbox accepts only the right code, once and in time, with the right key.
import { failure, seededUserIds, useTwoFactor } from './twoFactor.fixture';

const client = useTwoFactor();

const phone = '+12025550100';
const startVerification = (extraFields: object = {}) =>
	client.send('POST', '/protected/json/phones/verification/start', {
		phone_number: '202-555-0100',
		country_code: '1',
		...extraFields,
	});
const checkCode = (code: string, query = 'phone_number=2025550100&country_code=1') =>
	client.get(`/protected/json/phones/verification/check?${query}&verification_code=${code}`);
const readLastCode = () => client.listMessages(phone).at(-1)!.code;

describe('the start operation', () => {
	it.each(['sms', 'call'])('sends a code by %s', async (via) => {
		const { status, data } = await startVerification({ via });
		expect(status).toBe(200);
		expect(data).toEqual({
			message: expect.stringContaining('202-555-0100') as string,
			carrier: expect.stringMatching(/\S/) as string,
			is_cellphone: true,
			seconds_to_expire: expect.any(Number) as number,
			uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
			success: true,
		});
		expect(data.seconds_to_expire).toBeGreaterThan(540);
		expect(data.seconds_to_expire).toBeLessThanOrEqual(600);
		expect(client.listMessages(phone)).toEqual([expect.objectContaining({ kind: via })]);
	});

	it('sends the same code again within ten minutes, and then a new one', async () => {
		const first = await startVerification();
		client.sandbox.clock.advance(590_000);
		const second = await startVerification({ custom_code: '9999' });
		expect(second.data.uuid).toBe(first.data.uuid);
		expect(second.data.seconds_to_expire).toBeLessThanOrEqual(10);
		client.sandbox.clock.advance(10_001);
		const third = await startVerification({ code_length: 10 });
		expect(third.data.uuid).not.toBe(first.data.uuid);
		const codes = client.listMessages(phone).map(({ code }) => code);
		expect(codes[1]).toBe(codes[0]);
		expect(codes[0]).toMatch(/^\d{4}$/);
		expect(codes[2]).toMatch(/^\d{10}$/);
	});

	it('sends a custom code, in a chosen language', async () => {
		await startVerification({ custom_code: 'gate42', locale: 'fr' });
		expect(client.listMessages(phone)[0]!.text).toBe('Votre code Gatehouse est gate42.');
		expect((await checkCode('gate42')).status).toBe(200);
	});

	it.each([
		[{ phone_number: '1' }, '60033'],
		[{ phone_number: '1234' }, '60033'],
		[{ phone_number: 'call me' }, '60033'],
		[{ phone_number: undefined }, '60004'],
		[{ country_code: undefined }, '60004'],
		[{ via: 'pigeon' }, '60004'],
		[{ code_length: 3 }, '60004'],
		[{ code_length: 11 }, '60004'],
	])('rejects %j with the error %s', async (invalidFields, code) => {
		const { status, data } = await startVerification(invalidFields);
		expect([status, data]).toEqual([400, failure(code)]);
		expect(client.listMessages(phone)).toEqual([]);
	});

	it('rejects an SMS to a landline, and every message to a number that is not provisioned', async () => {
		const smsResponse = await startVerification({ phone_number: '2025550182' });
		expect([smsResponse.status, smsResponse.data]).toEqual([403, failure('60082')]);
		const callResponse = await startVerification({ phone_number: '2025550182', via: 'call' });
		expect(callResponse.data).toMatchObject({ success: true, is_cellphone: false });
		for (const via of ['sms', 'call']) {
			const { status, data } = await startVerification({ phone_number: '2025550183', via });
			expect([status, data]).toEqual([403, failure('60083')]);
		}
	});
});

describe('the check operation', () => {
	it('accepts the right code, once', async () => {
		await startVerification();
		const { status, data } = await checkCode(readLastCode());
		expect(status).toBe(200);
		expect(data).toEqual({ message: expect.stringMatching(/\S/) as string, success: true });
		const secondResponse = await checkCode(readLastCode());
		expect([secondResponse.status, secondResponse.data]).toEqual([404, failure('60023')]);
	});

	it('rejects a wrong code and allows another try', async () => {
		await startVerification({ custom_code: '1111' });
		const wrong = await checkCode('2222');
		expect([wrong.status, wrong.data]).toEqual([401, failure('60022')]);
		expect((await checkCode('1111')).status).toBe(200);
	});

	it('fails for a verification that never existed or has expired', async () => {
		const unknownResponse = await checkCode('1111');
		expect([unknownResponse.status, unknownResponse.data]).toEqual([404, failure('60023')]);
		await startVerification();
		client.sandbox.clock.advance(600_001);
		expect((await checkCode(readLastCode())).data).toEqual(failure('60023'));
	});

	it.each([
		['phone_number=1&country_code=1', '60033'],
		['phone_number=1234&country_code=1', '60033'],
		['country_code=1', '60004'],
		['phone_number=2025550100', '60004'],
	])('rejects the query %s with the error %s', async (query, code) => {
		const { status, data } = await checkCode('1111', query);
		expect([status, data]).toEqual([400, failure(code)]);
	});
});

describe('the two-factor service', () => {
	const requests: Array<[string, string, object | undefined]> = [
		['POST', '/protected/json/users/new', {}],
		['GET', `/protected/json/users/${seededUserIds.plain}/status`, undefined],
		['POST', `/protected/json/users/${seededUserIds.plain}/delete`, undefined],
		['GET', `/protected/json/sms/${seededUserIds.plain}`, undefined],
		['GET', `/protected/json/call/${seededUserIds.plain}`, undefined],
		['GET', `/protected/json/verify/1234567/${seededUserIds.plain}`, undefined],
		['POST', `/onetouch/json/users/${seededUserIds.plain}/approval_requests`, { message: 'ok' }],
		['GET', '/onetouch/json/approval_requests/x', undefined],
		['POST', '/protected/json/phones/verification/start', {}],
		['GET', '/protected/json/phones/verification/check', undefined],
		['GET', '/protected/json/app/details', undefined],
		['GET', '/protected/json/app/stats', undefined],
	];

	it.each(requests)(
		'requires the right key and an account that is not suspended: %s %s',
		async (method, path, body) => {
			for (const key of ['wrong', '']) {
				const { status, data } = await client.send(method, path, body, {
					'X-Twofactor-API-Key': key,
				});
				expect([status, data]).toEqual([401, failure('60001')]);
			}
			client.changeSettings({ suspended: true });
			const { status, data } = await client.send(method, path, body);
			expect([status, data]).toEqual([503, failure('60060')]);
			expect(client.listMessages(client.sandbox.demo.user.phone)).toEqual([]);
		},
	);

	it('accepts as many requests a minute as the setting allows', async () => {
		client.changeSettings({ requestsPerMinute: 2 });
		await client.get('/protected/json/app/details');
		await client.get('/protected/json/app/details');
		const { status, data, headers } = await client.get('/protected/json/app/details');
		expect([status, data]).toEqual([429, failure('60003')]);
		expect(Number(headers['retry-after'])).toBeGreaterThan(50);
		client.sandbox.clock.advance(60_000);
		expect((await client.get('/protected/json/app/details')).status).toBe(200);
	});

	it('returns success and IDs as strings if the settings say so', async () => {
		client.changeSettings({ successForm: 'string', idForm: 'string' });
		expect((await client.enroll('202-555-0100')).data).toMatchObject({
			user: { id: '100006' },
			success: 'true',
		});
		expect((await client.get('/protected/json/sms/999999')).data.success).toBe('false');
		const rejected = await client.send('GET', '/protected/json/app/stats', undefined, {
			'X-Twofactor-API-Key': 'wrong',
		});
		expect(rejected.data.success).toBe('false');
	});

	it('responds in its own error format when the core rejects or fails', async () => {
		const { faultRules } = client.sandbox;
		for (const [kind, status, code] of [
			['429', 429, '60003'],
			['500', 500, '60000'],
			['503', 503, '60000'],
		] as const) {
			faultRules.add({ service: 'twoFactor', kind, times: 1 });
			const response = await client.get('/protected/json/app/details');
			expect([response.status, response.data]).toEqual([status, failure(code)]);
		}
		const unknownPathResponse = await client.get('/nowhere');
		expect([unknownPathResponse.status, unknownPathResponse.data]).toEqual([404, failure('60000')]);
		const malformedResponse = await client.send('POST', '/protected/json/users/new', '{"user":');
		expect([malformedResponse.status, malformedResponse.data]).toEqual([400, failure('60004')]);
		const tooLargeResponse = await client.enroll('x'.repeat(2 * 1024 * 1024));
		expect([tooLargeResponse.status, tooLargeResponse.data]).toEqual([413, failure('60004')]);
	});
});
