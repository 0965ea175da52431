// Protects n8n's preview of a trigger: it names exactly the fields of the items that start the workflow, with their types.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	decideApproval,
	createApprovals,
	createJobs,
} from '../../../../lab/drive/approvalsAndJobs';
import type { IdTriggerDefinition } from '../../../../nodes/engine/trigger/ids/idTriggerDefinition';
import { definition as scopeJobs } from '../../../../nodes/PasswordlessIdentity/trigger/definition';
import { definition as approvalRequests } from '../../../../nodes/TwoFactor/trigger/definition';
import { createTriggerSchema } from '../../../../scripts/schemas';
import {
	newHolder,
	PasswordlessIdentityClient,
} from '../../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { findSchemaMismatches } from '../../../support/preview';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
/** Polls every second and ends after 3.6 seconds. */
const SHORT_POLLING = { checkEvery: 1, stopAfterHours: 0.001 };

/** Runs a trigger until all of its IDs have ended; returns the items of the started executions. */
async function runUntilEnded(
	type: 'passwordlessIdentityTrigger' | 'twoFactorTrigger',
	startCount: number,
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const host = new TriggerHost(sandbox, [
		{ type, parameters: { options: SHORT_POLLING, ...parameters } },
	]);
	await host.start();
	await waitUntil(
		() => host.executions.length === startCount,
		() => host.executions,
	);
	await host.close();
	return host.executions.map(({ item }) => item);
}

/**
 * Returns the fields that the preview names and no item has. A field that an item has and the preview does not name is an
 * error.
 */
function findMissingFields({ shape }: IdTriggerDefinition, items: IDataObject[]): string[] {
	const { properties } = createTriggerSchema(
		{ addedFields: shape.outputSchema, returnedBy: [] },
		[],
	);
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
	const items = await runUntilEnded('twoFactorTrigger', 5, { ids: [...ids, 'no-such-request'] });
	sandbox.faultRules.add({ service: 'twoFactor', operation: 'getApprovalRequest', kind: '503' });
	items.push(...(await runUntilEnded('twoFactorTrigger', 1, { ids: ids[3]! })));
	sandbox.faultRules.clear();
	expect(new Set(items.map(({ outcome }) => outcome))).toEqual(
		new Set(approvalRequests.outcomes.map(({ value }) => value)),
	);
	expect(findMissingFields(approvalRequests, items)).toEqual([]);
});

it('the preview of a scope job matches its output, for every outcome', async () => {
	const issuer = new PasswordlessIdentityClient(sandbox);
	const jobs = await createJobs(issuer, 5);
	const [approved, approvedByOther, denied, expired, outstanding] = jobs as [
		string,
		string,
		string,
		string,
		string,
	];
	await sandbox.control('passwordlessIdentity', 'approve', { job: approved });
	await sandbox.control('passwordlessIdentity', 'approve', { job: approvedByOther });
	sandbox.control('passwordlessIdentity', 'deny', { job: denied });
	sandbox.control('passwordlessIdentity', 'expire', { job: expired });
	const watchRows = async (rows: INodeParameters[], startCount: number, options = {}) =>
		await runUntilEnded('passwordlessIdentityTrigger', startCount, {
			ids: { rows },
			options: { ...SHORT_POLLING, ...options },
		});
	const items = await watchRows(
		[
			{ ids: [approved, denied, expired, outstanding, 'NoSuchJobAtAll123456'], subject: '' },
			{ ids: approvedByOther, subject: newHolder().fingerprint },
		],
		6,
	);
	items.push(...(await watchRows([{ ids: approved, subject: '' }], 1, { verify: false })));
	sandbox.faultRules.add({
		service: 'passwordlessIdentity',
		operation: 'getScopeJob',
		kind: '503',
	});
	items.push(...(await watchRows([{ ids: outstanding, subject: '' }], 1)));
	sandbox.faultRules.clear();
	expect(new Set(items.map(({ outcome }) => outcome))).toEqual(
		new Set(scopeJobs.outcomes.map(({ value }) => value)),
	);
	expect(findMissingFields(scopeJobs, items)).toEqual([]);
});
