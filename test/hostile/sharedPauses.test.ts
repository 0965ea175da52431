// Protects services that request a pause for one request: it applies to all requests under the same limit, and to no others.
import { setTimeout as delay } from 'node:timers/promises';

import { PasswordlessIdentityTrigger } from '../../nodes/PasswordlessIdentity/PasswordlessIdentityTrigger.node';
import { TwoFactorTrigger } from '../../nodes/TwoFactor/TwoFactorTrigger.node';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import { awaitWithin, useAcceleratedTime } from '../support/fakeClock';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { sendJson, startToyServer } from '../support/toy';
import type { ToyServer } from '../support/toy';

let rig: Rig;
let toy: ToyServer;
beforeAll(async () => {
	rig = await openRig();
});
afterAll(async () => await rig.close());
beforeEach(async () => {
	toy = await startToyServer();
	rig.kit.credentialData.twoFactorApi!.baseUrl = toy.url;
});
afterEach(async () => await toy.close());
useAcceleratedTime();

it('a pause for one user of the two-factor service delays only that user', async () => {
	toy.respondWith(({ url }, response) =>
		url.includes('/111')
			? sendJson(response, 429, { success: false }, { 'retry-after': '600' })
			: sendJson(response, 200, { success: true, message: 'sent', cellphone: '+1-XXX' }),
	);
	const runSendSms = (id: string) =>
		rig.run('twoFactor', {
			resource: 'oneTimeCode',
			operation: 'sendBySms',
			twofactorId: id,
			options: {},
		});
	expect((await awaitWithin(runSendSms('111'), 5000)).error?.message).toMatch(/429/);
	expect((await awaitWithin(runSendSms('111'), 5000)).error?.message).toMatch(
		/has asked to slow down/,
	);
	expect((await awaitWithin(runSendSms('222'), 5000)).error).toBeUndefined();
	expect(toy.requests.map(({ url }) => url.split('?')[0])).toEqual([
		'/protected/json/sms/111',
		'/protected/json/sms/222',
	]);
});

it('a pause that a trigger received also stops an execution, and the trigger polls again after it', async () => {
	const requestedAtMs: number[] = [];
	let isRateLimited = true;
	toy.respondWith(({ url }, response) => {
		requestedAtMs.push(performance.now());
		const uuid = url.split('/').at(-1);
		if (isRateLimited) sendJson(response, 429, { success: false }, { 'retry-after': '30' });
		else sendJson(response, 200, { success: true, approval_request: { uuid, status: 'approved' } });
	});
	const parameters = { ids: ['id-1', 'id-2'], options: { checkEvery: 1 } };
	const host = new TriggerHost(
		rig.sandbox,
		[{ type: 'twoFactorTrigger', parameters }],
		'workflow-1',
		// The trigger runs in one process with the node below.
		() => ({
			twoFactorTrigger: TwoFactorTrigger,
			passwordlessIdentityTrigger: PasswordlessIdentityTrigger,
		}),
	);
	host.credentialData.twoFactorApi = rig.kit.credentialData.twoFactorApi!;
	const runGet = () =>
		rig.run('twoFactor', {
			resource: 'approvalRequest',
			operation: 'get',
			uuid: 'id-3',
			options: { longestWait: 10 },
		});
	try {
		await host.start('init');
		await waitUntil(() => requestedAtMs.length > 0);
		await delay(50);
		isRateLimited = false;
		const requestCount = requestedAtMs.length;
		expect((await awaitWithin(runGet(), 5000)).error?.message).toMatch(/has asked to slow down/);
		expect(requestedAtMs).toHaveLength(requestCount);
		await waitUntil(() => host.executions.length === 2, undefined, 120_000);
		expect(requestedAtMs[requestCount]! - requestedAtMs[0]!).toBeGreaterThanOrEqual(30_000);
	} finally {
		await host.close();
	}
});
