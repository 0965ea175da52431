// Protects watched IDs: neither a 404 of another server nor the approval of another request ends one.
import { setTimeout as delay } from 'node:timers/promises';

import {
	createApprovals,
	createJobs,
	decideApproval,
} from '../../../../lab/drive/approvalsAndJobs';
import { PasswordlessIdentityClient } from '../../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';
import type { IdTriggerName } from '../support/host';
import { startInterceptor } from '../support/interceptor';
import type { FakeResponse, Interceptor } from '../support/interceptor';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
let host: TriggerHost;
let interceptor: Interceptor;
afterEach(async () => {
	await host.close();
	await interceptor.close();
});

interface WatchedService {
	type: IdTriggerName;
	credentialType: string;
	path: string;
	ids: (id: string) => unknown;
	create: () => Promise<string>;
	finish: (id: string) => unknown;
	outcome: string;
}

const SERVICES: WatchedService[] = [
	{
		type: 'twoFactorTrigger',
		credentialType: 'twoFactorApi',
		path: '/onetouch/json/approval_requests/',
		ids: (id) => id,
		create: async () => (await createApprovals(new TwoFactorClient(sandbox), 1))[0]!,
		finish: (id) => decideApproval(sandbox, id, 'approved'),
		outcome: 'approved',
	},
	{
		type: 'passwordlessIdentityTrigger',
		credentialType: 'passwordlessIdentityApi',
		path: '/scope/',
		ids: (id) => ({ rows: [{ ids: id }] }),
		create: async () => (await createJobs(new PasswordlessIdentityClient(sandbox), 1))[0]!,
		finish: async (job) => await sandbox.control('passwordlessIdentity', 'approve', { job }),
		outcome: 'completed',
	},
];

describe.each(SERVICES)('$type', ({ type, credentialType, path, ids, create, finish, outcome }) => {
	it.each<FakeResponse>([
		{ status: 404, body: { message: 'no Route matched with those values' } },
		{ status: 404, body: {} },
		{ status: 410, body: { message: 'Gone' } },
	])('keeps an ID while another server answers %j', async (answer) => {
		const id = await create();
		host = new TriggerHost(sandbox, [
			{ type, parameters: { simplify: false, ids: ids(id), options: { checkEvery: 1 } } },
		] as never);
		const credential = host.credentialData[credentialType]!;
		interceptor = await startInterceptor(`${credential.baseUrl}`);
		credential.baseUrl = interceptor.url;
		let isIntercepting = true;
		const polls = () => interceptor.requests.filter(({ url }) => url.startsWith(path)).length;
		interceptor.respond = () => (isIntercepting ? answer : undefined);
		await host.start();
		await waitUntil(() => polls() >= 4);
		await delay(1000);
		expect(host.executions).toEqual([]);
		isIntercepting = false;
		await finish(id);
		await waitUntil(() => host.executions.length === 1);
		expect(host.executions[0]!.item).toMatchObject({ id, outcome });
	});
});

it('the trigger does not count an approval of another application or without an ID', async () => {
	const id = await SERVICES[0]!.create();
	host = new TriggerHost(sandbox, [
		{ type: 'twoFactorTrigger', parameters: { ids: id, options: { checkEvery: 1 } } },
	] as never);
	const credential = host.credentialData.twoFactorApi!;
	interceptor = await startInterceptor(`${credential.baseUrl}`);
	credential.baseUrl = interceptor.url;
	const polls = () => interceptor.requests.filter(({ url }) => url.endsWith(id)).length;
	const foreignRecords = [{ uuid: id, _app_serial_id: 9 }, {}];
	let isIntercepting = true;
	interceptor.respond = ({ url }) => {
		if (!isIntercepting || !url.endsWith(id)) return undefined;
		const record = foreignRecords[polls() % foreignRecords.length];
		return { body: { approval_request: { status: 'approved', ...record }, success: true } };
	};
	await host.start();
	await waitUntil(() => polls() >= 4);
	await delay(1000);
	expect(host.executions).toEqual([]);
	isIntercepting = false;
	decideApproval(sandbox, id, 'denied');
	await waitUntil(() => host.executions.length === 1);
	expect(host.executions[0]!.item).toMatchObject({ id, outcome: 'denied' });
});
