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

async function openTrigger(type: TriggerName, overrides = {}): Promise<string> {
	const parameters = { acceptNewIds: true, options: { checkEvery: 1 }, ...overrides };
	host = new TriggerHost(rig.sandbox, [{ type, parameters }]);
	await host.start();
	return await host.webhookUrl();
}

const tryToCreate = async (options: object) =>
	await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: options as never,
	});
const create = async (options: object) => (await tryToCreate(options)).outputItems[0]!;
/** Tries to create an approval request, expects that none was created, and returns the error. */
const rejectionOf = async (options: object) => {
	const before = countCreated();
	const { error } = await tryToCreate(options);
	expect(countCreated()).toBe(before);
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
	const { id, handedOver } = await create({ triggerUrl, triggerData: '{"order": 1042}' });
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

it('a submission is signed, so that a listener does not learn the secret', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	const paths: string[] = [];
	host.onRequest = (request) => void paths.push(JSON.stringify(request.headers));
	const { apiKey } = rig.kit.credentialData.twoFactorApi!;
	rig.kit.credentialData.twoFactorApi!.triggerSecret = 'Sesame-1234';
	host.credentialData.twoFactorApi!.triggerSecret = 'Sesame-1234';
	await host.stop();
	await host.start();
	expect(await create({ triggerUrl })).toMatchObject({ handedOver: true });
	expect(paths).toHaveLength(2);
	for (const headers of paths) {
		expect(headers).toContain('x-gatehouse-signature');
		expect(headers).not.toContain('Sesame-1234');
		expect(headers).not.toContain(apiKey);
	}
});

it('a submission is accepted if n8n does not provide the raw body', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	host.keepsRawBody = false;
	const triggerData = '{"größe": "5 €", "2": 1, "1": 2}';
	expect(await create({ triggerUrl, triggerData })).toMatchObject({ handedOver: true });
});

it('a submission is accepted behind a proxy that serves n8n under another path', async () => {
	const triggerUrl = (await openTrigger('twoFactorTrigger')).replace('/webhook/', '/n8n/webhook/');
	expect(await create({ triggerUrl })).toMatchObject({ handedOver: true });
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
		['none', '', undefined],
		['another one on this side', '', 'Sesame-1234'],
		['one on the other side only', 'Sesame-1234', undefined],
		['two different ones', 'Sesame-1234', 'Another-5678'],
	])(
		'needs the same Trigger Secret, and the error says so if there is %s',
		async (_, triggerSecret, nodeSecret) => {
			const triggerUrl = await openTriggerWithOtherKey(triggerSecret);
			const reason = await rejectionOf({ triggerUrl, triggerSecret: nodeSecret });
			expect(reason).toMatch(/rejected this node.*another credential.*same 'Trigger Secret'/);
			expect(reason).not.toMatch(/Sesame-1234|Another-5678/);
		},
	);

	it('submits with the Trigger Secret in the option, or in the credential', async () => {
		const triggerSecret = 'Sesame-1234';
		let triggerUrl = await openTriggerWithOtherKey(triggerSecret);
		expect(await create({ triggerUrl, triggerSecret })).toMatchObject({ handedOver: true });
		await host.close();
		triggerUrl = await openTriggerWithOtherKey(triggerSecret);
		rig.kit.credentialData.twoFactorApi!.triggerSecret = triggerSecret;
		expect(await create({ triggerUrl })).toMatchObject({ handedOver: true });
	});

	it('needs no secret if the trigger accepts everyone', async () => {
		const triggerUrl = await openTriggerWithOtherKey('', { acceptFromAnybody: true });
		expect(await create({ triggerUrl })).toMatchObject({ handedOver: true });
	});
});

it('a submission from a machine with a wrong clock is rejected with that reason', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	const { now } = Date;
	let ahead = 0;
	// The signer's clock is ahead; the trigger receives the request a moment later and has the right time.
	host.onRequest = () => void (ahead = 0);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
	// By a minute more than is allowed, since signing and sending take a moment.
	ahead = 360_000;
	expect(await rejectionOf({ triggerUrl })).toMatch(/five minutes.*set the clocks/);
});

it('a signature is valid for one trigger and one body only', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	let signature = '';
	let text = '';
	host.onRequest = (request, body) => {
		// The ID is submitted after the check.
		signature = `${request.headers['x-gatehouse-signature'] as string}`;
		text = body;
	};
	await create({ triggerUrl, triggerData: '{"refund": 1}' });
	host.onRequest = () => undefined;
	const headers = { 'X-Gatehouse-Signature': signature };
	// The same once more does no harm.
	expect(await host.post(text, { headers })).toMatchObject({
		status: 200,
		body: { alreadyWatched: 1 },
	});
	expect((await host.post(text.replace('1', '9'), { headers })).status).toBe(403);
	host.nodes.push({ type: 'twoFactorTrigger', parameters: { acceptNewIds: true } });
	await host.stop();
	await host.start();
	const elsewhere = await host.post(text, { headers, node: 1 });
	expect(elsewhere).toMatchObject({
		status: 403,
		body: { message: expect.stringContaining('another trigger') as string },
	});
});

it('a trigger that is just starting gets the ID a little later', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	await host.stop();
	const created = create({ triggerUrl });
	await delay(500);
	await host.start('init');
	expect(await created).toMatchObject({ handedOver: true });
});

describe('a trigger that does not run', () => {
	it('causes no push message', async () => {
		const triggerUrl = await openTrigger('twoFactorTrigger');
		await host.stop();
		expect(await rejectionOf({ triggerUrl })).toMatch(
			/^The trigger at this URL isn't running at the moment/,
		);
	});

	it('causes no scope job', async () => {
		const triggerUrl = await openTrigger('passwordlessIdentityTrigger');
		await host.stop();
		const { error } = await rig.run('passwordlessIdentity', {
			resource: 'scopeJob',
			operation: 'issue',
			subject: rig.sandbox.demo.user.fingerprint,
			options: { triggerUrl },
		});
		expect(error?.message).toBe("The trigger at this URL isn't running at the moment");
		const issued = rig.sandbox.requestLog
			.entries()
			.filter(({ method, path }) => method === 'POST' && path.endsWith('/scope'));
		expect(issued).toHaveLength(1);
	});

	it('fails the item if it stops between check and submission, and the error names the ID', async () => {
		const triggerUrl = await openTrigger('twoFactorTrigger');
		let stopped: Promise<void> | undefined;
		host.onRequest = () => void (stopped ??= delay(20).then(async () => await host.stop()));
		const before = countCreated();
		rig.sandbox.faultRules.add({ service: 'twoFactor', kind: 'slow' });
		const { error } = await tryToCreate({ triggerUrl });
		rig.sandbox.faultRules.clear();
		expect(countCreated()).toBe(before + 1);
		const uuid = /^The approval request (\S+) was sent, but the trigger didn't accept it/.exec(
			error!.message,
		)![1]!;
		const { description } = error as unknown as { description: string };
		expect(description).toContain(`add ${uuid} under 'Approval Request IDs' in the trigger`);
		// Follow the advice of the message.
		host.nodes[0]!.parameters = { ...host.nodes[0]!.parameters, ids: uuid };
		await host.start();
		decideApproval(rig.sandbox, uuid, 'approved');
		await waitUntil(() => host.executions.length === 1);
	});
});

it('a trigger in test mode keeps listening after the check, and accepts the ID', async () => {
	await openTrigger('twoFactorTrigger');
	const triggerUrl = await host.webhookUrl(0, true);
	expect(await create({ triggerUrl })).toMatchObject({ handedOver: true });
	expect(host.executions).toHaveLength(0);
});
