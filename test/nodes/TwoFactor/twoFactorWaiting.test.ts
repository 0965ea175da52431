import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../support/fakeClock';
import { adviceOf, DEMO_ID, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const ask = async (items = 1, options: object = {}) => {
	const input = Array.from({ length: items }, (_, index) => ({ index }));
	const parameters = { twofactorId: DEMO_ID, message: 'Yes?', options };
	const { outputItems } = await rig.operate('approvalRequest', 'create', parameters, input);
	return outputItems.map(({ id }) => id as string);
};
const wait = (uuids: string[], options: object = {}, parameters: object = {}, settings?: object) =>
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
	it.each(['approved', 'denied'])('ends when the user has %s', async (decision) => {
		const [uuid] = (await ask()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision }), 1500);
		const { outputItems, error } = await wait([uuid]);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: decision, message: 'Yes?' });
		expect(outputItems[0]!.waitedSeconds).toBeGreaterThanOrEqual(1);
		expect(outputItems[0]!.waitedSeconds).toBeLessThan(6);
	});

	it('ends when the request has expired', async () => {
		const [uuid] = (await ask(1, { expiry: { time: { unit: 'hours', amount: 2 } } })) as [string];
		setTimeout(() => rig.sandbox.clock.advance(2 * 3600_000), 1200);
		const { outputItems } = await wait([uuid]);
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: 'expired' });
	});

	it('ends at the limit, and outputs the last state', async () => {
		const [uuid] = (await ask()) as [string];
		const { outputItems, error } = await wait([uuid], {}, { waitLimit: 2 });
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: 'stillOutstanding' });
		expect(outputItems[0]!.waitedSeconds).toBeCloseTo(2, 0);
	});

	it('adds a hint that it waits no longer than an hour if an expression returns a higher limit', async () => {
		const [uuid] = (await ask()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision: 'approved' }), 500);
		const { outputItems, hints } = await wait([uuid], {}, { waitLimit: '={{ 7200 }}' });
		expect(outputItems[0]).toMatchObject({ outcome: 'approved' });
		expect(hints).toMatchObject([{ message: expect.stringMatching(/hour.*trigger/) as string }]);
	});

	it('uses the default limit if an expression returns a blank one', async () => {
		const [uuid] = (await ask()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision: 'approved' }), 2500);
		const { outputItems, hints } = await wait([uuid], {}, { waitLimit: "={{ '' }}" });
		expect(outputItems[0]).toMatchObject({ outcome: 'approved' });
		// Only the hint about the blocking wait, none about a limit.
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The execution kept running while it waited, since [^.]*\.$/),
		]);
	});

	it('fails only the item whose options cannot be read', async () => {
		const [first, second] = (await ask(2)) as [string, string];
		setTimeout(() => rig.control('decide', { uuid: second, decision: 'approved' }), 1500);
		const fragile = `={{ $json.uuid === "${first}" ? $("Nobody").item.json.x : [] }}`;
		const { outputItems, errorItems, error } = await wait(
			[first, second],
			{ errorOutcomes: fragile },
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ id: second, outcome: 'approved' }]);
		expect(errorItems.map(({ json }) => json.uuid)).toEqual([first]);
	});

	it('outputs gone for a request that the service does not know', async () => {
		const { outputItems, error } = await wait(['00000000-0000-4000-8000-000000000000']);
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

	it('waits for all items together, and keeps order and pairing', async () => {
		const uuids = await ask(6);
		const decisions = ['approved', 'denied', 'approved', 'denied', 'approved', 'approved'];
		setTimeout(
			() =>
				uuids.forEach((uuid, index) => rig.control('decide', { uuid, decision: decisions[index] })),
			1000,
		);
		const started = Date.now();
		const done = await wait(uuids);
		expect(done.outputItems.map(({ outcome }) => outcome)).toEqual(decisions);
		expect(done.outputItems.map(({ id }) => id)).toEqual(uuids);
		expect(done.items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			uuids.map((_, item) => ({ item })),
		);
		// One after the other would take six times as long.
		expect(Date.now() - started).toBeLessThan(5000);
	});

	it('polls at most once a second, and not after the end', async () => {
		const [uuid] = (await ask()) as [string];
		setTimeout(() => rig.control('decide', { uuid, decision: 'approved' }), 2500);
		await wait([uuid]);
		const times = rig.sandbox.requestLog
			.entries({ operationId: 'getApprovalRequest' })
			.map(({ at }) => at);
		expect(times.length).toBeGreaterThanOrEqual(3);
		const gaps = times.slice(1).map((at, index) => at - times[index]!);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
		await delay(1500);
		expect(rig.countRequests('getApprovalRequest')).toBe(times.length);
	});

	it('fails for the outcomes that the user selected, and for no others', async () => {
		const uuids = await ask(2);
		rig.control('decide', { uuid: uuids[0], decision: 'denied' });
		rig.control('decide', { uuid: uuids[1], decision: 'approved' });
		const { outputItems, errorItems } = await wait(
			uuids,
			{ errorOutcomes: ['denied', 'expired'] },
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(outputItems).toMatchObject([{ id: uuids[1], outcome: 'approved' }]);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]).toMatchObject({
			json: { error: 'The user denied the approval request [item 0]' },
			pairedItem: { item: 0 },
		});
	});

	it('continues through faults of the service', async () => {
		const [uuid] = (await ask()) as [string];
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
		const { outputItems, error } = await wait([uuid], {}, { waitLimit: 60 });
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ outcome: 'approved' });
	});

	it('reports the problem if the service stays unavailable until the limit', async () => {
		const [uuid] = (await ask()) as [string];
		rig.sandbox.faultRules.add({
			service: 'twoFactor',
			operation: 'getApprovalRequest',
			kind: '500',
		});
		const { outputItems } = await wait([uuid], {}, { waitLimit: 3 });
		expect(outputItems[0]).toMatchObject({ id: uuid, outcome: 'stillOutstanding' });
		expect(outputItems[0]!.trouble).toMatch(/^Two-factor service: /);
	});

	it('fails at once with advice if the account is suspended', async () => {
		const [uuid] = (await ask()) as [string];
		rig.sandbox.settings.twoFactor.suspended = true;
		const { error } = await wait([uuid]);
		expect(error?.message).toBe('Two-factor service: Account is suspended (60060)');
		expect(adviceOf(error)).toMatch(/resolve it with the provider.*The wait was cut short/);
		expect(rig.countRequests('getApprovalRequest')).toBe(1);
	});

	it('stops when the execution is cancelled', async () => {
		const [uuid] = (await ask()) as [string];
		const started = Date.now();
		await wait(
			[uuid],
			{},
			{ waitLimit: 600 },
			{
				onStart: (cancel: () => void) => setTimeout(cancel, 700),
			},
		);
		expect(Date.now() - started).toBeLessThan(4000);
		const polls = rig.countRequests('getApprovalRequest');
		await delay(1500);
		expect(rig.countRequests('getApprovalRequest')).toBe(polls);
	});

	it('fails for an ID that is missing or too long', async () => {
		const { errorItems } = await wait(
			['', 'x'.repeat(129)],
			{},
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			"'Approval Request ID' is missing [item 0]",
			expect.stringMatching(/128/),
		]);
		expect(rig.countRequests('getApprovalRequest')).toBe(0);
	});
});
