// Protects tests of two-factor users: the sandbox has one ID for each phone, and deletes a user only after a day.
import { failure, seededUserIds, useTwoFactor } from './twoFactor.fixture';

const client = useTwoFactor();

const readStatus = (id: number | string) => client.get(`/protected/json/users/${id}/status`);
const deleteUser = (id: number, body?: object) =>
	client.send('POST', `/protected/json/users/${id}/delete`, body);
const DAY_MS = 24 * 3600 * 1000;

describe('the enroll operation', () => {
	it('returns an ID, and the same ID for the same phone', async () => {
		const { status: code, data } = await client.enroll('202-555-0100');
		expect(code).toBe(200);
		expect(data).toEqual({
			user: { id: 100006 },
			message: expect.stringMatching(/\S/) as string,
			success: true,
		});
		expect((await client.enroll('(202) 555 0100')).data).toEqual(data);
		expect((await client.enroll('202-555-0101')).data.user).toEqual({ id: 100007 });
		expect((await client.enroll('202-555-0100', {}, { country_code: '44' })).data.user).toEqual({
			id: 100008,
		});
	});

	it('returns the ID of the demo user, who exists from the start', async () => {
		const { phoneNumber, countryCode } = client.sandbox.demo.user;
		const { data } = await client.enroll(phoneNumber, {}, { country_code: countryCode });
		expect(data.user).toEqual({ id: seededUserIds.plain });
	});

	it('sends a link to the app if requested, but not to a landline', async () => {
		await client.enroll('202-555-0100');
		expect(client.listMessages('+12025550100')).toEqual([]);
		await client.enroll('202-555-0100', { send_install_link_via_sms: true });
		expect(client.listMessages('+12025550100')).toEqual([expect.objectContaining({ kind: 'sms' })]);
		const landline = await client.enroll('202-555-0182', { send_install_link_via_sms: true });
		expect([landline.status, landline.data]).toEqual([403, failure('60082')]);
	});

	it.each([
		[{ email: 'nobody' }, { email: 'is invalid' }],
		[{ email: undefined }, { email: 'is missing' }],
		[{ cellphone: 'phone' }, { cellphone: 'is invalid' }],
		[{ cellphone: '1234' }, { cellphone: 'is invalid' }],
		[{ country_code: '+1' }, { country_code: 'is invalid' }],
	])('rejects a user with %j', async (user, errors) => {
		const { status: code, data } = await client.enroll('202-555-0100', {}, user);
		expect([code, data]).toEqual([400, failure('60027')]);
		expect(data.errors).toMatchObject(errors);
	});
});

describe('the status operation', () => {
	it('returns the known data of a user, with the phone number masked', async () => {
		const id = await client.createUser('202-555-0199');
		const { status: code, data } = await readStatus(id);
		expect(code).toBe(200);
		expect(data).toEqual({
			status: {
				twofactor_id: id,
				confirmed: false,
				registered: false,
				country_code: 1,
				phone_number: 'XXX-XXX-0199',
				devices: [],
				has_hard_token: false,
				account_disabled: false,
			},
			message: expect.stringMatching(/\S/) as string,
			success: true,
		});
		expect((await readStatus(seededUserIds.withApp)).data.status).toMatchObject({
			confirmed: true,
			registered: true,
			devices: ['android'],
		});
	});

	it('shows whether the app is installed', async () => {
		await client.control('installApp', { twofactor_id: seededUserIds.plain, device: 'ios' });
		const installed = (await readStatus(seededUserIds.plain)).data.status;
		expect(installed).toMatchObject({ registered: true, devices: ['ios'] });
		await client.control('removeApp', { phone: client.sandbox.demo.user.phone });
		expect((await readStatus(seededUserIds.plain)).data.status).toMatchObject({
			registered: false,
		});
		expect((await client.control('installApp', {})).status).toBe(400);
	});

	it('responds 404 for unknown users and 400 for invalid IDs', async () => {
		const unknown = await readStatus(999999);
		expect([unknown.status, unknown.data]).toEqual([404, failure('60026')]);
		const malformed = await readStatus('somebody');
		expect([malformed.status, malformed.data]).toEqual([400, failure('60004')]);
	});
});

describe('the delete operation', () => {
	it('blocks the user at once and removes the user after a day', async () => {
		const id = await client.createUser();
		const { status: code, data } = await deleteUser(id, { user_ip: '203.0.113.7' });
		expect(code).toBe(200);
		expect(data).toEqual({ message: expect.stringMatching(/\S/) as string, success: true });
		expect((await client.get(`/protected/json/sms/${id}`)).data).toEqual(failure('60026'));
		expect((await client.get(`/protected/json/verify/1234567/${id}`)).data).toEqual(
			failure('60026'),
		);
		client.sandbox.clock.advance(DAY_MS - 60_000);
		expect((await readStatus(id)).status).toBe(200);
		client.sandbox.clock.advance(60_001);
		expect((await readStatus(id)).data).toEqual(failure('60026'));
		expect((await deleteUser(id)).data).toEqual(failure('60026'));
		expect(await client.createUser()).not.toBe(id);
	});

	it('is undone by enrolling the same phone within the day', async () => {
		const id = await client.createUser();
		await deleteUser(id);
		expect(await client.createUser()).toBe(id);
		client.sandbox.clock.advance(DAY_MS + 1);
		expect((await readStatus(id)).status).toBe(200);
	});

	it('rejects unknown users and unknown parameters', async () => {
		expect((await deleteUser(999999)).data).toEqual(failure('60026'));
		const invalidResponse = await deleteUser(seededUserIds.plain, { reason: 'none' });
		expect([invalidResponse.status, invalidResponse.data]).toEqual([400, failure('60004')]);
	});
});

describe('the application', () => {
	const readStats = async () => {
		const { data } = await client.get('/protected/json/app/stats');
		return data as unknown as { stats: Array<Record<string, unknown>>; total_users: number };
	};

	it('shows its details', async () => {
		const { status: code, data } = await client.get('/protected/json/app/details?user_ip=::1');
		expect(code).toBe(200);
		expect(data).toEqual({
			app: {
				app_id: expect.any(Number) as number,
				name: expect.stringMatching(/\S/) as string,
				plan: expect.stringMatching(/\S/) as string,
				sms_enabled: true,
				phone_calls_enabled: true,
				onetouch_enabled: true,
			},
			message: expect.stringMatching(/\S/) as string,
			success: true,
		});
		client.changeSettings({ pushEnabled: false });
		const detailsWithoutPush = await client.get('/protected/json/app/details');
		expect(detailsWithoutPush.data.app).toMatchObject({ onetouch_enabled: false });
		expect((await client.get('/protected/json/app/details?user_ip=here')).data).toEqual(
			failure('60004'),
		);
	});

	it('counts calls, messages, checks and users of a month', async () => {
		const statsBefore = await readStats();
		expect(statsBefore).toMatchObject({ count: 1, total_users: 5, success: true });
		expect(statsBefore.stats[0]).toMatchObject({
			api_calls_count: 1,
			sms_count: 0,
			users_count: 0,
		});
		const id = await client.createUser();
		await client.createUser();
		await client.get(`/protected/json/sms/${id}`);
		await client.get(`/protected/json/sms/${id}`);
		await client.get(`/protected/json/sms/${seededUserIds.withApp}`);
		await client.get(`/protected/json/call/${id}`);
		await client.get(`/protected/json/verify/0000000/${id}?force=true`);
		const { code } = client.listMessages('+12025550100')[0]!;
		await client.get(`/protected/json/verify/${code}/${id}?force=true`);
		await client.send('GET', '/protected/json/app/stats', undefined, {
			'X-Twofactor-API-Key': 'wrong',
		});
		const now = new Date(client.sandbox.clock.now());
		expect(await readStats()).toMatchObject({
			total_users: 6,
			stats: [
				{
					month: now.toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
					year: now.getUTCFullYear(),
					api_calls_count: 10,
					auths_count: 1,
					calls_count: 1,
					sms_count: 2,
					users_count: 1,
				},
			],
		});
	});

	it('starts a new row with a new month', async () => {
		await client.createUser();
		client.sandbox.clock.advance(31 * DAY_MS);
		const { stats: months } = await readStats();
		expect(months.length).toBeGreaterThanOrEqual(2);
		expect(months[0]).toMatchObject({ users_count: 1 });
		expect(months.at(-1)).toMatchObject({ users_count: 0, api_calls_count: 1 });
	});
});
