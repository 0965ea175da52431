// Protects n8n from a large backlog of changes: they start in order, few at a time, and leave the event loop free.
import { createRecord, FollowerHarness, neverEnd, HOUR, createList, MINUTE } from './listHarness';

test('waiting for confirmed starts leaves no listener on a signal that is not aborted', async () => {
	const harness = await new FollowerHarness({ maxUnconfirmed: 1 }).open();
	const addListener = jest.spyOn(AbortSignal.prototype, 'addEventListener');
	const removeListener = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
	const countOpen = () => {
		const remaining = new Map<unknown, number>();
		for (const signal of addListener.mock.contexts)
			remaining.set(signal, (remaining.get(signal) ?? 0) + 1);
		for (const signal of removeListener.mock.contexts)
			remaining.set(signal, (remaining.get(signal) ?? 0) - 1);
		return Math.max(
			...[...remaining].map(([signal, open]) => ((signal as AbortSignal).aborted ? 0 : open)),
		);
	};
	harness.runExecution = async () => await harness.time.sleep(100);
	for (let index = 0; index < 20; index++) harness.upsertRecord(createRecord(`r${index}`, 2000));
	await harness.time.advance(2 * MINUTE);
	expect(harness.acceptedStarts).toHaveLength(20);
	expect(addListener.mock.calls.length).toBeGreaterThan(19);
	// Only the current sleep listens.
	expect(countOpen()).toBeLessThanOrEqual(1);
});

test('a day of backlog is started in order, page by page, within the limit of unconfirmed starts', async () => {
	const harness = new FollowerHarness({ pageSize: 20, maxUnconfirmed: 5 });
	await harness.open();
	harness.failPage = () => ({ kind: 'unavailable', message: '503' });
	await harness.time.advance(MINUTE);
	for (let index = 0; index < 300; index++)
		harness.upsertRecord(createRecord(`r${index}`, index * 4 * MINUTE));
	await harness.time.advance(24 * HOUR);
	harness.failPage = () => undefined;
	let unconfirmedCount = 0;
	let maxUnconfirmedCount = 0;
	harness.runExecution = async () => {
		maxUnconfirmedCount = Math.max(maxUnconfirmedCount, ++unconfirmedCount);
		await harness.time.sleep(1000);
		unconfirmedCount--;
	};
	await harness.time.advance(HOUR);
	expect(harness.startedChanges).toEqual(
		Array.from({ length: 300 }, (_, index) => `created r${index}`),
	);
	expect(maxUnconfirmedCount).toBe(5);
});

test('a long list is compared in slices of at most 20 records between two turns of the event loop', async () => {
	// Each record takes a millisecond. The follower sleeps to let the event loop turn.
	let comparedSinceSleep = 0;
	const sliceSizes: number[] = [];
	const definition = createList({
		isFiltered: false,
		identify: ({ Id }) => {
			harness.time.nowMs++;
			sliceSizes.push(++comparedSinceSleep);
			return Id;
		},
	});
	const harness: FollowerHarness = new FollowerHarness({
		listDefinitions: [definition],
		pageSize: 2000,
	});
	const { sleep } = harness.time;
	Object.assign(harness.time, {
		sleep: async (ms: number, signal?: AbortSignal) => {
			comparedSinceSleep = 0;
			await sleep(ms, signal);
		},
	});
	for (let Id = 0; Id < 1000; Id++) harness.upsertRecord({ Id, N: 0 });
	await harness.open(10_000);
	for (let Id = 0; Id < 1000; Id += 100) harness.upsertRecord({ Id, N: 1 });
	await harness.time.advance(2 * MINUTE);
	expect(sliceSizes.length).toBeGreaterThanOrEqual(3000);
	expect(Math.max(...sliceSizes)).toBeLessThanOrEqual(20);
	expect(harness.startedChanges).toEqual(
		Array.from({ length: 10 }, (_, index) => `updated ${100 * index}`),
	);
});

test('at most ten starts are unconfirmed by default, so that a kill of n8n crashes few executions', async () => {
	const harness = await new FollowerHarness().open();
	harness.runExecution = neverEnd;
	for (let index = 0; index < 60; index++) harness.upsertRecord(createRecord(`p${index}`, 2000));
	await harness.time.advance(3 * MINUTE);
	expect(harness.requestedStarts).toHaveLength(10);
});
