// Protects the handover of a new ID to a trigger: a rejected node creates nothing, and a decided ID starts the workflow.
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../../../lab/drive/approvalsAndJobs';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { openRig } from '../../../support/sandboxRig';
import type { Rig } from '../../../support/sandboxRig';
import { TriggerHost, waitUntil } from '../support/host';
import type { TriggerName } from '../support/host';

useAcceleratedTime();

let rig: Rig;
let host: TriggerHost;
beforeAll(async () => {
	rig = await openRig({ registrations: 1 });
});
afterAll(async () => await rig.close());
afterEach(async () => {
	delete rig.kit.credentialData.twoFactorApi!.triggerSecret;
	jest.restoreAllMocks();
	await host.close();
});

/** Starts a trigger with a webhook, and returns the URL of the webhook. */
async function openTrigger(type: TriggerName, overrides = {}): Promise<string> {
	const parameters = { acceptNewIds: true, options: { checkEvery: 1 }, ...overrides };
	host = new TriggerHost(rig.sandbox, [{ type, parameters }]);
	await host.start();
	return await host.webhookUrl();
}

const tryToCreateApproval = async (options: object) =>
	await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: options as never,
	});
/** Creates an approval request, and returns the output item. */
const createApproval = async (options: object) =>
	(await tryToCreateApproval(options)).outputItems[0]!;
/** Tries to create an approval request, checks that none was created, and returns the texts of the error. */
const expectRejection = async (options: object) => {
	const countBefore = countCreated();
	const { error } = await tryToCreateApproval(options);
	expect(countCreated()).toBe(countBefore);
	const { message, description } = error as Error & { description: string };
	return `${message} | ${description}`;
};
/** Counts the approval requests that were sent. */
const countCreated = () =>
	rig.sandbox.requestLog
		.entries()
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/approval_requests')).length;

it('a new approval request starts the other workflow once it is decided', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	const { id, handedOver } = await createApproval({ triggerUrl, triggerData: '{"order": 1042}' });
	expect(handedOver).toBe(true);
	decideApproval(rig.sandbox, `${id as string}`, 'approved');
	await waitUntil(() => host.executions.length === 1);
	expect(host.startedItemsById().get(id)).toMatchObject({
		outcome: 'approved',
		data: { order: 1042 },
	});
});

it('a new scope job starts the other workflow, and only the expected person can answer it', async () => {
	const triggerUrl = await openTrigger('passwordlessIdentityTrigger');
	const { fingerprint } = rig.sandbox.demo.user;
	const { outputItems } = await rig.run('passwordlessIdentity', {
		resource: 'scopeJob',
		operation: 'issue',
		subject: fingerprint,
		options: { triggerUrl },
	});
	const [{ id: job, handedOver }] = outputItems as [{ id: string; handedOver: boolean }];
	expect(handedOver).toBe(true);
	await rig.sandbox.control('passwordlessIdentity', 'approve', { job });
	await waitUntil(() => host.executions.length === 1);
	expect(host.startedItemsById().get(job)).toMatchObject({
		outcome: 'completed',
		claims: { sub: fingerprint },
	});
});

it('a submission is signed, and contains neither the secret nor the API key in its headers', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	const sentHeaders: string[] = [];
	host.onRequest = (request) => void sentHeaders.push(JSON.stringify(request.headers));
	const { apiKey } = rig.kit.credentialData.twoFactorApi!;
	rig.kit.credentialData.twoFactorApi!.triggerSecret = 'Sesame-1234';
	host.credentialData.twoFactorApi!.triggerSecret = 'Sesame-1234';
	await host.stop();
	await host.start();
	expect(await createApproval({ triggerUrl })).toMatchObject({ handedOver: true });
	expect(sentHeaders).toHaveLength(2);
	for (const headers of sentHeaders) {
		expect(headers).toContain('x-gatehouse-signature');
		expect(headers).not.toContain('Sesame-1234');
		expect(headers).not.toContain(apiKey);
	}
});

it('a submission is accepted if n8n does not provide the raw body', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	host.keepsRawBody = false;
	const triggerData = '{"größe": "5 €", "2": 1, "1": 2}';
	expect(await createApproval({ triggerUrl, triggerData })).toMatchObject({ handedOver: true });
});

it('a submission is accepted behind a proxy that serves n8n under another path', async () => {
	const triggerUrl = (await openTrigger('twoFactorTrigger')).replace('/webhook/', '/n8n/webhook/');
	expect(await createApproval({ triggerUrl })).toMatchObject({ handedOver: true });
});

describe('a node with another credential', () => {
	/** Starts a trigger whose key the service rejects; submitting to it works all the same. */
	const openTriggerWithOtherKey = async (triggerSecret: string, overrides = {}) => {
		const triggerUrl = await openTrigger('twoFactorTrigger', overrides);
		const { twoFactorApi } = host.credentialData;
		Object.assign(twoFactorApi!, { apiKey: 'the key of another application', triggerSecret });
		await host.stop();
		await host.start();
		return triggerUrl;
	};

	it.each([
		['neither side has one', '', undefined],
		['only the node has one', '', 'Sesame-1234'],
		['only the trigger has one', 'Sesame-1234', undefined],
		['both sides have different ones', 'Sesame-1234', 'Another-5678'],
	])(
		'is rejected, and the error asks for the same Trigger Secret, if %s',
		async (_, triggerSecret, nodeSecret) => {
			const triggerUrl = await openTriggerWithOtherKey(triggerSecret);
			const reason = await expectRejection({ triggerUrl, triggerSecret: nodeSecret });
			expect(reason).toMatch(/rejected this node.*another credential.*same 'Trigger Secret'/);
			expect(reason).not.toMatch(/Sesame-1234|Another-5678/);
		},
	);

	it('submits with the Trigger Secret in the option, or in the credential', async () => {
		const triggerSecret = 'Sesame-1234';
		let triggerUrl = await openTriggerWithOtherKey(triggerSecret);
		expect(await createApproval({ triggerUrl, triggerSecret })).toMatchObject({ handedOver: true });
		await host.close();
		triggerUrl = await openTriggerWithOtherKey(triggerSecret);
		rig.kit.credentialData.twoFactorApi!.triggerSecret = triggerSecret;
		expect(await createApproval({ triggerUrl })).toMatchObject({ handedOver: true });
	});

	it('needs no secret if the trigger accepts everyone', async () => {
		const triggerUrl = await openTriggerWithOtherKey('', { acceptFromAnybody: true });
		expect(await createApproval({ triggerUrl })).toMatchObject({ handedOver: true });
	});
});

it('a submission from a machine with a wrong clock is rejected, and the error names the clocks', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	const { now } = Date;
	let aheadMs = 0;
	// The signer's clock is ahead; the trigger receives the request a moment later and has the right time.
	host.onRequest = () => void (aheadMs = 0);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
	// One minute more than is allowed, since signing and sending take some time.
	aheadMs = 360_000;
	expect(await expectRejection({ triggerUrl })).toMatch(/five minutes.*set the clocks/);
});

it('a signature is valid for one trigger and one body only', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	let signature = '';
	let postedBody = '';
	host.onRequest = (request, body) => {
		// The check comes first: the last request submits the ID.
		signature = `${request.headers['x-gatehouse-signature'] as string}`;
		postedBody = body;
	};
	await createApproval({ triggerUrl, triggerData: '{"refund": 1}' });
	host.onRequest = () => undefined;
	const headers = { 'X-Gatehouse-Signature': signature };
	// The trigger accepts a repeated request.
	expect(await host.post(postedBody, { headers })).toMatchObject({
		status: 200,
		body: { alreadyWatched: 1 },
	});
	expect((await host.post(postedBody.replace('1', '9'), { headers })).status).toBe(403);
	host.nodes.push({ type: 'twoFactorTrigger', parameters: { acceptNewIds: true } });
	await host.stop();
	await host.start();
	const responseOfOtherTrigger = await host.post(postedBody, { headers, node: 1 });
	expect(responseOfOtherTrigger).toMatchObject({
		status: 403,
		body: { message: expect.stringContaining('another trigger') as string },
	});
});

it('a trigger that starts a moment later still gets the ID', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	await host.stop();
	const createdApproval = createApproval({ triggerUrl });
	await delay(500);
	await host.start('init');
	expect(await createdApproval).toMatchObject({ handedOver: true });
});

describe('a trigger that does not run', () => {
	it('prevents the approval request, and the error says why', async () => {
		const triggerUrl = await openTrigger('twoFactorTrigger');
		await host.stop();
		expect(await expectRejection({ triggerUrl })).toMatch(
			/^The trigger at this URL isn't running at the moment/,
		);
	});

	it('prevents the scope job, and the error says why', async () => {
		const triggerUrl = await openTrigger('passwordlessIdentityTrigger');
		await host.stop();
		const countIssued = () =>
			rig.sandbox.requestLog
				.entries()
				.filter(({ method, path }) => method === 'POST' && path.endsWith('/scope')).length;
		const countBefore = countIssued();
		const { error } = await rig.run('passwordlessIdentity', {
			resource: 'scopeJob',
			operation: 'issue',
			subject: rig.sandbox.demo.user.fingerprint,
			options: { triggerUrl },
		});
		expect(error?.message).toBe("The trigger at this URL isn't running at the moment");
		expect(countIssued()).toBe(countBefore);
	});

	it('fails the item if it stops between check and submission, and the error names the ID', async () => {
		const triggerUrl = await openTrigger('twoFactorTrigger');
		let stopOfTrigger: Promise<void> | undefined;
		host.onRequest = () => void (stopOfTrigger ??= delay(20).then(async () => await host.stop()));
		const countBefore = countCreated();
		rig.sandbox.faultRules.add({ service: 'twoFactor', kind: 'slow' });
		const { error } = await tryToCreateApproval({ triggerUrl });
		rig.sandbox.faultRules.clear();
		expect(countCreated()).toBe(countBefore + 1);
		const uuid = /^The approval request (\S+) was sent, but the trigger didn't accept it/.exec(
			error!.message,
		)![1]!;
		const { description } = error as unknown as { description: string };
		expect(description).toContain(`add ${uuid} under 'Approval Request IDs' in the trigger`);
		// The user follows the advice of the message.
		host.nodes[0]!.parameters = { ...host.nodes[0]!.parameters, ids: uuid };
		await host.start();
		decideApproval(rig.sandbox, uuid, 'approved');
		await waitUntil(() => host.executions.length === 1);
	});
});

it('a trigger in test mode keeps listening after the check, and accepts the ID', async () => {
	await openTrigger('twoFactorTrigger');
	const triggerUrl = await host.webhookUrl(0, true);
	expect(await createApproval({ triggerUrl })).toMatchObject({ handedOver: true });
	expect(host.executions).toHaveLength(0);
});
