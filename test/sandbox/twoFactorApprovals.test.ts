// Protects tests of approval requests: the sandbox shows them on the phone, keeps decisions, and lets requests expire.
import { failure, seededUserIds, useTwoFactor } from './twoFactor.fixture';

const client = useTwoFactor();

const sendApproval = (body: object, id = seededUserIds.plain) =>
	client.send('POST', `/onetouch/json/users/${id}/approval_requests`, body);
const createApproval = async (body: object = {}) => {
	const { data } = await sendApproval({ message: 'Open the gate?', ...body });
	return (data.approval_request as { uuid: string }).uuid;
};
const readApproval = async (uuid: string) => {
	const { data } = await client.get(`/onetouch/json/approval_requests/${uuid}`);
	return data.approval_request as Record<string, unknown>;
};
const readPhoneItems = () =>
	client.sandbox.world.phone.items({ phone: client.sandbox.demo.user.phone });

describe('the create operation', () => {
	it('shows the request on the phone', async () => {
		const { status, data } = await sendApproval({
			message: 'Open the gate?',
			details: { Place: 'North gate', Guests: '3' },
			hidden_details: { session: 'secret' },
			logos: [
				{ res: 'low', url: 'https://app.example.com/low.png' },
				{ res: 'default', url: 'https://app.example.com/logo.png' },
			],
			seconds_to_expire: 120,
		});
		expect(status).toBe(200);
		expect(data).toEqual({
			approval_request: { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
			success: true,
		});
		const [item, ...others] = readPhoneItems();
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			kind: 'approval',
			id: (data.approval_request as { uuid: string }).uuid,
			from: 'Gatehouse Sandbox',
			message: 'Open the gate?',
			details: { Place: 'North gate', Guests: '3' },
			logo: 'https://app.example.com/logo.png',
			status: 'pending',
		});
		expect(JSON.stringify(item)).not.toContain('secret');
	});

	it.each([
		{},
		{ message: '' },
		{ message: 'x'.repeat(145) },
		{ message: 'ok', seconds_to_expire: -1 },
		{ message: 'ok', logos: [{ res: 'huge', url: 'https://app.example.com/logo.png' }] },
		{ message: 'ok', details: { Guests: 3 } },
		{ message: 'ok', unknown: 1 },
	])('rejects the body %j', async (body) => {
		const { status, data } = await sendApproval(body);
		expect([status, data]).toEqual([400, failure('60004')]);
		expect(readPhoneItems()).toEqual([]);
	});

	it('accepts a message of 144 characters', async () => {
		expect((await sendApproval({ message: 'x'.repeat(144) })).status).toBe(200);
	});

	it('fails for unknown users, and if push is not enabled', async () => {
		const unknownUserResponse = await sendApproval({ message: 'ok' }, 999999);
		expect([unknownUserResponse.status, unknownUserResponse.data]).toEqual([404, failure('60026')]);
		client.changeSettings({ pushEnabled: false });
		const disabledResponse = await sendApproval({ message: 'ok' });
		expect([disabledResponse.status, disabledResponse.data]).toEqual([403, failure('60065')]);
	});
});

describe('the get operation', () => {
	it('returns all fields of a request', async () => {
		const uuid = await createApproval({ details: { Place: 'North gate' } });
		const now = new Date(client.sandbox.clock.now()).toISOString().slice(0, 16);
		expect(await readApproval(uuid)).toEqual({
			uuid,
			status: 'pending',
			message: 'Open the gate?',
			details: { Place: 'North gate' },
			twofactor_id: seededUserIds.plain,
			created_at: expect.stringContaining(now) as string,
			updated_at: expect.stringContaining(now) as string,
			processed_at: null,
			seconds_to_expire: 86400,
			notified: true,
			_id: expect.any(String) as string,
			_app_name: 'Gatehouse Sandbox',
			_app_serial_id: 4711,
			_twofactor_id: seededUserIds.plain,
			_user_email: client.sandbox.demo.user.email,
			app_id: expect.any(String) as string,
			user_id: expect.any(String) as string,
		});
	});

	it.each(['approved', 'denied'])(
		'returns the decision %s, also after the time limit',
		async (decision) => {
			const uuid = await createApproval({ seconds_to_expire: 60 });
			client.sandbox.clock.advance(12_000);
			const { data } = await client.control('decide', { uuid, decision });
			expect(data).toEqual({ uuid, status: decision });
			const request = await readApproval(uuid);
			expect(request.status).toBe(decision);
			const waitedMs =
				Date.parse(request.processed_at as string) - Date.parse(request.created_at as string);
			expect(waitedMs).toBeGreaterThanOrEqual(12_000);
			expect(request.updated_at).toBe(request.processed_at);
			expect(readPhoneItems()).toEqual([expect.objectContaining({ id: uuid, status: decision })]);
			client.sandbox.clock.advance(60_000);
			expect((await readApproval(uuid)).status).toBe(decision);
			expect((await client.control('decide', { uuid, decision: 'denied' })).status).toBe(400);
		},
	);

	it('returns expired after the time limit', async () => {
		const uuid = await createApproval({ seconds_to_expire: 60 });
		client.sandbox.clock.advance(59_000);
		expect((await readApproval(uuid)).status).toBe('pending');
		client.sandbox.clock.advance(1001);
		expect(await readApproval(uuid)).toMatchObject({ status: 'expired', processed_at: null });
		expect(readPhoneItems()).toEqual([expect.objectContaining({ id: uuid, status: 'expired' })]);
		const lateDecision = await client.control('decide', { uuid, decision: 'approved' });
		expect([lateDecision.status, lateDecision.data]).toEqual([
			400,
			{ error: 'The approval request is expired already' },
		]);
	});

	it('returns expired after a day by default, and never with a limit of 0', async () => {
		const [defaultRequest, endlessRequest] = [
			await createApproval(),
			await createApproval({ seconds_to_expire: 0 }),
		];
		client.sandbox.clock.advance(86_400_001);
		expect((await readApproval(defaultRequest)).status).toBe('expired');
		client.sandbox.clock.advance(365 * 86_400_000);
		expect(await readApproval(endlessRequest)).toMatchObject({
			status: 'pending',
			seconds_to_expire: 0,
		});
	});

	it('responds 404 for unknown requests', async () => {
		const path = '/onetouch/json/approval_requests/00000000-0000-4000-8000-000000000000';
		const { status, data } = await client.get(path);
		expect([status, data]).toEqual([404, failure('60049')]);
		expect((await client.get('/onetouch/json/approval_requests/a%20b')).data).toEqual(
			failure('60004'),
		);
	});
});

describe('the control actions', () => {
	it('list, expire and decide requests', async () => {
		const [expiredId, pendingId] = [await createApproval(), await createApproval()];
		await sendApproval({ message: 'Somebody else' }, seededUserIds.withApp);
		expect((await client.control('expire', { uuid: expiredId })).data).toEqual({
			uuid: expiredId,
			status: 'expired',
		});
		expect((await readApproval(expiredId)).status).toBe('expired');
		const { phone } = client.sandbox.demo.user;
		const pending = await client.control('approvals', { phone, status: 'pending' });
		expect(pending.data).toEqual([
			expect.objectContaining({ uuid: pendingId, phone, twofactor_id: seededUserIds.plain }),
		]);
		expect((await client.control('approvals')).data).toHaveLength(3);
		expect((await client.control('decide', { uuid: pendingId, decision: 'perhaps' })).status).toBe(
			400,
		);
		expect((await client.control('decide', { uuid: 'x', decision: 'denied' })).status).toBe(400);
	});
});
