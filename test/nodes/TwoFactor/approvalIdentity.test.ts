import type { IDataObject } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { adviceOf, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

// A decision counts only for the user who was asked and the request that was sent, and only in the service's own form: one
// object, a text as its status. Anything else is an unrecognized response, and never an approval.
const rig = useTwoFactorRig();
const { server, against } = useFakeTwoFactor(rig);

const ID = 'u-1';
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

const ANOTHER_USER: Array<[string, IDataObject]> = [
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

const SAME_USER: Array<[string, IDataObject]> = [
	['nothing', {}],
	['twofactor_id', { twofactor_id: requestedUser }],
	['twofactor_id as digits', { twofactor_id: DEMO_ID }],
	['twofactor_id as digits with zeros', { _twofactor_id: `00${DEMO_ID}` }],
	['twofactor_id that is null', { twofactor_id: null }],
	['the only branded ID', { brand_id: requestedUser }],
	['two branded IDs, of which one is another number', { brand_id: 7, other_id: 8 }],
	['a branded ID that is no number', { brand_id: '5f3a' }],
	["an ID of the service's own", { user_id: 7 }],
	['an ID of something else', { _app_serial_id: 4711, device_id: 7 }],
];

const DAMAGED: Array<[string, unknown]> = [
	['a list as its status', wrapApproval({ uuid: ID, status: ['approved'] })],
	['true as its status', wrapApproval({ uuid: ID, status: true })],
	['a request inside a list', wrapApproval([approvedRequest])],
	['an answer inside a list', [wrapApproval(approvedRequest)]],
	['a text in place of the request', wrapApproval('approved')],
	['status twice', wrapApproval({ ...approvedRequest, Status: 'denied' })],
	['status twice, the same', wrapApproval({ ...approvedRequest, STATUS: 'approved' })],
	['uuid twice', wrapApproval({ ...approvedRequest, UUID: 'u-2' })],
	[
		'twofactor_id twice',
		wrapApproval({ ...approvedRequest, twofactor_id: requestedUser, TWOFACTOR_ID: requestedUser }),
	],
	['a list as its ID', wrapApproval({ uuid: [ID], status: 'approved' })],
	['another number as its ID', wrapApproval({ uuid: 17, status: 'approved' })],
];

describe.each(['create', 'sendAndWait'] as const)('%s', (operation) => {
	it.each(ANOTHER_USER)(
		'ignores a decision of another user, named by %s',
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

	it.each(SAME_USER)('accepts the decision of the requested user: %s', async (_, userFields) => {
		const { outputItems, error } = await askAndPoll(
			operation,
			wrapApproval({ ...approvedRequest, ...userFields }),
		);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([
			{ id: ID, outcome: 'approved', twofactor_id: requestedUser },
		]);
	});

	it.each(DAMAGED)('ignores a decision from %s', async (_, body) => {
		const { outputItems, error } = await askAndPoll(operation, body);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([
			{ id: ID, outcome: 'stillOutstanding', twofactor_id: requestedUser },
		]);
		expect(outputItems[0]!.trouble).toMatch(/two-factor service/i);
	});
});

it('a success flag in a list does not count as success', async () => {
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

it('Create polls the same ID separately for each user', async () => {
	// A service that gives two questions one ID: the decision of one user is not the other's.
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

describe.each(['create', 'sendAndWait'])('the response to %s itself', (operation) => {
	it('an object as the ID is an error that says what was sent', async () => {
		const { outputItems, error } = await against(
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

	it.each(ANOTHER_USER)(
		'a response that names another user by %s is an error',
		async (_, userFields) => {
			const { outputItems, error } = await against(
				wrapApproval({ uuid: ID, ...userFields }),
				'approvalRequest',
				operation,
				{ twofactorId: DEMO_ID, message: 'Yes?' },
			);
			expect(outputItems).toEqual([]);
			expect(error?.message).toBe('The two-factor service answered about a different user');
			expect(adviceOf(error)).toMatch(/may have received it/);
			expect(server.requests).toHaveLength(1);
		},
	);
});

describe('Get', () => {
	const get = async (body: unknown) =>
		await against(body, 'approvalRequest', 'get', { uuid: ID, options: { tries: 1 } });

	it.each(DAMAGED)('fails if there is %s', async (_, body) => {
		const { outputItems, error } = await get(body);
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/two-factor service/i);
		expect(adviceOf(error)).not.toBe('');
	});

	it('fails if the response is about another request', async () => {
		const { outputItems, error } = await get(wrapApproval({ uuid: 'u-2', status: 'approved' }));
		expect(outputItems).toEqual([]);
		expect(error?.message).toBe('The two-factor service answered about a different request');
		expect(adviceOf(error)).toMatch(/undecided/);
	});

	it('accepts a request that names any user, since none is expected', async () => {
		const { outputItems } = await get(wrapApproval({ ...approvedRequest, twofactor_id: 7 }));
		expect(outputItems).toMatchObject([{ id: ID, outcome: 'approved', twofactor_id: 7 }]);
	});
});
