// Protects Wait for Decision: each item gets its decision within the limit, despite brief failures, and no poll follows it.
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../support/fakeClock';
import { adviceOf, APP_ID, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
/** Creates approval requests and returns their IDs. */
const createApprovals = async (count = 1, options: object = {}) => {
	const input = Array.from({ length: count }, (_, index) => ({ index }));
	const parameters = { twofactorId: APP_ID, message: 'Yes?', options };
	const { outputItems } = await rig.operate('approvalRequest', 'create', parameters, input);
	return outputItems.map(({ id }) => id as string);
};
const waitForDecisions = (
	uuids: string[],
	options: object = {},
	parameters: object = {},
	settings?: object,
) =>
	rig.operate(
		'approvalRequest',
		'waitForDecision',
		{
			uuid: '={{ $json.uuid }}',
			waitLimit: 20,
			options: { checkEvery: 1, ...options },
			...parameters,
		},
		uuids.map((uuid) => ({ uuid })),
		settings,
	);

describe('Wait for Decision', () => {
	it.each(['approved', 'denied'])('ends when the user has %s the request', async (decision) => {
		const [uuid] = (await createApprovals()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision }), 1500);
		const { outputItems, error } = await waitForDecisions([uuid]);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: decision, message: 'Yes?' });
		expect(outputItems[0]!.waitedSeconds).toBeGreaterThanOrEqual(1);
		expect(outputItems[0]!.waitedSeconds).toBeLessThan(6);
	});

	it('ends when the request has expired', async () => {
		const [uuid] = (await createApprovals(1, {
			expiry: { time: { unit: 'hours', amount: 2 } },
		})) as [string];
		setTimeout(() => rig.sandbox.clock.advance(2 * 3600_000), 1200);
		const { outputItems } = await waitForDecisions([uuid]);
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: 'expired' });
	});

	it('ends at the time limit, and outputs stillOutstanding', async () => {
		const [uuid] = (await createApprovals()) as [string];
		const { outputItems, error } = await waitForDecisions([uuid], {}, { waitLimit: 2 });
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: 'stillOutstanding' });
		expect(outputItems[0]!.waitedSeconds).toBeCloseTo(2, 0);
	});

	it('adds a hint that it waits no longer than an hour if an expression returns a higher limit', async () => {
		const [uuid] = (await createApprovals()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision: 'approved' }), 500);
		const { outputItems, hints } = await waitForDecisions([uuid], {}, { waitLimit: '={{ 7200 }}' });
		expect(outputItems[0]).toMatchObject({ outcome: 'approved' });
		expect(hints).toMatchObject([{ message: expect.stringMatching(/hour.*trigger/) as string }]);
	});

	it('uses the default limit if an expression returns a blank limit', async () => {
		const [uuid] = (await createApprovals()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision: 'approved' }), 2500);
		const { outputItems, hints } = await waitForDecisions([uuid], {}, { waitLimit: "={{ '' }}" });
		expect(outputItems[0]).toMatchObject({ outcome: 'approved' });
		// Only the hint about the blocking wait, none about a limit.
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The execution kept running while it waited, since [^.]*\.$/),
		]);
	});

	it('fails only the item whose options cannot be read', async () => {
		const [first, second] = (await createApprovals(2)) as [string, string];
		setTimeout(() => rig.control('decide', { uuid: second, decision: 'approved' }), 1500);
		const failingExpression = `={{ $json.uuid === "${first}" ? $("Nobody").item.json.x : [] }}`;
		const { outputItems, errorItems, error } = await waitForDecisions(
			[first, second],
			{ errorOutcomes: failingExpression },
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ id: second, outcome: 'approved' }]);
		expect(errorItems.map(({ json }) => json.uuid)).toEqual([first]);
	});

	it('outputs gone after three polls for a request that the service does not know', async () => {
		const { outputItems, error } = await waitForDecisions(['00000000-0000-4000-8000-000000000000']);
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{
				id: '00000000-0000-4000-8000-000000000000',
				outcome: 'gone',
				waitedSeconds: expect.any(Number),
			},
		]);
		expect(rig.countRequests('getApprovalRequest')).toBe(3);
	});

	it('waits for all items at the same time, and keeps their order and pairing', async () => {
		const uuids = await createApprovals(6);
		const decisions = ['approved', 'denied', 'approved', 'denied', 'approved', 'approved'];
		setTimeout(
			() =>
				uuids.forEach((uuid, index) => rig.control('decide', { uuid, decision: decisions[index] })),
			1000,
		);
		const startedAtMs = Date.now();
		const run = await waitForDecisions(uuids);
		expect(run.outputItems.map(({ outcome }) => outcome)).toEqual(decisions);
		expect(run.outputItems.map(({ id }) => id)).toEqual(uuids);
		const pairsOn = (output: number) =>
			run.items('Node', output).map(({ pairedItem }) => pairedItem);
		expect(pairsOn(0)).toEqual([1, 3].map((item) => ({ item })));
		expect(pairsOn(1)).toEqual([0, 2, 4, 5].map((item) => ({ item })));
		// Sequential waits would take six times as long.
		expect(Date.now() - startedAtMs).toBeLessThan(5000);
	});

	it('polls at most once a second, and no more after the decision', async () => {
		const [uuid] = (await createApprovals()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision: 'approved' }), 2500);
		await waitForDecisions([uuid]);
		const pollTimesMs = rig.sandbox.requestLog
			.entries({ operationId: 'getApprovalRequest' })
			.map(({ at }) => at);
		expect(pollTimesMs.length).toBeGreaterThanOrEqual(3);
		const intervalsMs = pollTimesMs.slice(1).map((timeMs, index) => timeMs - pollTimesMs[index]!);
		expect(Math.min(...intervalsMs)).toBeGreaterThanOrEqual(1000);
		await delay(1500);
		expect(rig.countRequests('getApprovalRequest')).toBe(pollTimesMs.length);
	});

	it('fails for the outcomes that the user selected, and for no others', async () => {
		const uuids = await createApprovals(2);
		rig.control('decide', { uuid: uuids[0], decision: 'denied' });
		rig.control('decide', { uuid: uuids[1], decision: 'approved' });
		const { outputItems, errorItems } = await waitForDecisions(
			uuids,
			{ errorOutcomes: ['denied', 'expired'] },
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(outputItems).toMatchObject([{ id: uuids[1], outcome: 'approved' }]);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]).toMatchObject({
			json: { error: expect.stringMatching(/^The user denied the approval request/) },
			pairedItem: { item: 0 },
		});
	});

	it('continues after a dropped connection and a 429', async () => {
		const [uuid] = (await createApprovals()) as [string];
		rig.control('decide', { uuid, decision: 'approved' });
		for (const kind of ['drop', '429'] as const) {
			rig.sandbox.faultRules.add({
				service: 'twoFactor',
				operation: 'getApprovalRequest',
				kind,
				times: 1,
				...(kind === '429' ? { retryAfter: 1 } : {}),
			});
		}
		const { outputItems, error } = await waitForDecisions([uuid], {}, { waitLimit: 60 });
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ outcome: 'approved' });
	});

	it('outputs the error of the service if it is unavailable until the time limit', async () => {
		const [uuid] = (await createApprovals()) as [string];
		rig.sandbox.faultRules.add({
			service: 'twoFactor',
			operation: 'getApprovalRequest',
			kind: '500',
		});
		const { outputItems } = await waitForDecisions([uuid], {}, { waitLimit: 3 });
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: 'stillOutstanding' });
		expect(outputItems[0]!.trouble).toMatch(/^Two-factor service: /);
	});

	it('fails at once with advice if the account is suspended', async () => {
		const [uuid] = (await createApprovals()) as [string];
		rig.sandbox.settings.twoFactor.suspended = true;
		const { error } = await waitForDecisions([uuid]);
		expect(error?.message).toBe('Two-factor service: Account is suspended (60060)');
		expect(adviceOf(error)).toMatch(/resolve it with the provider.*The wait was cut short/);
		expect(rig.countRequests('getApprovalRequest')).toBe(1);
	});

	it('ends and polls no more when the execution is cancelled', async () => {
		const [uuid] = (await createApprovals()) as [string];
		const startedAtMs = Date.now();
		await waitForDecisions(
			[uuid],
			{},
			{ waitLimit: 600 },
			{
				onStart: (cancel: () => void) => setTimeout(cancel, 700),
			},
		);
		expect(Date.now() - startedAtMs).toBeLessThan(4000);
		const pollCount = rig.countRequests('getApprovalRequest');
		await delay(1500);
		expect(rig.countRequests('getApprovalRequest')).toBe(pollCount);
	});

	it('fails without a request for an ID that is missing or too long', async () => {
		const { errorItems } = await waitForDecisions(
			['', 'x'.repeat(129)],
			{},
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringContaining("'Approval Request ID' is missing"),
			expect.stringMatching(/128/),
		]);
		expect(rig.countRequests('getApprovalRequest')).toBe(0);
	});
});
