// Protects changes around a poll: pages that shift, dates without a zone and missing Date headers cause no missed change.
import {
	createRecord,
	FollowerHarness,
	HOUR,
	createList,
	MINUTE,
	NOON,
	formatTime,
} from './listHarness';

const formatWithoutZone = (afterMs: number) => formatTime(afterMs).slice(0, -1);

describe('the time from which a poll reads changes', () => {
	test('follows the stamp of the last change, minus the overlap of two minutes by default', async () => {
		const harness = await new FollowerHarness({ pageSize: 1 }).open();
		harness.upsertRecord(createRecord('a', 2000));
		harness.upsertRecord(createRecord('b', 2000));
		await harness.time.advance(2 * MINUTE);
		// Stamped at 2 s, seen at 60.01 s: at 60 s the clock that stamps records showed 1.99 s or more.
		expect(harness.polls.at(-1)).toMatchObject({
			polledAtMs: 120_000,
			since: NOON + 1990 - 2 * MINUTE,
		});
		harness.upsertRecord(createRecord('c', 180_000));
		await harness.time.advance(2 * MINUTE);
		// On the third page, at 180.03 s.
		expect(harness.polls.at(-1)).toMatchObject({
			polledAtMs: 240_000,
			since: NOON + 179_970 - 2 * MINUTE,
		});
	});

	test('is the Date header of the first response of the last poll, minus the overlap, if dates have no zone', async () => {
		const harness = new FollowerHarness();
		harness.upsertRecord({
			Id: 'old',
			CreatedAt: formatWithoutZone(-HOUR),
			Stamp: formatWithoutZone(-HOUR),
		});
		await harness.open();
		await harness.time.advance(2 * MINUTE);
		expect(harness.polls.at(-1)).toMatchObject({
			polledAtMs: 120_000,
			since: NOON + 60_000 - 2 * MINUTE,
		});
	});

	test('is that of the first poll as long as the list has no record', async () => {
		const harness = await new FollowerHarness().open();
		await harness.time.advance(2 * MINUTE);
		expect(harness.polls.at(-1)!.since).toBe(
			harness.polls[0]!.since ?? NOON - 28 * HOUR - 2 * MINUTE,
		);
	});

	test('is not derived from the Date header of a later page if the first page has none', async () => {
		const harness = await new FollowerHarness({ pageSize: 1, maxUnconfirmed: 1 }).open();
		const { dateHeader } = harness;
		harness.dateHeader = (page) => (page < 2 ? undefined : dateHeader(page));
		harness.discoveryDateHeader = () => undefined;
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		for (const Id of ['a', 'b', 'c']) harness.upsertRecord(createRecord(Id, 2000));
		await harness.time.advance(6 * HOUR);
		// The third page is read when there is room for another start: an hour after the first.
		const [firstPoll, ...laterPolls] = harness.polls.filter(
			({ polledAtMs }) => polledAtMs >= MINUTE,
		);
		const nextPoll = laterPolls.find(({ since }) => since !== firstPoll!.since);
		expect(nextPoll!.polledAtMs).toBeGreaterThan(HOUR);
		expect(nextPoll!.since).toBeLessThanOrEqual(NOON + firstPoll!.polledAtMs);
	});

	test('is at least a second before the last poll, since stamps can be whole seconds', async () => {
		const harness = new FollowerHarness({ overlapMs: 0, listDefinitions: [createList()] });
		harness.upsertRecord({
			Id: 'old',
			CreatedAt: formatWithoutZone(-HOUR),
			Stamp: formatWithoutZone(-HOUR),
		});
		await harness.open();
		await harness.time.advance(MINUTE);
		expect(harness.polls.at(-1)).toMatchObject({ since: NOON - 1000 });
		// Written after the last poll began, within the same second.
		harness.upsertRecord(createRecord('a', MINUTE));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a']);
	});

	test('does not matter for a record from a response without a Date header: the record stays known', async () => {
		const harness = new FollowerHarness({ repeatStartsForMs: 0 });
		harness.keepsKeys = false;
		const createOldRecord = (afterMs: number) => ({
			Id: 'old',
			CreatedAt: formatTime(-100 * HOUR).slice(0, -1),
			Stamp: formatTime(afterMs).slice(0, -1),
		});
		harness.upsertRecord(createOldRecord(-100 * HOUR));
		await harness.open();
		harness.discoveryDateHeader = () => undefined;
		const { dateHeader } = harness;
		harness.dateHeader = () => undefined;
		harness.kill();
		await harness.open();
		harness.upsertRecord(createOldRecord(harness.time.nowMs));
		await harness.time.advance(MINUTE);
		harness.dateHeader = dateHeader;
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(['updated old']);
	});
});

describe('pages that shift while they are read', () => {
	test('a record that moved to a page already read is found, even if the next page is empty', async () => {
		const harness = await new FollowerHarness({ pageSize: 2 }).open();
		for (const Id of ['a', 'b', 'c']) harness.upsertRecord(createRecord(Id, 2000));
		let shiftsLeft = 1;
		harness.beforePage = (_, page) => {
			if (page === 1 && shiftsLeft-- > 0) harness.lists.people!.shift();
		};
		// Only one poll may find the records, not the overlap of a later one.
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a', 'created b', 'created c']);
	});

	test('a record that the first pass over a compared list missed is not new', async () => {
		const harness = new FollowerHarness({
			pageSize: 2,
			listDefinitions: [createList({ isFiltered: false })],
		});
		for (const Id of ['a', 'b', 'c', 'd']) harness.upsertRecord({ Id });
		let shiftsLeft = 1;
		harness.beforePage = (_, page) => {
			if (page === 1 && shiftsLeft-- > 0) harness.lists.people!.shift();
		};
		await harness.open();
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual([]);
	});
});

test('a record created during the first poll is new, even in the second in which following began', async () => {
	const harness = new FollowerHarness({
		pageSize: 2,
		listDefinitions: [createList({ isFiltered: false })],
	});
	for (const Id of ['a', 'b']) harness.upsertRecord({ Id, CreatedAt: formatTime(-HOUR) });
	harness.beforePage = (_, page) => {
		if (page === 0 && harness.polls.length === 2)
			harness.upsertRecord({ Id: 'c', CreatedAt: formatTime(40) });
	};
	await harness.open();
	expect(harness.polls.every(({ polledAtMs }) => polledAtMs < 1000)).toBe(true);
	expect(harness.startedChanges).toEqual(['created c']);
});
