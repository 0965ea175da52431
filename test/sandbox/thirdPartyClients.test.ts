// Protects users with third-party clients: the sandbox as users start it serves their requests, strict mode rejects them.
import { startSandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';
import { thingService, keyHeader } from './core.fixture';
import { failure, seededUserIds, TwoFactorClient } from './twoFactor.fixture';

let client: TwoFactorClient;
let strict: TwoFactorClient;
beforeAll(async () => {
	client = new TwoFactorClient(await startSandbox({ services: [twoFactor], strict: false }));
	strict = new TwoFactorClient(await startSandbox({ services: [twoFactor] }));
});
beforeEach(() => client.sandbox.reset());
afterEach(() => expect(client.sandbox.internalErrors).toEqual([]));
afterAll(async () => {
	await client.sandbox.close();
	await strict.sandbox.close();
});

const startPath = '/protected/json/phones/verification/start';
const phoneFields = { phone_number: '202-555-0100', country_code: '1' };

describe('a country code', () => {
	it('may be a number instead of a text in every request', async () => {
		for (const country_code of [1, '1']) {
			const { status: statusResponse, data } = await client.enroll(
				'202-555-0107',
				{},
				{ country_code },
			);
			expect([statusResponse, data.user]).toEqual([200, { id: 100006 }]);
		}
		for (const country_code of [44, '44']) {
			const { status } = await client.send('POST', startPath, { ...phoneFields, country_code });
			expect(status).toBe(200);
		}
		const codes = client.listMessages('+442025550100').map(({ code }) => code);
		expect(codes).toEqual([codes[0], codes[0]]);
	});

	it.each([0, -1, 1.5, 10_000, null, true, '+1', ''])(
		'is rejected if it is %j',
		async (country_code) => {
			const { status, data } = await client.enroll('202-555-0107', {}, { country_code });
			expect([status, data]).toEqual([400, failure('60027')]);
		},
	);
});

describe('an unknown parameter', () => {
	const approval = { message: 'Open the gate?', colour: 'red', logos: [] };
	const path = `/onetouch/json/users/${seededUserIds.plain}/approval_requests`;

	it('is ignored in bodies, at every depth, and in queries', async () => {
		const user = { country_code: '1', cellphone: '202-555-0107', email: 'a@b.example', age: 7 };
		const enrollResponse = await client.send('POST', '/protected/json/users/new', { user, api: 2 });
		expect(enrollResponse.status).toBe(200);
		const logos = [{ res: 'default', url: 'https://app.example.com/l.png', alt: 'Logo' }];
		expect((await client.send('POST', path, { ...approval, logos })).status).toBe(200);
		const status = await client.get(
			`/protected/json/users/${seededUserIds.plain}/status?api_key=1&v=2`,
		);
		expect(status.status).toBe(200);
	});

	it('does not hide other invalid parameters', async () => {
		const body = { ...approval, seconds_to_expire: -1 };
		const { status, data } = await client.send('POST', path, body);
		expect([status, data]).toEqual([400, failure('60004')]);
		expect(Object.keys(data.errors as object).sort()).toEqual(['message', 'seconds_to_expire']);
	});

	it('is rejected in strict mode', async () => {
		expect((await strict.send('POST', path, approval)).status).toBe(400);
		const status = await strict.get(`/protected/json/users/${seededUserIds.plain}/status?v=2`);
		expect(status.status).toBe(400);
	});

	it('is not stored', async () => {
		const sandbox = await startSandbox({ services: [thingService], strict: false });
		const headers = { ...keyHeader, 'content-type': 'application/json' };
		const body = '{"name":"a","x/y~z":1,"__proto__":{"size":3},"constructor":2}';
		const things = `${sandbox.addresses.passwordlessIdentity}/things`;
		const createResponse = await fetch(things, { method: 'POST', headers, body });
		expect([createResponse.status, await createResponse.json()]).toEqual([
			201,
			{ id: 2, name: 'a' },
		]);
		const listResponse = await fetch(`${things}?limit=5&colour=red`, { headers: keyHeader });
		expect(await listResponse.json()).toMatchObject({ query: { limit: 5 } });
		await sandbox.close();
	});
});

describe('/remove', () => {
	const remove = (client: TwoFactorClient, id: number, body?: object) =>
		client.send('POST', `/protected/json/users/${id}/remove`, body);

	it('deletes a user as /delete does', async () => {
		const { status, data } = await remove(client, seededUserIds.plain, { user_ip: '203.0.113.7' });
		expect([status, data.success]).toEqual([200, true]);
		const sms = await client.get(`/protected/json/sms/${seededUserIds.plain}`);
		expect(sms.data).toEqual(failure('60026'));
		expect((await remove(client, 999999)).data).toEqual(failure('60026'));
		expect((await client.get(`/protected/json/users/${seededUserIds.plain}/remove`)).status).toBe(
			405,
		);
		const [entry] = client.sandbox.requestLog.entries({ operationId: 'deleteUser' });
		expect(entry?.path).toMatch(/\/remove$/);
	});

	it('is not in the contract, so strict mode responds 404', async () => {
		const { status, data } = await remove(strict, seededUserIds.plain);
		expect([status, data.error_code]).toEqual([404, '60000']);
	});
});

describe('responses of the two-factor service', () => {
	it('say whether a user has a hard token and whether the account is disabled', async () => {
		const status = async () =>
			(await client.get(`/protected/json/users/${seededUserIds.plain}/status`)).data.status;
		expect(await status()).toMatchObject({ has_hard_token: false, account_disabled: false });
		await client.send('POST', `/protected/json/users/${seededUserIds.plain}/delete`);
		expect(await status()).toMatchObject({ has_hard_token: false, account_disabled: true });
	});

	it('contain IDs and names of application and user with an approval request', async () => {
		const { demo } = client.sandbox;
		const path = `/onetouch/json/users/${seededUserIds.plain}/approval_requests`;
		const { data } = await client.send('POST', path, { message: 'Open the gate?' });
		const { uuid } = data.approval_request as { uuid: string };
		const readApproval = async () => {
			const response = await client.get(`/onetouch/json/approval_requests/${uuid}`);
			return response.data.approval_request as Record<string, unknown>;
		};
		const details = (await client.get('/protected/json/app/details')).data.app as object;
		const { app_id, name } = details as Record<string, unknown>;
		const pendingApproval = await readApproval();
		expect(pendingApproval).toMatchObject({
			_app_name: name,
			_app_serial_id: app_id,
			_twofactor_id: seededUserIds.plain,
			_user_email: demo.user.email,
		});
		const opaqueIds = ['_id', 'app_id', 'user_id'].map((field) => pendingApproval[field]);
		for (const id of opaqueIds) expect(id).toMatch(/^[0-9a-f]{24}$/);
		expect(new Set(opaqueIds).size).toBe(3);
		await client.control('decide', { uuid, decision: 'approved' });
		expect(await readApproval()).toEqual({
			...pendingApproval,
			status: 'approved',
			processed_at: expect.any(String) as string,
			updated_at: expect.any(String) as string,
		});
		client.changeSettings({ idForm: 'string' });
		expect(await readApproval()).toMatchObject({ _twofactor_id: String(seededUserIds.plain) });
	});
});
