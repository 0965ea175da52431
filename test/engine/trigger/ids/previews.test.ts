import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	decideApproval,
	createApprovals,
	createJobs,
} from '../../../../lab/drive/approvalsAndJobs';
import type { IdTriggerDefinition } from '../../../../nodes/engine/trigger/ids/idTriggerDefinition';
import { scopeJobs } from '../../../../nodes/PasswordlessIdentity/trigger/definition';
import { approvalRequests } from '../../../../nodes/TwoFactor/trigger/definition';
import { triggerSchema } from '../../../../scripts/schemas';
import {
	newHolder,
	PasswordlessIdentityClient,
} from '../../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { findSchemaMismatches } from '../../../support/preview';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

// n8n's preview of a trigger matches the items that start the workflow: every field, of that type, and no other.

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
const OVER_SOON = { checkEvery: 1, stopAfterHours: 0.001 };

/** Lets a trigger run until all of its ids have ended, and gives what it started with. */
async function itemsOf(
	type: 'passwordlessIdentityTrigger' | 'twoFactorTrigger',
	count: number,
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const host = new TriggerHost(sandbox, [
		{ type, parameters: { options: OVER_SOON, ...parameters } },
	]);
	await host.start();
	await waitUntil(
		() => host.executions.length === count,
		() => host.executions,
	);
	await host.close();
	return host.executions.map(({ item }) => item);
}

/**
 * Returns the fields that the preview names and no item has. A field that an item has and the preview does not name is an
 * error.
 */
function unseen({ shape }: IdTriggerDefinition, items: IDataObject[]): string[] {
	const { properties } = triggerSchema({ addedFields: shape.outputSchema, returnedBy: [] }, []);
	expect(findSchemaMismatches(items, properties)).toEqual([]);
	for (const item of items) {
		expect(Object.keys(item)).toEqual(Object.keys(properties).filter((name) => name in item));
	}
	return Object.keys(properties).filter((name) => !items.some((item) => name in item));
}

it('the preview of an approval request matches its output, for every outcome', async () => {
	const ids = await createApprovals(new TwoFactorClient(sandbox), 4);
	decideApproval(sandbox, ids[0]!, 'approved');
	decideApproval(sandbox, ids[1]!, 'denied');
	sandbox.control('twoFactor', 'expire', { uuid: ids[2]! });
	const items = await itemsOf('twoFactorTrigger', 5, { ids: [...ids, 'no-such-request'] });
	sandbox.faultRules.add({ service: 'twoFactor', operation: 'getApprovalRequest', kind: '503' });
	items.push(...(await itemsOf('twoFactorTrigger', 1, { ids: ids[3]! })));
	sandbox.faultRules.clear();
	expect(new Set(items.map(({ outcome }) => outcome))).toEqual(
		new Set(approvalRequests.outcomes.map(({ value }) => value)),
	);
	expect(unseen(approvalRequests, items)).toEqual([]);
});

it('the preview of a scope job matches its output, for every outcome', async () => {
	const issuer = new PasswordlessIdentityClient(sandbox);
	const jobs = await createJobs(issuer, 5);
	const [good, other, denied, expired, open] = jobs as [string, string, string, string, string];
	await sandbox.control('passwordlessIdentity', 'approve', { job: good });
	await sandbox.control('passwordlessIdentity', 'approve', { job: other });
	sandbox.control('passwordlessIdentity', 'deny', { job: denied });
	sandbox.control('passwordlessIdentity', 'expire', { job: expired });
	const watch = async (rows: INodeParameters[], count: number, options = {}) =>
		await itemsOf('passwordlessIdentityTrigger', count, {
			ids: { rows },
			options: { ...OVER_SOON, ...options },
		});
	const items = await watch(
		[
			{ ids: [good, denied, expired, open, 'NoSuchJobAtAll123456'], subject: '' },
			{ ids: other, subject: newHolder().fingerprint },
		],
		6,
	);
	items.push(...(await watch([{ ids: good, subject: '' }], 1, { verify: false })));
	sandbox.faultRules.add({
		service: 'passwordlessIdentity',
		operation: 'getScopeJob',
		kind: '503',
	});
	items.push(...(await watch([{ ids: open, subject: '' }], 1)));
	sandbox.faultRules.clear();
	expect(new Set(items.map(({ outcome }) => outcome))).toEqual(
		new Set(scopeJobs.outcomes.map(({ value }) => value)),
	);
	expect(unseen(scopeJobs, items)).toEqual([]);
});
