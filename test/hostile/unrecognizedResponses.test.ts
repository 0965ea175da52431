// Protects waits and triggers with many IDs: a few IDs with unrecognized responses do not delay the others.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { deriveDemoKey } from '../../sandbox/demoIdentities';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import type { TriggerName } from '../engine/trigger/support/host';
import { openIdentityRig } from '../nodes/PasswordlessIdentity/identityRig';
import type { IdentityRig } from '../nodes/PasswordlessIdentity/identityRig';
import { importKeyOf, signToken } from '../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../support/fakeClock';
import { sendJson, startToyServer } from '../support/toy';

useAcceleratedTime();

// The exact timing is tested in virtual time; here a client that paused for all IDs would take minutes.
const user = deriveDemoKey('the person who was asked');
const validToken = signToken({ sub: user.fingerprint }, importKeyOf(user));
const pendingResponse = (uuid: string) => ({
	status: 'waiting',
	success: true,
	approval_request: { uuid, status: 'pending' },
});
const numberedIds = (count: number, name: string) =>
	Array.from({ length: count }, (_, n) => `${name}${n}`.padEnd(20, '_'));

let rig: IdentityRig;
const openResources: Array<{ close: () => Promise<unknown> }> = [];
beforeAll(async () => {
	rig = await openIdentityRig();
	openResources.push(rig);
});
afterAll(
	async () =>
		await Promise.all(openResources.reverse().map(async (resource) => await resource.close())),
);

/** Starts a service. It returns a result or `pending`, depending on the ID, and a text or a web page for all other IDs. */
async function startService() {
	const server = await startToyServer();
	openResources.push(server);
	server.respondWith(({ url }, response) => {
		const id = url.split('/').pop()!;
		if (url.startsWith('/key/')) return sendJson(response, 200, { sub: id, status: 'registered' });
		if (id.startsWith('good')) return sendJson(response, 200, { token: validToken });
		if (id.startsWith('slow')) return sendJson(response, 200, pendingResponse(id));
		if (id.startsWith('back'))
			return sendJson(response, 200, { success: false, message: 'Back soon' });
		if (id.startsWith('zip')) response.setHeader('content-encoding', 'gzip');
		response.writeHead(200, { 'content-type': 'text/plain' });
		return response.end(id.startsWith('page') ? '<html>Log in</html>' : 'approved');
	});
	const countRequestsFor = (id: string) =>
		server.requests.filter(({ url }) => url.endsWith(`/${id}`)).length;
	return { url: server.url, countRequestsFor };
}

async function watch(type: TriggerName, ids: string[]) {
	const service = await startService();
	const idsParameter =
		type === 'twoFactorTrigger' ? ids : { rows: [{ ids, subject: user.fingerprint }] };
	const parameters = { ids: idsParameter, options: { checkEvery: 1 } } as INodeParameters;
	// The sandbox has no two-factor service here.
	const twoFactorApi = { baseUrl: '', apiKey: 'any key' };
	const credentials = { twoFactorApi, ...rig.sandbox.credentials };
	const host = new TriggerHost({ credentials }, [{ type, parameters }]);
	openResources.push(host);
	for (const credential of Object.values(host.credentialData)) credential.baseUrl = service.url;
	await host.start('init');
	return { ...service, host };
}

const countByOutcome = (items: IDataObject[]) => {
	const counts: Record<string, number> = {};
	for (const { outcome } of items) counts[`${outcome}`] = (counts[`${outcome}`] ?? 0) + 1;
	return counts;
};

it('a wait for twenty jobs, ten with unrecognized responses, ends with an outcome for each job', async () => {
	rig.changeCredential({ baseUrl: (await startService()).url });
	const { outputItems, error } = await rig.operate(
		'scopeJob',
		'waitUntilFinished',
		{ job: '={{ $json.id }}', waitLimit: 120, simplify: false, options: { checkEvery: 1 } },
		[...numberedIds(10, 'bad'), ...numberedIds(10, 'good')].map((id) => ({ id })),
	);
	expect(error).toBeUndefined();
	expect(countByOutcome(outputItems)).toEqual({ unverified: 10, completed: 10 });
	expect(outputItems[0]).toMatchObject({
		reason: 'unreadable',
		message: expect.stringMatching(/neither a scope job nor its result/) as string,
		polls: 3,
	});
}, 60_000);

it('ten responses that cannot be decompressed delay no other ID, and end no wait', async () => {
	rig.changeCredential({ baseUrl: (await startService()).url });
	const { outputItems, error } = await rig.operate(
		'scopeJob',
		'waitUntilFinished',
		{ job: '={{ $json.id }}', waitLimit: 5, options: { checkEvery: 1 } },
		[...numberedIds(10, 'zip'), ...numberedIds(10, 'good')].map((id) => ({ id })),
	);
	expect(error).toBeUndefined();
	expect(countByOutcome(outputItems)).toEqual({ stillOutstanding: 10, completed: 10 });
	expect(outputItems[0]!.trouble).toMatch(/can't be read/);
}, 60_000);

it('refusals with a success status delay no other ID, and end no wait', async () => {
	rig.changeCredential({ baseUrl: (await startService()).url });
	const { outputItems, error } = await rig.operate(
		'scopeJob',
		'waitUntilFinished',
		{ job: '={{ $json.id }}', waitLimit: 5, options: { checkEvery: 1 } },
		[...numberedIds(2, 'back'), ...numberedIds(10, 'good')].map((id) => ({ id })),
	);
	expect(error).toBeUndefined();
	expect(countByOutcome(outputItems)).toEqual({ stillOutstanding: 2, completed: 10 });
	expect(outputItems[0]!.trouble).toMatch(/Back soon/);
}, 60_000);

it('the trigger reports three jobs with unrecognized responses after 17 others, and no job with a web page as response', async () => {
	const ids = [...numberedIds(3, 'bad'), 'page', ...numberedIds(17, 'good'), 'slow'];
	const { host, countRequestsFor } = await watch('passwordlessIdentityTrigger', ids);
	await waitUntil(
		() => host.executions.length >= 20 && countRequestsFor('page') >= 4,
		undefined,
		60_000,
	);
	const items = host.executions.map(({ item }) => item);
	// A bad ID is polled three times with growing pauses. Before that, every good ID has started the workflow.
	expect(countByOutcome(items.slice(0, 17))).toEqual({ completed: 17 });
	expect(countByOutcome(items)).toEqual({ completed: 17, unverified: 3 });
	expect(host.startedItemsById().has('page')).toBe(false);
	expect(countRequestsFor('slow')).toBeGreaterThan(countRequestsFor('page'));
	// No report says that the service is unavailable.
	expect(host.failedExecutions).toEqual([]);
}, 90_000);

it('unrecognized responses end neither a single job nor an approval request, and slow down only the polling of that ID', async () => {
	const [singleJob, approvals] = await Promise.all([
		watch('passwordlessIdentityTrigger', ['bad0']),
		watch('twoFactorTrigger', ['bad0', ...numberedIds(5, 'slow')]),
	]);
	await waitUntil(
		() => singleJob.countRequestsFor('bad0') >= 4 && approvals.countRequestsFor('bad0') >= 4,
		undefined,
		60_000,
	);
	expect(singleJob.host.executions).toEqual([]);
	const [slow] = numberedIds(1, 'slow');
	expect(approvals.countRequestsFor(slow!)).toBeGreaterThan(approvals.countRequestsFor('bad0'));
	expect([approvals.host.executions, approvals.host.failedExecutions]).toEqual([[], []]);
}, 90_000);
