// Protects approvals from mixed-up responses: a decision counts only for the user who was asked and the request that was
// sent, and only in the documented form.
import type { IDataObject } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { adviceOf, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const { server, operateAgainst } = useFakeTwoFactor(rig);

const ID = 'u-1';
/** The other user has the number 7. */
const requestedUser = Number(DEMO_ID);
const approvedRequest = { uuid: ID, status: 'approved' };

/** Requests an approval. The service responds to the request with a bare ID, and to each poll with `pollResponse`. */
async function askAndPoll(operation: 'create' | 'sendAndWait', pollResponse: unknown) {
	server.respondWith(({ method }, response) =>
		sendJson(
			response,
			200,
			method === 'POST' ? { approval_request: { uuid: ID }, success: true } : pollResponse,
		),
	);
	rig.changeCredential({ baseUrl: server.url });
	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 1 / 3, resumeUnit: 'minutes' },
	};
	return await rig.operate('approvalRequest', operation, {
		twofactorId: DEMO_ID,
		message: 'Yes?',
		wait: true,
		waitLimit: 20,
		options: operation === 'create' ? { checkEvery: 1 } : { limitWaitTime },
	});
}

const wrapApproval = (record: unknown) => ({ approval_request: record, success: true });

/** Fields by which a response names another user. */
const OTHER_USER_FIELDS: Array<[string, IDataObject]> = [
	['twofactor_id', { twofactor_id: 7 }],
	['twofactor_id as digits', { twofactor_id: '7' }],
	['twofactor_id with a leading underscore', { _twofactor_id: 7 }],
	['twofactor_id of another case', { TwoFactor_ID: 7 }],
	['twofactor_id that is no number', { twofactor_id: 'mallory' }],
	['a number that JSON has rounded', { twofactor_id: 1e21 }],
	['the only branded ID', { _brand_id: 7, user_id: '5f3a' }],
	['the only branded ID, as digits', { brand_id: '7', app_id: 100_001 }],
	['a branded ID in two spellings', { _brand_id: 7, brand_id: '7' }],
	['a branded ID in the record and its user', { brand_id: 7, user: { brand_id: 7 } }],
	['user.twofactor_id', { user: { twofactor_id: 7 } }],
	['twofactor_id beside a branded ID of the user', { twofactor_id: 7, brand_id: requestedUser }],
];

/** Fields by which a response names the requested user, or no user. */
const REQUESTED_USER_FIELDS: Array<[string, IDataObject]> = [
	['no user', {}],
	['twofactor_id', { twofactor_id: requestedUser }],
	['twofactor_id as digits', { twofactor_id: DEMO_ID }],
	['twofactor_id as digits with zeros', { _twofactor_id: `00${DEMO_ID}` }],
	['twofactor_id that is null', { twofactor_id: null }],
	['the only branded ID', { brand_id: requestedUser }],
	['two branded IDs with other numbers', { brand_id: 7, other_id: 8 }],
	['a branded ID that is no number', { brand_id: '5f3a' }],
	['user_id, which is an internal ID of the service', { user_id: 7 }],
	['IDs of an application and a device', { _app_serial_id: 4711, device_id: 7 }],
];

const INVALID_RESPONSES: Array<[string, unknown]> = [
	['a list as its status', wrapApproval({ uuid: ID, status: ['approved'] })],
	['true as its status', wrapApproval({ uuid: ID, status: true })],
	['a request inside a list', wrapApproval([approvedRequest])],
	['a response inside a list', [wrapApproval(approvedRequest)]],
	['a text in place of the request', wrapApproval('approved')],
	['status twice', wrapApproval({ ...approvedRequest, Status: 'denied' })],
	['status twice with the same value', wrapApproval({ ...approvedRequest, STATUS: 'approved' })],
	['uuid twice', wrapApproval({ ...approvedRequest, UUID: 'u-2' })],
	[
		'twofactor_id twice',
		wrapApproval({ ...approvedRequest, twofactor_id: requestedUser, TWOFACTOR_ID: requestedUser }),
	],
	['a list as its ID', wrapApproval({ uuid: [ID], status: 'approved' })],
	['another number as its ID', wrapApproval({ uuid: 17, status: 'approved' })],
];

describe.each(['create', 'sendAndWait'] as const)('%s', (operation) => {
	it.each(OTHER_USER_FIELDS)(
		'ignores a decision if the response names another user by %s',
		async (_, userFields) => {
			const { outputItems, error } = await askAndPoll(
				operation,
				wrapApproval({ ...approvedRequest, ...userFields }),
			);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([
				{
					id: ID,
					outcome: 'stillOutstanding',
					twofactor_id: requestedUser,
					trouble: 'The two-factor service answered about a different user',
				},
			]);
			expect(outputItems[0]!.approved).not.toBe(true);
		},
	);

	it.each(REQUESTED_USER_FIELDS)(
		'accepts a decision if the response names the user by %s',
		async (_, userFields) => {
			const { outputItems, error } = await askAndPoll(
				operation,
				wrapApproval({ ...approvedRequest, ...userFields }),
			);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([
				{ id: ID, outcome: 'approved', twofactor_id: requestedUser },
			]);
		},
	);

	it.each(INVALID_RESPONSES)('ignores a decision if the response has %s', async (_, body) => {
		const { outputItems, error } = await askAndPoll(operation, body);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([
			{ id: ID, outcome: 'stillOutstanding', twofactor_id: requestedUser },
		]);
		expect(outputItems[0]!.trouble).toMatch(/two-factor service/i);
	});
});

it('Create fails if the success flag is inside a list or an object', async () => {
	for (const success of [[true], ['true'], { true: true }]) {
		const { outputItems, error } = await askAndPoll('create', {
			approval_request: approvedRequest,
			success,
		});
		expect(outputItems).toEqual([]);
		expect(adviceOf(error)).toMatch(/doesn't say whether it succeeded/);
	}
});

it('Create continues polling after a response about another user', async () => {
	let polls = 0;
	server.respondWith(({ method }, response) =>
		sendJson(
			response,
			200,
			method === 'POST'
				? wrapApproval({ uuid: ID })
				: wrapApproval({ ...approvedRequest, twofactor_id: ++polls < 3 ? 7 : requestedUser }),
		),
	);
	rig.changeCredential({ baseUrl: server.url });
	const { outputItems } = await rig.operate('approvalRequest', 'create', {
		twofactorId: DEMO_ID,
		message: 'Yes?',
		wait: true,
		waitLimit: 300,
		options: { checkEvery: 1 },
	});
	expect(polls).toBe(3);
	expect(outputItems).toMatchObject([{ id: ID, outcome: 'approved', twofactor_id: requestedUser }]);
});

it('Create does not apply the decision of one user to another user with the same request ID', async () => {
	// The service returns the same ID for both requests.
	server.respondWith(({ method }, response) =>
		sendJson(
			response,
			200,
			method === 'POST'
				? wrapApproval({ uuid: ID })
				: wrapApproval({ ...approvedRequest, twofactor_id: requestedUser }),
		),
	);
	rig.changeCredential({ baseUrl: server.url });
	const { outputItems } = await rig.operate(
		'approvalRequest',
		'create',
		{
			twofactorId: '={{ $json.user }}',
			message: 'Yes?',
			wait: true,
			waitLimit: 20,
			options: { checkEvery: 1 },
		},
		[{ user: DEMO_ID }, { user: '100002' }],
	);
	expect(outputItems.map(({ twofactor_id, outcome }) => [twofactor_id, outcome])).toEqual([
		[requestedUser, 'approved'],
		[100_002, 'stillOutstanding'],
	]);
});

describe.each(['create', 'sendAndWait'])('the first response to %s', (operation) => {
	it('a response whose ID is an object is an error that says that the user may have received the request', async () => {
		const { outputItems, error } = await operateAgainst(
			wrapApproval({ uuid: {} }),
			'approvalRequest',
			operation,
			{
				twofactorId: DEMO_ID,
				message: 'Yes?',
			},
		);
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/an ID that is neither text nor number/);
		expect(adviceOf(error)).toMatch(/may have received it/);
	});

	it.each(OTHER_USER_FIELDS)(
		'a response that names another user by %s is an error, and the request is sent once',
		async (_, userFields) => {
			const { outputItems, error } = await operateAgainst(
				wrapApproval({ uuid: ID, ...userFields }),
				'approvalRequest',
				operation,
				{ twofactorId: DEMO_ID, message: 'Yes?' },
			);
			expect(outputItems).toEqual([]);
			expect(error?.message).toBe('The two-factor service answered about a different user');
			expect(adviceOf(error)).toMatch(/may have received it/);
			expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);
});

describe('Get', () => {
	const getApproval = async (body: unknown) =>
		await operateAgainst(body, 'approvalRequest', 'get', { uuid: ID, options: { tries: 1 } });

	it.each(INVALID_RESPONSES)('fails if the response has %s', async (_, body) => {
		const { outputItems, error } = await getApproval(body);
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/two-factor service/i);
		expect(adviceOf(error)).not.toBe('');
	});

	it('fails if the response is about another request', async () => {
		const { outputItems, error } = await getApproval(
			wrapApproval({ uuid: 'u-2', status: 'approved' }),
		);
		expect(outputItems).toEqual([]);
		expect(error?.message).toBe('The two-factor service answered about a different request');
		expect(adviceOf(error)).toMatch(/undecided/);
	});

	it('accepts a response that names any user, since the node expects no particular user', async () => {
		const { outputItems } = await getApproval(
			wrapApproval({ ...approvedRequest, twofactor_id: 7 }),
		);
		expect(outputItems).toMatchObject([{ id: ID, outcome: 'approved', twofactor_id: 7 }]);
	});
});
