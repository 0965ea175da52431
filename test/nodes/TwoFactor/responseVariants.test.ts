// Protects users of services with other response formats: IDs, states and codes are read correctly, or the operation fails.
import type { NodeApiError } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { adviceOf, DEMO_ID, DEMO_PHONE, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const { server, operateAgainst } = useFakeTwoFactor(rig);

describe('Enroll', () => {
	const enroll = (body: object, status?: number) =>
		operateAgainst(
			body,
			'user',
			'enroll',
			{ email: 'a@example.com', phoneNumber: DEMO_PHONE },
			status,
		);

	it.each<[string, object, unknown]>([
		['user.id', { user: { id: 7 } }, 7],
		['user.id as a text', { user: { id: '0007' } }, '0007'],
		['user in a list of one', { user: [{ id: 7 }] }, 7],
		['twofactor_id', { twofactor_id: 7 }, 7],
		['user.twofactor_id', { user: { twofactor_id: 7 } }, 7],
		['a name that carries a brand', { user: { brand_id: 7 } }, 7],
		['a name that carries a brand, at the top level', { brand_id: '7', app_id: 4711 }, 7],
		[
			'a name that carries a brand, beside IDs of other things',
			{ app_id: 1, device_id: 2, _id: 3, brand_id: 7 },
			7,
		],
	])('finds the ID of the user in %s', async (_, body, expectedId) => {
		const { outputItems, error } = await enroll({ ...body, success: true });
		expect(error).toBeUndefined();
		expect(outputItems[0]!.twofactor_id).toBe(expectedId);
	});

	it('outputs unknown fields unchanged', async () => {
		const { outputItems } = await enroll({ user: { id: 7 }, success: true, plan: 'gold' });
		expect(outputItems[0]).toEqual({
			twofactor_id: 7,
			email: 'a@example.com',
			phone: '+12025550143',
			plan: 'gold',
		});
	});

	it('fails if the response has no ID of the user', async () => {
		const { error } = await enroll({ user: {}, app_id: 1, success: true });
		expect(error?.message).toBe('The service enrolled the user but returned no ID');
	});

	it.each<[object, number, boolean | undefined]>([
		[{ message: 'User created successfully.' }, 200, undefined],
		[{ message: 'User created successfully.' }, 201, true],
		[{ message: 'User already exists.' }, 200, false],
		[{ new: true }, 200, true],
		[{ user: { id: 7, is_new: false } }, 200, false],
	])('reads %j with status %d: isNew is %p', async (body, status, isNew) => {
		const { outputItems } = await enroll({ user: { id: 7 }, success: true, ...body }, status);
		expect(outputItems[0]!.isNew).toBe(isNew);
	});
});

describe('Delete', () => {
	/** Deletes a user at a service with these responses to the two paths, /delete and /remove. Returns the error. */
	const deleteAndGetError = async (
		deleteResponse: [number, unknown],
		removeResponse: [number, unknown],
	) => {
		server.respondWith(({ url }, response) =>
			sendJson(response, ...(url.endsWith('/remove') ? removeResponse : deleteResponse)),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { error, outputItems } = await rig.operate('user', 'delete', {
			twofactorId: DEMO_ID,
			options: { tries: 1 },
		});
		expect(outputItems).toEqual([]);
		expect(server.requests.map(({ url }) => url.split('/').at(-1))).toEqual(['delete', 'remove']);
		return error as NodeApiError | undefined;
	};
	const NO_USER: [number, unknown] = [404, { message: 'User does not exist', success: false }];

	it.each<[string, [number, unknown]]>([
		['404', [404, { message: 'No such route' }]],
		['404 with an empty body', [404, null]],
		['405', [405, { error: 'Method not allowed' }]],
		['400', [400, { message: 'Bad request' }]],
		['401', [401, { message: 'Unauthorized' }]],
		['403', [403, { message: 'Forbidden' }]],
	])(
		'fails with the error of /delete if /remove fails too, with a %s',
		async (_, removeResponse) => {
			const error = await deleteAndGetError(NO_USER, removeResponse);
			expect(error?.message).toBe('Two-factor service: User does not exist');
			expect(error?.httpCode).toBe('404');
		},
	);

	it('fails with the error of /remove if the service does not know /delete', async () => {
		const unknownUser = { message: 'User not found', success: false, error_code: '60026' };
		const error = await deleteAndGetError([404, { message: 'No such route' }], [404, unknownUser]);
		expect(error?.message).toBe('Two-factor service: User not found (60026)');
	});

	it('fails and says that the result is unclear if /remove returns 500', async () => {
		const error = await deleteAndGetError(
			[404, { message: 'No such route' }],
			[500, { message: 'Oops' }],
		);
		expect(error?.message).toBe('Two-factor service: Oops');
		expect(adviceOf(error)).toContain("It's unclear whether the user was deleted");
	});

	it('deletes the user with /remove if the service does not know /delete', async () => {
		server.respondWith(({ url }, response) =>
			url.endsWith('/remove')
				? sendJson(response, 200, { message: 'Removed.', success: true })
				: sendJson(response, 404, { message: 'No such route' }),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { outputItems } = await rig.operate('user', 'delete', { twofactorId: DEMO_ID });
		expect(outputItems).toEqual([{ deleted: true, twofactor_id: Number(DEMO_ID) }]);
		expect(server.requests.map(({ url }) => url)).toEqual([
			`/protected/json/users/${DEMO_ID}/delete`,
			`/protected/json/users/${DEMO_ID}/remove`,
		]);
	});
});

describe('other response shapes', () => {
	it('statistics of one month as an object are one item, and an empty list is no item', async () => {
		const statistics = { stats: { month: 'May', year: 2026 }, success: true };
		const { outputItems } = await operateAgainst(statistics, 'application', 'getStatistics');
		expect(outputItems).toMatchObject([{ month: 'May', year: 2026 }]);
		const none = await operateAgainst({ success: true, stats: [] }, 'application', 'getStatistics');
		expect(none.error).toBeUndefined();
		expect(none.outputItems).toEqual([]);
	});

	it.each([
		[{ total_users: 4, count: 12 }],
		[{ total_users: 4, stats: null }],
		[{ total_users: 4, stats: 'see the console' }],
		[{ total_users: 4, stats: 12 }],
		[{ total_users: 4, stats: [null, 12] }],
	])('statistics without a list of months are one item: %j', async (statistics) => {
		const body = { ...statistics, message: 'Statistics', success: true };
		const { outputItems, error } = await operateAgainst(body, 'application', 'getStatistics');
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([{ ...statistics, message: 'Statistics' }]);
	});

	it('application details and user status are read without a wrapper', async () => {
		const app = { app_id: 7, name: 'Portal', message: 'Details', success: true };
		const details = await operateAgainst(app, 'application', 'getDetails');
		expect(details.outputItems).toEqual([{ app_id: 7, name: 'Portal', message: 'Details' }]);
		const user = { brand_id: 8, confirmed: true };
		const body = { ...user, success: true };
		const status = await operateAgainst(body, 'user', 'getStatus', { twofactorId: '8' });
		expect(status.outputItems).toEqual([{ ...user, twofactor_id: 8 }]);
	});

	it.each([
		[{ status: { twofactor_id: 9, confirmed: true } }, 'another user'],
		[[{ status: { twofactor_id: 9 } }], 'another user'],
		[{ twofactor_id: 9, confirmed: true }, 'another user'],
		[{ status: { confirmed: true } }, 'a status without a user'],
		[{ status: {} }, 'a status without a user'],
	])('Get Status of user 8 rejects %j', async (content, actual) => {
		const body = Array.isArray(content)
			? [{ ...content[0], success: true }]
			: { ...content, success: true };
		const parameters = { twofactorId: '8' };
		const { outputItems, error } = await operateAgainst(body, 'user', 'getStatus', parameters);
		expect(outputItems).toEqual([]);
		expect(error?.message).toBe(
			`The two-factor service answered with ${actual}, not with the user that was requested`,
		);
	});

	it('a message that the service held back is recognized if ignored is the text "true"', async () => {
		const body = { success: 'true', ignored: 'true', message: 'Ignored' };
		const { outputItems } = await operateAgainst(body, 'oneTimeCode', 'sendBySms', {
			twofactorId: DEMO_ID,
		});
		expect(outputItems).toEqual([
			{ twofactor_id: Number(DEMO_ID), sent: false, reason: 'userHasApp', message: 'Ignored' },
		]);
	});

	it('a code that the service calls expired is output with the reason expired', async () => {
		const body = { success: false, message: 'Token has expired', error_code: '60020' };
		const { outputItems } = await operateAgainst(
			body,
			'oneTimeCode',
			'verify',
			{ twofactorId: '1', code: '1234567' },
			401,
		);
		expect(outputItems[0]).toMatchObject({ valid: false, reason: 'expired' });
	});

	it('a wrong code is recognized by the field token alone', async () => {
		const body = { success: 'false', message: 'Nope', token: 'is invalid' };
		for (const status of [200, 401]) {
			const { outputItems } = await operateAgainst(
				body,
				'oneTimeCode',
				'verify',
				{ twofactorId: '1', code: '1234567' },
				status,
			);
			expect(outputItems[0]).toMatchObject({ valid: false, reason: 'wrong', message: 'Nope' });
		}
	});

	it('an approval request is read without a wrapper, with another name for its ID', async () => {
		const body = { id: 'u-1', status: 'approved', success: true };
		const { outputItems } = await operateAgainst(body, 'approvalRequest', 'get', { uuid: 'u-1' });
		expect(outputItems).toEqual([{ id: 'u-1', outcome: 'approved' }]);
	});

	it.each([
		['APPROVED', 'approved', undefined],
		['Pending ', 'stillOutstanding', undefined],
		['unresolved', 'stillOutstanding', 'reports the unknown status "unresolved"'],
	])('the status %j means %s', async (status, outcome, trouble) => {
		const { outputItems } = await operateAgainst(
			{ approval_request: { uuid: 'u', status }, success: true },
			'approvalRequest',
			'waitForDecision',
			{ uuid: 'u', waitLimit: 1 },
		);
		const expectedTrouble = trouble && (expect.stringContaining(trouble) as string);
		expect(outputItems).toEqual([expect.objectContaining({ outcome })]);
		expect(outputItems[0]?.trouble).toEqual(expectedTrouble);
	});
});

describe('Create', () => {
	const createApproval = (approval: object) =>
		operateAgainst({ approval_request: approval, success: true }, 'approvalRequest', 'create', {
			twofactorId: DEMO_ID,
			message: 'Yes?',
		});

	it.each([
		['a text', { uuid: 'u-7' }, 'u-7'],
		['a number', { uuid: 4711 }, '4711'],
		['zero', { uuid: 0 }, '0'],
		['a number with another field name', { id: 4711 }, '4711'],
	])('outputs an ID that is %s as a string', async (_, approval, expectedId) => {
		const { outputItems, error } = await createApproval(approval);
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ id: expectedId, outcome: 'pending', twofactor_id: Number(DEMO_ID) },
		]);
	});

	it.each([{}, { uuid: '' }, { uuid: ' ' }, { uuid: null }])(
		'fails if the approval request in the response is %j',
		async (approval) => {
			const { error } = await createApproval(approval);
			expect(error?.message).toBe('The service sent the approval request but returned no ID');
		},
	);
});

it('Create that waits polls an approval request whose ID is a number', async () => {
	server.respondWith(({ method }, response) =>
		sendJson(response, 200, {
			approval_request: { uuid: 4711, status: method === 'GET' ? 'approved' : 'pending' },
			success: true,
		}),
	);
	rig.changeCredential({ baseUrl: server.url });
	const { outputItems } = await rig.operate('approvalRequest', 'create', {
		twofactorId: DEMO_ID,
		message: 'Yes?',
		wait: true,
		waitLimit: 10,
	});
	expect(outputItems).toMatchObject([{ id: '4711', outcome: 'approved' }]);
	expect(server.requests.map(({ url }) => url).slice(1)).toEqual([
		`/onetouch/json/users/${DEMO_ID}/approval_requests`,
		'/onetouch/json/approval_requests/4711',
	]);
});
