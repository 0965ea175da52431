// Protects waits from the 404 of another server: a request is gone only if the service says so with its own error code.
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const { server } = useFakeTwoFactor(rig);
const ID = 'u-1';
const unknownRequest = {
	message: 'Approval request not found',
	success: false,
	errors: { message: 'Approval request not found' },
	error_code: '60049',
};

const runAgainst = async (operation: string, status: number, body: unknown) => {
	server.respondWith(({ method }, response) =>
		method === 'POST'
			? sendJson(response, 200, { approval_request: { uuid: ID }, success: true })
			: sendJson(response, status, body),
	);
	rig.changeCredential({ baseUrl: server.url });
	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 1 / 3, resumeUnit: 'minutes' },
	};
	return await rig.operate('approvalRequest', operation, {
		uuid: ID,
		twofactorId: DEMO_ID,
		message: 'Yes?',
		wait: true,
		waitLimit: 20,
		options: operation === 'sendAndWait' ? { limitWaitTime } : { checkEvery: 1 },
	});
};

describe.each(['create', 'sendAndWait', 'waitForDecision'])('%s', (operation) => {
	it.each<[string, number, unknown]>([
		['the 404 of a gateway', 404, { message: 'no Route matched with those values' }],
		['a 404 without an error code', 404, { message: 'Not found', success: false }],
		['a 404 about the user', 404, { ...unknownRequest, error_code: '60026' }],
		['a 404 with an empty object', 404, {}],
		['a 404 with null', 404, null],
		['a 410 of another server', 410, { message: 'Gone' }],
	])('does not end with %s', async (_, status, body) => {
		const { outputItems, error } = await runAgainst(operation, status, body);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([
			{
				id: ID,
				outcome: 'stillOutstanding',
				trouble: expect.stringMatching(/'Base URL' in the credential/),
			},
		]);
	});

	it.each([404, 410])(
		"ends as gone with the service's own error code and status %d",
		async (status) => {
			const { outputItems, error } = await runAgainst(operation, status, unknownRequest);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([{ id: ID, outcome: 'gone' }]);
		},
	);
});
