import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { adviceOf, APP_ID, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const toy = useFakeTwoFactor(rig);

const ask = async (
	operation: string,
	user: string | number,
	failWithoutApp: unknown,
	otherOptions: object = {},
) =>
	await rig.operate('approvalRequest', operation, {
		twofactorId: `${user}`,
		message: 'May I?',
		options: { failWithoutApp, ...otherOptions },
	});
const countApprovalRequests = () => rig.countRequests('createApprovalRequest');
const countStatusChecks = () => rig.countRequests('getUserStatus');
const shortWait = {
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
	},
};

describe.each([['create'], ['sendAndWait']])('%s with Fail If the User Has No App', (operation) => {
	it('fails for a user without the app, and sends no request to a phone', async () => {
		const { error } = await ask(operation, DEMO_ID, true);
		expect(error?.message).toBe(
			`User ${DEMO_ID} doesn't have the app, so no approval request was sent`,
		);
		expect(adviceOf(error)).toMatch(/install the app.*'Fail If the User Has No App' is on/);
		expect([countApprovalRequests(), countStatusChecks()]).toEqual([0, 1]);
	});

	it('sends the request to a user who has the app', async () => {
		const { error } = await ask(operation, APP_ID, true, shortWait);
		expect(error).toBeUndefined();
		expect([countApprovalRequests(), countStatusChecks()]).toEqual([1, 1]);
	});

	it('sends the request without a check if it is off', async () => {
		const { error } = await ask(operation, DEMO_ID, false, shortWait);
		expect(error).toBeUndefined();
		expect([countApprovalRequests(), countStatusChecks()]).toEqual([1, 0]);
	});

	it('fails for a user that the service does not know', async () => {
		const { error } = await ask(operation, 999999, true);
		expect(error).toBeDefined();
		expect([countApprovalRequests(), countStatusChecks()]).toEqual([0, 1]);
	});
});

describe('the status response of the user', () => {
	it.each([
		['registered: false', { registered: false }, false],
		['registered as the text "false"', { registered: 'false' }, false],
		['no devices', { devices: [] }, false],
		['no devices, yet registered', { devices: [], registered: true }, true],
		['a device', { devices: ['android'] }, true],
		['nothing about the app', { confirmed: true }, true],
	])('a status response with %s decides whether the request is sent', async (_, status, sends) => {
		const posts: string[] = [];
		toy.server.respondWith(({ method }, response) => {
			if (method === 'POST') posts.push(method);
			sendJson(
				response,
				200,
				method === 'POST'
					? { approval_request: { uuid: 'u-1' }, success: true }
					: { status, success: true },
			);
		});
		rig.changeCredential({ baseUrl: toy.server.url });
		await ask('create', 7, true);
		expect(posts).toHaveLength(sends ? 1 : 0);
	});
});
