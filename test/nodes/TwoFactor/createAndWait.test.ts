// Protects Create that waits: all requests are sent before it waits, and each item gets its own decision or an error.
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../support/fakeClock';
import { adviceOf, APP_ID, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const readPendingUuids = () =>
	rig
		.control('approvals', { status: 'pending' })
		.map(({ uuid }: IDataObject) => uuid as string) as string[];
/** Waits until this many requests are pending, then returns them. */
async function waitForPending(count: number): Promise<string[]> {
	for (let attempt = 0; attempt < 200; attempt++) {
		if (readPendingUuids().length >= count) return readPendingUuids();
		await delay(25);
	}
	throw new Error(`There are not ${count} pending requests`);
}

describe('Create with the option to wait', () => {
	const createAndWait = (
		itemCount: number,
		parameters: object = {},
		options: object = {},
		settings?: object,
	) =>
		rig.operate(
			'approvalRequest',
			'create',
			{
				twofactorId: '={{ $json.id ?? "100002" }}',
				message: '=Question {{ $json.index }}',
				wait: true,
				waitLimit: 20,
				options: { checkEvery: 1, ...options },
				...parameters,
			},
			Array.from({ length: itemCount }, (_, index) => ({ index })),
			settings,
		);

	it('sends all requests before it waits for any, and outputs each decision', async () => {
		const running = createAndWait(3);
		const uuids = await waitForPending(3);
		rig.control('decide', { uuid: uuids[0], decision: 'approved' });
		rig.control('decide', { uuid: uuids[1], decision: 'denied' });
		rig.control('expire', { uuid: uuids[2] });
		const { outputItems, error } = await running;
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([
			{ id: uuids[0], outcome: 'approved', message: 'Question 0' },
			{ id: uuids[1], outcome: 'denied', message: 'Question 1' },
			{ id: uuids[2], outcome: 'expired', message: 'Question 2' },
		]);
		expect(rig.countRequests('createApprovalRequest')).toBe(3);
	});

	it('waits for the other requests if one could not be sent and errors continue', async () => {
		const running = rig.operate(
			'approvalRequest',
			'create',
			{
				twofactorId: '={{ $json.id }}',
				message: 'Yes?',
				wait: true,
				waitLimit: 20,
				options: { checkEvery: 1 },
			},
			[{ id: '999999' }, { id: APP_ID }],
			{ onError: 'continueErrorOutput' },
		);
		const [uuid] = await waitForPending(1);
		rig.control('decide', { uuid, decision: 'approved' });
		const { outputItems, errorItems } = await running;
		expect(outputItems).toMatchObject([{ id: uuid, outcome: 'approved' }]);
		expect(errorItems).toMatchObject([
			{
				json: { error: expect.stringMatching(/^Row 1 of 2: .*User not found \(60026\)/) },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('does not wait if an item has failed and errors stop the workflow', async () => {
		const { error } = await rig.operate(
			'approvalRequest',
			'create',
			{ twofactorId: '={{ $json.id }}', message: 'Yes?', wait: true, waitLimit: 600 },
			[{ id: APP_ID }, { id: '999999' }],
		);
		expect(error?.message).toContain('(60026)');
		expect(rig.countRequests('getApprovalRequest')).toBe(0);
	});

	it('fails with the ID of the sent request if the wait fails', async () => {
		const running = createAndWait(1);
		const [uuid] = await waitForPending(1);
		rig.sandbox.settings.twoFactor.suspended = true;
		const { error } = await running;
		expect(error?.message).toMatch(/suspended/i);
		expect(adviceOf(error)).toContain(`The approval request ${uuid} was sent anyway`);
	});

	it('fails for a denial if the user selected that outcome as an error', async () => {
		const running = createAndWait(1, {}, { errorOutcomes: ['denied'] });
		const [uuid] = await waitForPending(1);
		rig.control('decide', { uuid, decision: 'denied' });
		const { error } = await running;
		expect(error?.message).toBe('The user denied the approval request');
	});

	it('does not wait if the option is off', async () => {
		const { outputItems } = await createAndWait(1, { wait: false });
		expect(outputItems[0]).toMatchObject({ outcome: 'pending' });
		expect(rig.countRequests('getApprovalRequest')).toBe(0);
	});
});
