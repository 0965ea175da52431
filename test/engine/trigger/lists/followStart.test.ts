// Protects the time since which a list is followed: the activation, however late the service responds or clocks change.
import { createRecord, FollowerHarness, HOUR, createList, MINUTE, formatTime } from './listHarness';

describe('the time since which a list is followed', () => {
	test('is the activation of the trigger, even if the service responds later', async () => {
		const harness = new FollowerHarness({ kinds: new Set(['created']) });
		harness.upsertRecord(createRecord('old', -3000));
		harness.failPage = () => ({ kind: 'unavailable', message: '503' });
		harness.discoveryDateHeader = () => undefined;
		await harness.open();
		harness.upsertRecord(createRecord('new', 5000));
		harness.failPage = () => undefined;
		await harness.restart(10_000);
		expect(harness.startedChanges).toEqual(['created new']);
	});

	test('does not move when the local clock is changed before the service responds', async () => {
		const harness = new FollowerHarness({ kinds: new Set(['created']) });
		harness.upsertRecord(createRecord('old', -HOUR));
		harness.failPage = () => ({ kind: 'unavailable', message: '503' });
		harness.discoveryDateHeader = () => undefined;
		await harness.open();
		harness.time.wallClockOffsetMs += 5 * 24 * HOUR;
		harness.failPage = () => undefined;
		await harness.time.advance(5 * MINUTE);
		expect(harness.startedChanges).toEqual([]);
	});

	test('is respected in the first poll of a list, which reaches back further', async () => {
		const listDefinitions = ['people', 'orders'].map((key) => createList({ key }));
		const harness = new FollowerHarness({ listDefinitions, kinds: new Set(['created']) });
		const createOldRecord = (afterMs: number) => ({
			Id: 'old',
			CreatedAt: formatTime(-HOUR).slice(0, -1),
			Stamp: formatTime(afterMs).slice(0, -1),
		});
		for (const { key } of listDefinitions) harness.lists[key] = [createOldRecord(-HOUR)];
		harness.discoveryDateHeader = () => undefined;
		harness.failPage = () => ({ kind: 'unavailable', message: '503' });
		await harness.open();
		await harness.time.advance(70 * HOUR);
		harness.failPage = () => undefined;
		await harness.time.advance(HOUR);
		for (const { key } of listDefinitions) harness.upsertRecord(createOldRecord(71 * HOUR), key);
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual([]);
	});

	test('is minus infinity if existing records are included, even if no response has a Date header', async () => {
		const harness = new FollowerHarness({ includeExisting: true, kinds: new Set(['created']) });
		harness.dateHeader = () => undefined;
		harness.upsertRecord(createRecord('a', -HOUR));
		await harness.open();
		// This record was written before the newest known one, and is visible only now.
		harness.upsertRecord(createRecord('late', -HOUR - 5000));
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(['created a', 'created late']);
	});
});
