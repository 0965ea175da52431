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

// A few IDs with unrecognized responses must not delay the others. The exact timing is tested in virtual time; here a client
// that paused for all IDs would take minutes.
const user = deriveDemoKey('the person who was asked');
const good = signToken({ sub: user.fingerprint }, importKeyOf(user));
const waiting = { status: 'waiting', success: true, approval_request: { status: 'pending' } };
const named = (count: number, name: string) =>
	Array.from({ length: count }, (_, n) => `${name}${n}`.padEnd(20, '_'));

let rig: IdentityRig;
const open: Array<{ close: () => Promise<unknown> }> = [];
beforeAll(async () => {
	rig = await openIdentityRig();
	open.push(rig);
});
afterAll(async () => await Promise.all(open.reverse().map(async (each) => await each.close())));

/** A service that answers well about good ids, stays open about slow ones, and gives the others a text or a page. */
async function startService() {
	const server = await startToyServer();
	open.push(server);
	server.respondWith(({ url }, response) => {
		const id = url.split('/').pop()!;
		if (url.startsWith('/key/')) return sendJson(response, 200, { sub: id, status: 'registered' });
		if (id.startsWith('good')) return sendJson(response, 200, { token: good });
		if (id.startsWith('slow')) return sendJson(response, 200, waiting);
		if (id.startsWith('zip')) response.setHeader('content-encoding', 'gzip');
		response.writeHead(200, { 'content-type': 'text/plain' });
		return response.end(id.startsWith('page') ? '<html>Log in</html>' : 'approved');
	});
	const asked = (id: string) => server.requests.filter(({ url }) => url.endsWith(`/${id}`)).length;
	return { url: server.url, asked };
}

async function watch(type: TriggerName, ids: string[]) {
	const service = await startService();
	const typed = type === 'twoFactorTrigger' ? ids : { rows: [{ ids, subject: user.fingerprint }] };
	const parameters = { ids: typed, options: { checkEvery: 1 } } as INodeParameters;
	// The sandbox has no two-factor service here.
	const twoFactorApi = { baseUrl: '', apiKey: 'any key' };
	const credentials = { twoFactorApi, ...rig.sandbox.credentials };
	const host = new TriggerHost({ credentials }, [{ type, parameters }]);
	open.push(host);
	for (const credential of Object.values(host.credentialData)) credential.baseUrl = service.url;
	await host.start('init');
	return { ...service, host };
}

const counted = (items: IDataObject[]) => {
	const counts: Record<string, number> = {};
	for (const { outcome } of items) counts[`${outcome}`] = (counts[`${outcome}`] ?? 0) + 1;
	return counts;
};

it('ten invalid jobs of twenty: the wait ends, and each job has its own outcome', async () => {
	rig.credential({ baseUrl: (await startService()).url });
	const { outputItems, error } = await rig.op(
		'scopeJob',
		'waitUntilFinished',
		{ job: '={{ $json.id }}', waitLimit: 120, simplify: false, options: { checkEvery: 1 } },
		[...named(10, 'bad'), ...named(10, 'good')].map((id) => ({ id })),
	);
	expect(error).toBeUndefined();
	expect(counted(outputItems)).toEqual({ unverified: 10, completed: 10 });
	expect(outputItems[0]).toMatchObject({
		reason: 'unreadable',
		message: expect.stringMatching(/neither a scope job nor its result/) as string,
		polls: 3,
	});
}, 60_000);

it('ten responses that cannot be decompressed delay no other ID, and end none', async () => {
	rig.credential({ baseUrl: (await startService()).url });
	const { outputItems, error } = await rig.op(
		'scopeJob',
		'waitUntilFinished',
		{ job: '={{ $json.id }}', waitLimit: 5, options: { checkEvery: 1 } },
		[...named(10, 'zip'), ...named(10, 'good')].map((id) => ({ id })),
	);
	expect(error).toBeUndefined();
	expect(counted(outputItems)).toEqual({ stillOutstanding: 10, completed: 10 });
	expect(outputItems[0]!.trouble).toMatch(/can't be read/);
}, 60_000);

it('three invalid jobs of twenty: all start the workflow except those with a web page as response', async () => {
	const ids = [...named(3, 'bad'), 'page', ...named(17, 'good'), 'slow'];
	const { host, asked } = await watch('passwordlessIdentityTrigger', ids);
	await waitUntil(() => host.executions.length >= 20 && asked('page') >= 4, undefined, 60_000);
	const items = host.executions.map(({ item }) => item);
	// The bad ones are asked three times, ever more rarely; by then all good ones have started.
	expect(counted(items.slice(0, 17))).toEqual({ completed: 17 });
	expect(counted(items)).toEqual({ completed: 17, unverified: 3 });
	expect(host.startedItemsById().has('page')).toBe(false);
	expect(asked('slow')).toBeGreaterThan(asked('page'));
	// No report says that the service is unavailable.
	expect(host.failedExecutions).toEqual([]);
}, 90_000);

it('a single job is not ended, and an approval request never is: only its own polling slows down', async () => {
	const [alone, approvals] = await Promise.all([
		watch('passwordlessIdentityTrigger', ['bad0']),
		watch('twoFactorTrigger', ['bad0', ...named(5, 'slow')]),
	]);
	await waitUntil(
		() => alone.asked('bad0') >= 4 && approvals.asked('bad0') >= 4,
		undefined,
		60_000,
	);
	expect(alone.host.executions).toEqual([]);
	const [slow] = named(1, 'slow');
	expect(approvals.asked(slow!)).toBeGreaterThan(approvals.asked('bad0'));
	expect([approvals.host.executions, approvals.host.failedExecutions]).toEqual([[], []]);
}, 90_000);
