// Protects users with older two-factor clients: lenient mode serves their requests, strict mode rejects them.
import axios from 'axios';

import { startSandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';
import type { TwoFactorResponse } from './twoFactor.fixture';
import { failure, seededUserIds, TwoFactorClient } from './twoFactor.fixture';

let lenient: TwoFactorClient;
let strict: TwoFactorClient;
beforeAll(async () => {
	lenient = new TwoFactorClient(await startSandbox({ services: [twoFactor], strict: false }));
	strict = new TwoFactorClient(await startSandbox({ services: [twoFactor] }));
});
beforeEach(() => {
	lenient.sandbox.reset();
	strict.sandbox.reset();
});
afterEach(() => {
	expect(lenient.sandbox.internalErrors).toEqual([]);
	expect(strict.sandbox.internalErrors).toEqual([]);
});
afterAll(async () => {
	await lenient.sandbox.close();
	await strict.sandbox.close();
});

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
const sendForm = (client: TwoFactorClient, method: string, path: string, body: string) =>
	client.send(method, path, body, formHeaders);

const phoneFields = 'phone_number=202-555-0100&country_code=1';
const startPath = '/protected/json/phones/verification/start';
const checkPath = '/protected/json/phones/verification/check';
const statusPath = '/protected/json/phones/verification/status';
const infoPath = '/protected/json/phones/info';
const enrollPath = '/protected/json/users/new';
const approvalsPath = `/onetouch/json/users/${seededUserIds.plain}/approval_requests`;
const activityPath = `/protected/json/users/${seededUserIds.plain}/register_activity`;
const userFields =
	'user[email]=old%40example.com&user[cellphone]=202-555-0107&user[country_code]=1';

describe('a form-encoded body', () => {
	it('enrolls a user, with options in the query', async () => {
		const { status, data } = await sendForm(
			lenient,
			'POST',
			`${enrollPath}?send_install_link_via_sms=true`,
			userFields,
		);
		expect([status, data.user]).toEqual([200, { id: 100006 }]);
		expect(lenient.listMessages('+12025550107')).toHaveLength(1);
	});

	it('sends no link if the option is false', async () => {
		const body = `${userFields}&send_install_link_via_sms=false`;
		expect((await sendForm(lenient, 'POST', enrollPath, body)).status).toBe(200);
		expect(lenient.listMessages('+12025550107')).toEqual([]);
	});

	it('starts a phone verification, with numbers as text', async () => {
		const { status } = await sendForm(
			lenient,
			'POST',
			startPath,
			`${phoneFields}&via=sms&code_length=7`,
		);
		expect(status).toBe(200);
		expect(lenient.listMessages('+12025550100')[0]!.code).toMatch(/^\d{7}$/);
	});

	it('creates an approval request with details, hidden details and logos', async () => {
		const logos = [0, 1].map(
			(index) =>
				`logos[${index}][res]=${index ? 'low' : 'default'}` +
				`&logos[${index}][url]=https%3A%2F%2Fapp.example.com%2Fl.png`,
		);
		const body =
			'message=Open+the+gate%3F&details[Place]=Gate+%26+door&details[0]=1&hidden_details[a]=b' +
			`&${logos.join('&')}&seconds_to_expire=120`;
		const { status, data } = await sendForm(lenient, 'POST', approvalsPath, body);
		expect([status, data.success]).toEqual([200, true]);
		const { uuid } = data.approval_request as { uuid: string };
		const readResponse = await lenient.get(`/onetouch/json/approval_requests/${uuid}`);
		expect(readResponse.data.approval_request).toMatchObject({
			message: 'Open the gate?',
			details: { Place: 'Gate & door', 0: '1' },
			seconds_to_expire: 120,
		});
	});

	it('may contain the parameters of a GET request', async () => {
		await sendForm(lenient, 'POST', startPath, `${phoneFields}&custom_code=482913`);
		const wrong = await sendForm(
			lenient,
			'GET',
			checkPath,
			`${phoneFields}&verification_code=000000`,
		);
		expect([wrong.status, wrong.data]).toEqual([401, failure('60022')]);
		const checkResponse = await sendForm(
			lenient,
			'GET',
			checkPath,
			`${phoneFields}&verification_code=482913`,
		);
		expect([checkResponse.status, checkResponse.data.success]).toEqual([200, true]);
		expect(JSON.stringify(lenient.sandbox.requestLog.entries({}))).not.toContain('482913');
	});

	it.each([
		[enrollPath, 'user[email]=old%40example.com', '60027'],
		[enrollPath, 'user=Ada&user[email]', '60027'],
		[approvalsPath, 'message=Open&seconds_to_expire=soon', '60004'],
		[approvalsPath, 'message=Open&seconds_to_expire=-1', '60004'],
		[approvalsPath, '__proto__[message]=Open&constructor[prototype][message]=Open', '60004'],
		[startPath, 'phone_number=x&country_code=1', '60033'],
	])('is validated like a JSON body: %s %s', async (path, body, code) => {
		const { status, data } = await sendForm(lenient, 'POST', path, body);
		expect([status, data]).toEqual([400, failure(code)]);
	});

	it.each([
		['POST', enrollPath, userFields, 415],
		['POST', startPath, phoneFields, 415],
		['POST', approvalsPath, 'message=Open', 415],
		['GET', checkPath, `${phoneFields}&verification_code=482913`, 400],
	])('is rejected in strict mode: %s %s', async (method, path, body, expected) => {
		const recordsBefore = strict.sandbox.storedRecords('twoFactor');
		expect((await sendForm(strict, method, path, body)).status).toBe(expected);
		expect(strict.sandbox.storedRecords('twoFactor')).toEqual(recordsBefore);
	});
});

describe('the API key', () => {
	const path = `/protected/json/users/${seededUserIds.plain}/status`;
	const get = (
		client: TwoFactorClient,
		query: string,
		headers: object = {},
	): Promise<TwoFactorResponse> =>
		axios.get(`${client.sandbox.addresses.twoFactor}${path}${query}`, {
			headers: { ...headers },
			validateStatus: () => true,
		});
	const key = () => lenient.sandbox.demo.twoFactor.apiKey;

	it('may be in the query, and the request log does not show it', async () => {
		expect((await get(lenient, `?api_key=${key()}`)).status).toBe(200);
		const [entry] = lenient.sandbox.requestLog.entries({ operationId: 'getUserStatus' });
		expect(entry?.query).toEqual({ api_key: '…' });
	});

	it('may be in a header with the name of another provider', async () => {
		expect((await get(lenient, '', { 'X-Other-API-Key': key() })).status).toBe(200);
	});

	it.each([
		['?api_key=wrong', {}],
		['?api_key=a&api_key=b', {}],
		['', { 'X-Other-API-Key': 'wrong' }],
		['', {}],
	])('is rejected if it is missing or wrong: %j %j', async (query, headers) => {
		const { status, data } = await get(lenient, query, headers);
		expect([status, data]).toEqual([401, failure('60001')]);
	});

	it('in its own header takes precedence over the query', async () => {
		const { headerName } = lenient.sandbox.demo.twoFactor;
		const wrong = await get(lenient, `?api_key=${key()}`, { [headerName]: 'wrong' });
		expect(wrong.status).toBe(401);
	});

	it('must be in its own header in strict mode', async () => {
		expect((await get(strict, `?api_key=${key()}`)).status).toBe(401);
		expect((await get(strict, '', { 'X-Other-API-Key': key() })).status).toBe(401);
	});
});

describe('/users/delete/{id}', () => {
	const path = `/protected/json/users/delete/${seededUserIds.plain}`;

	it('deletes a user, with an empty form', async () => {
		const { status, data } = await sendForm(lenient, 'POST', path, '');
		expect([status, data.success]).toEqual([200, true]);
		const sms = await lenient.get(`/protected/json/sms/${seededUserIds.plain}`);
		expect(sms.data).toEqual(failure('60026'));
	});

	it('does not exist in strict mode', async () => {
		expect((await sendForm(strict, 'POST', path, '')).status).toBe(404);
		expect((await strict.get(`/protected/json/sms/${seededUserIds.plain}`)).status).toBe(200);
	});
});

describe('/phones/info', () => {
	it.each([
		['202-555-0100', { type: 'cellphone', provider: 'Sandbox Mobile' }],
		['202-555-0182', { type: 'landline', provider: 'Sandbox Landline' }],
	])('returns the type and provider of %s', async (phone, expected) => {
		const query = `?phone_number=${phone}&country_code=1&user_ip=203.0.113.7`;
		const { status, data } = await lenient.get(infoPath + query);
		expect([status, data]).toEqual([
			200,
			{
				...expected,
				ported: false,
				message: expect.stringMatching(
					/^Phone number information as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
				) as string,
				success: true,
			},
		]);
		expect((await sendForm(lenient, 'GET', infoPath, query.slice(1))).data).toMatchObject(expected);
	});

	it.each(['', '?phone_number=202-555-0100', '?phone_number=1&country_code=1'])(
		'rejects a query without a whole phone number: %j',
		async (query) => expect((await lenient.get(infoPath + query)).status).toBe(400),
	);
});

describe('/phones/verification/status', () => {
	const readVerification = async () => (await lenient.get(`${statusPath}?${phoneFields}`)).data;

	it('follows a verification from pending to verified', async () => {
		expect(await readVerification()).toEqual(failure('60023'));
		await sendForm(lenient, 'POST', startPath, `${phoneFields}&custom_code=482913`);
		lenient.sandbox.clock.advance(60_000);
		const { seconds_to_expire, ...pending } = await readVerification();
		expect(pending).toMatchObject({ status: 'pending', success: true });
		// At most 540 seconds are left: ten minutes less one. The test itself takes some real time.
		expect(seconds_to_expire).toBeGreaterThan(0);
		expect(seconds_to_expire).toBeLessThanOrEqual(540);
		await lenient.get(`${checkPath}?${phoneFields}&verification_code=000000`);
		expect(await readVerification()).toMatchObject({ status: 'pending' });
		await lenient.get(`${checkPath}?${phoneFields}&verification_code=482913`);
		expect(await readVerification()).toMatchObject({ status: 'verified', seconds_to_expire: 0 });
		await sendForm(lenient, 'POST', startPath, phoneFields);
		expect(await readVerification()).toMatchObject({ status: 'pending' });
	});

	it('returns expired after ten minutes, and no verification after a reset', async () => {
		await sendForm(lenient, 'POST', startPath, phoneFields);
		lenient.sandbox.clock.advance(600_000);
		expect(await readVerification()).toMatchObject({ status: 'expired', seconds_to_expire: 0 });
		lenient.sandbox.reset();
		expect(await readVerification()).toEqual(failure('60023'));
	});
});

describe('/register_activity', () => {
	const body = { type: 'password_reset', data: { reason: 'lost' }, user_ip: '203.0.113.7' };

	it('accepts an activity as JSON and as a form', async () => {
		const responses = [
			await lenient.send('POST', activityPath, body),
			await sendForm(lenient, 'POST', activityPath, 'type=banned&data[reason]=lost'),
		];
		for (const { status, data } of responses) {
			expect([status, data]).toEqual([200, { message: 'Activity was created.', success: true }]);
		}
	});

	it('rejects an unknown type and an unknown user', async () => {
		const unknownType = await lenient.send('POST', activityPath, { ...body, type: 'dancing' });
		expect([unknownType.status, unknownType.data]).toEqual([400, failure('60004')]);
		const unknownUserPath = '/protected/json/users/999999/register_activity';
		expect((await lenient.send('POST', unknownUserPath, body)).data).toEqual(failure('60026'));
	});
});

it.each([
	['GET', `${infoPath}?${phoneFields}`],
	['GET', `${statusPath}?${phoneFields}`],
	['POST', activityPath],
])('strict mode responds 404 to %s %s', async (method, path) => {
	const { status, data } = await strict.send(method, path);
	expect([status, data.error_code]).toEqual([404, '60000']);
});

it('fault rules apply to operations that are not in the contract', async () => {
	const { faultRules } = lenient.sandbox;
	faultRules.add({ service: 'twoFactor', operation: 'getPhoneInformation', kind: '503', times: 1 });
	expect((await lenient.get(`${infoPath}?${phoneFields}`)).status).toBe(503);
	expect((await lenient.get(`${infoPath}?${phoneFields}`)).status).toBe(200);
});
