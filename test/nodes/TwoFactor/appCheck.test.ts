// Protects users without the app from approval requests that cannot reach them: unless the option is off, none is sent.
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { adviceOf, APP_ID, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const fakeTwoFactor = useFakeTwoFactor(rig);

const requestApproval = async (
	operation: string,
	user: string | number,
	failWithoutApp?: boolean,
	otherOptions: object = {},
) =>
	await rig.operate('approvalRequest', operation, {
		twofactorId: `${user}`,
		message: 'May I?',
		options: { ...(failWithoutApp !== undefined && { failWithoutApp }), ...otherOptions },
	});
beforeEach(() => rig.control('removeApp', { twofactor_id: DEMO_ID }));
const countApprovalRequests = () => rig.countRequests('createApprovalRequest');
const countStatusChecks = () => rig.countRequests('getUserStatus');
/** Ends the wait of Send and Wait after 6 seconds. */
const SHORT_WAIT = {
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
	},
};

describe.each([['create'], ['sendAndWait']])(
	"%s with the option 'Fail If the User Has No App'",
	(operation) => {
		it.each([
			['on', true],
			['not added', undefined],
		])(
			'fails for a user without the app if it is %s, and sends no approval request',
			async (_, option) => {
				const { error } = await requestApproval(operation, DEMO_ID, option);
				expect(error?.message).toBe(
					`User ${DEMO_ID} doesn't have the app, so no approval request was sent`,
				);
				expect(adviceOf(error)).toMatch(
					/install the app.*'Fail If the User Has No App' and turn it off/,
				);
				expect([countApprovalRequests(), countStatusChecks()]).toEqual([0, 1]);
			},
		);

		it('sends the approval request to a user who has the app', async () => {
			const { error } = await requestApproval(operation, APP_ID, true, SHORT_WAIT);
			expect(error).toBeUndefined();
			expect([countApprovalRequests(), countStatusChecks()]).toEqual([1, 1]);
		});

		it('sends the approval request without a check if the option is off', async () => {
			const { error } = await requestApproval(operation, DEMO_ID, false, SHORT_WAIT);
			expect(error).toBeUndefined();
			expect([countApprovalRequests(), countStatusChecks()]).toEqual([1, 0]);
		});

		it('asks the service to send if it rejects the check, so that the error is the same as without it', async () => {
			const { error } = await requestApproval(operation, 999999, true);
			expect(error?.message).toContain('60026');
			expect([countApprovalRequests(), countStatusChecks()]).toEqual([1, 1]);
		});
	},
);

describe('the check for the app', () => {
	it.each([
		['registered: false', false, { registered: false }],
		['registered as the text "false"', false, { registered: 'false' }],
		['no devices', false, { devices: [] }],
		['no devices, yet registered', true, { devices: [], registered: true }],
		['a device', true, { devices: ['android'] }],
		['nothing about the app', true, { confirmed: true }],
		['no app of another user', true, { twofactor_id: 8, registered: false }],
	])('allows the approval request for a user status with %s: %s', async (_, isSent, status) => {
		let postCount = 0;
		fakeTwoFactor.server.respondWith(({ method }, response) => {
			if (method === 'POST') postCount++;
			sendJson(
				response,
				200,
				method === 'POST'
					? { approval_request: { uuid: 'u-1' }, success: true }
					: { status, success: true },
			);
		});
		rig.changeCredential({ baseUrl: fakeTwoFactor.server.url });
		await requestApproval('create', 7, true);
		expect(postCount).toBe(isSent ? 1 : 0);
	});

	it('reads the status of each user once per execution', async () => {
		const { outputItems } = await rig.operate(
			'approvalRequest',
			'create',
			{ twofactorId: '={{ $json.user }}', message: 'May I?' },
			[{ user: APP_ID }, { user: APP_ID }, { user: '100003' }],
		);
		expect(outputItems).toHaveLength(3);
		expect([countApprovalRequests(), countStatusChecks()]).toEqual([3, 2]);
	});

	it.each([403, 404, 429, 500])(
		'sends the approval request soon if the status cannot be read (HTTP %i)',
		async (status) => {
			const methods: string[] = [];
			fakeTwoFactor.server.respondWith(({ method = '' }, response) => {
				methods.push(method);
				if (method === 'GET') sendJson(response, status, { message: 'No', success: false });
				else sendJson(response, 200, { approval_request: { uuid: 'u-1' }, success: true });
			});
			rig.changeCredential({ baseUrl: fakeTwoFactor.server.url });
			const { error } = await requestApproval('create', 7);
			expect(error).toBeUndefined();
			expect(methods.at(-1)).toBe('POST');
			expect(methods.filter((method) => method === 'GET').length).toBeLessThanOrEqual(2);
		},
	);
});
