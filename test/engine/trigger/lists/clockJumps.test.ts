// Protects list triggers when a service's clocks are set: each change starts the workflow once, and one report says so.
import fc from 'fast-check';

import { scaleRunCount } from '../../../support/scaleRunCount';
import { anyClockHistory, MAX_ERROR_MS, MAX_SKEW_MS } from './clockHistory';
import type { ClockHistory } from './clockHistory';
import { FollowerHarness, HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const clamp = (offsetMs: number, maxMs: number) => Math.max(-maxMs, Math.min(maxMs, offsetMs));
/** Rounds a time down to the second, as a Date header does. */
const toWholeSecond = (time: number) => Math.floor(time / 1000) * 1000;

/** Ages of the records that exist before the list is followed. */
const AGES_MS = [5000, MINUTE, 30 * MINUTE, 3 * HOUR, 26 * HOUR, 90 * HOUR];
const RECORDS_PER_AGE = 4;

/** Plays a history; returns the changes that should have started the workflow, and those that did. */
async function playHistory(history: ClockHistory, keepsKeys: boolean) {
	const { isFiltered, isInitiallyEmpty, overlapMs, intervalMs, steps } = history;
	const harness = new FollowerHarness({
		listDefinitions: [createList({ isFiltered })],
		overlapMs,
		intervalMs,
		...(!keepsKeys && { repeatStartsForMs: 0 }),
	});
	harness.keepsKeys = keepsKeys;
	let stampOffsetMs = 0;
	let headerOffsetMs = history.initialHeaderOffsetMs;
	const formatStamp = (ageMs = 0) => new Date(harness.now + stampOffsetMs - ageMs).toISOString();
	harness.dateHeader = () => toWholeSecond(harness.now + headerOffsetMs);
	const oldRecords = AGES_MS.flatMap((ageMs) =>
		Array.from({ length: RECORDS_PER_AGE }, (_, index) => {
			const stamp = formatStamp(ageMs);
			return { Id: `old ${ageMs} ${index}`, CreatedAt: stamp, Stamp: stamp, N: 0 };
		}),
	);
	if (!isInitiallyEmpty) for (const record of oldRecords) harness.upsertRecord(record);
	await harness.open(2000);
	const expectedChanges: string[] = [];
	const unchangedIds = isInitiallyEmpty ? [] : oldRecords.map(({ Id }) => Id);
	for (const { afterMs, step } of steps) {
		await harness.time.advance(afterMs);
		if (step.kind === 'restart') await harness.restart(step.downtimeMs);
		else if (step.kind === 'allClocks') {
			const previousOffsetMs = stampOffsetMs;
			stampOffsetMs = clamp(stampOffsetMs + step.byMs, MAX_ERROR_MS);
			headerOffsetMs += stampOffsetMs - previousOffsetMs;
			// A clock that is wrong only between two polls of a compared list leaves no trace but earlier dates.
			if (!isFiltered) await harness.time.advance(2 * intervalMs);
		} else if (step.kind === 'headerClock') {
			headerOffsetMs =
				stampOffsetMs + clamp(headerOffsetMs + step.byMs - stampOffsetMs, MAX_SKEW_MS);
		} else if (step.kind === 'stampClock') {
			stampOffsetMs =
				headerOffsetMs + clamp(stampOffsetMs + step.byMs - headerOffsetMs, MAX_SKEW_MS);
		} else {
			const changeCount = expectedChanges.length;
			const existingId =
				step.kind === 'update' ? unchangedIds.splice(changeCount % 5, 1)[0] : undefined;
			const existing = harness.lists.people!.find(({ Id }) => Id === existingId);
			const Id = existingId ?? `new ${changeCount}`;
			const stamp = formatStamp();
			harness.upsertRecord({ CreatedAt: stamp, ...existing, Id, Stamp: stamp, N: 1 });
			expectedChanges.push(`${existing ? 'updated' : 'created'} ${Id}`);
		}
	}
	await harness.time.advance(25 * MINUTE);
	harness.kill();
	return {
		expectedChanges: expectedChanges.sort(),
		startedChanges: harness.startedChanges.sort(),
	};
}

async function expectEachChangeStartsOnce({
	hasRestarts,
	keepsKeys,
}: {
	hasRestarts: boolean;
	keepsKeys: boolean;
}): Promise<void> {
	await fc.assert(
		fc.asyncProperty(anyClockHistory(hasRestarts), async (history) => {
			const { expectedChanges, startedChanges } = await playHistory(history, keepsKeys);
			expect(startedChanges).toEqual(expectedChanges);
		}),
		{ numRuns: scaleRunCount(50) },
	);
}

const TIMEOUT_MS = 300_000;

describe('every change starts the workflow once, although the clocks of the service are set', () => {
	test(
		'while n8n runs, and stores no deduplication keys',
		async () => {
			await expectEachChangeStartsOnce({ hasRestarts: false, keepsKeys: false });
		},
		TIMEOUT_MS,
	);

	test(
		'while n8n is killed and restarted',
		async () => {
			await expectEachChangeStartsOnce({ hasRestarts: true, keepsKeys: true });
		},
		TIMEOUT_MS,
	);
});

/** Creates a record that was created, and last changed, at a time of the clock that stamps records. */
const createPerson = (Id: string, stampTime: number) => {
	const stamp = new Date(stampTime).toISOString();
	return { Id, CreatedAt: stamp, Stamp: stamp };
};

describe('a clock that is set back by an hour', () => {
	test('is reported once, and no later change is missed', async () => {
		const harness = new FollowerHarness();
		let setBackMs = 0;
		harness.dateHeader = () => toWholeSecond(harness.now - setBackMs);
		harness.upsertRecord(createPerson('old', NOON - 30 * MINUTE));
		await harness.open();
		await harness.time.advance(5 * MINUTE);
		setBackMs = HOUR;
		harness.upsertRecord(createPerson('a', harness.now - setBackMs));
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(['created a']);
		for (let index = 0; index < 70; index++) {
			harness.upsertRecord(createPerson(`b${index}`, harness.now - setBackMs));
			await harness.time.advance(MINUTE);
		}
		expect(harness.startedChanges).toHaveLength(71);
		expect(new Set(harness.startedChanges).size).toBe(71);
		expect(harness.reports).toEqual([
			{ kind: 'clockSetBack', byMs: expect.closeTo(HOUR, -4) as number },
		]);
	});

	test('is reported once for all lists, and at most once a day', async () => {
		const listDefinitions = ['people', 'orders'].map((key) => createList({ key, name: key }));
		const harness = new FollowerHarness({ listDefinitions });
		harness.lists.orders = [];
		let setBackMs = 0;
		harness.dateHeader = () => toWholeSecond(harness.now - setBackMs);
		await harness.open();
		setBackMs = HOUR;
		await harness.time.advance(5 * MINUTE);
		setBackMs = 2 * HOUR;
		await harness.time.advance(5 * MINUTE);
		expect(harness.reports).toHaveLength(1);
		await harness.time.advance(24 * HOUR);
		setBackMs = 3 * HOUR;
		await harness.time.advance(5 * MINUTE);
		expect(harness.reports).toHaveLength(2);
	});

	test('is not reported if only one response has a wrong date, and no change is missed', async () => {
		const harness = new FollowerHarness();
		await harness.open();
		const rightDateHeader = harness.dateHeader;
		let wrongResponsesLeft = 1;
		harness.dateHeader = (page) => rightDateHeader(page)! - (wrongResponsesLeft-- > 0 ? HOUR : 0);
		harness.discoveryDateHeader = () => undefined;
		await harness.time.advance(2 * MINUTE);
		harness.upsertRecord(createPerson('a', harness.now));
		await harness.time.advance(2 * MINUTE);
		expect([harness.startedChanges, harness.reports]).toEqual([['created a'], []]);
	});
});

describe('stamps that lag behind the Date header', () => {
	test.each([5, 45])(
		'by %d minutes are reported once, and no change is missed',
		async (minutes) => {
			const harness = new FollowerHarness();
			harness.dateHeader = () => toWholeSecond(harness.now + minutes * MINUTE);
			await harness.open();
			for (let index = 0; index < 30; index++) {
				harness.upsertRecord(createPerson(`p${index}`, harness.now));
				await harness.time.advance(MINUTE);
			}
			expect(harness.startedChanges).toHaveLength(30);
			expect(harness.reports).toEqual([
				{
					kind: 'lateChange',
					list: harness.listDefinitions[0],
					byMs: expect.closeTo(minutes * MINUTE, -5) as number,
				},
			]);
		},
	);

	test('do not make later polls reach back more than the lag', async () => {
		const harness = new FollowerHarness();
		harness.dateHeader = () => toWholeSecond(harness.now + 5 * MINUTE);
		await harness.open();
		harness.upsertRecord(createPerson('a', harness.now));
		await harness.time.advance(10 * MINUTE);
		const { since, polledAtMs } = harness.polls.at(-1)!;
		// The overlap, the interval, and the time until the change was seen.
		expect(NOON + polledAtMs - since!).toBeLessThanOrEqual(5 * MINUTE);
	});
});

test('a poll of an unchanged list does not reach ever further back if the clocks of two machines differ', async () => {
	const harness = new FollowerHarness();
	const rightDateHeader = harness.dateHeader;
	let responseCount = 0;
	harness.dateHeader = (page) => rightDateHeader(page)! - (responseCount++ % 2) * MINUTE;
	harness.discoveryDateHeader = () => undefined;
	harness.upsertRecord(createPerson('a', NOON - HOUR));
	await harness.open();
	harness.upsertRecord(createPerson('b', harness.now));
	await harness.time.advance(10 * HOUR);
	// A wide poll may reach back two hours more than the others.
	const reachesMs = harness.polls
		.slice(-30)
		.map(({ since, polledAtMs }) => NOON + polledAtMs - since!);
	expect(Math.min(...reachesMs)).toBeLessThanOrEqual(1.1 * HOUR);
	expect(Math.max(...reachesMs)).toBeLessThanOrEqual(3.2 * HOUR);
	expect(harness.startedChanges).toEqual(['created b']);
});

test('polls of an unchanged list read no record again', async () => {
	const harness = new FollowerHarness();
	for (let index = 0; index < 50; index++)
		harness.upsertRecord(createPerson(`p${index}`, NOON - 3 * HOUR));
	await harness.open();
	await harness.time.advance(10 * MINUTE);
	const readRecordCounts = harness.polls
		.slice(-3)
		.map(
			({ since }) =>
				harness.lists.people!.filter(({ Stamp }) => Date.parse(String(Stamp)) > since!).length,
		);
	expect(readRecordCounts).toEqual([0, 0, 0]);
});

test('an old event date of a changed record does not count as a clock that was set back', async () => {
	const oneTimeEvents = [{ kind: 'checkedIn', dateFields: ['CheckIn'] }];
	const harness = new FollowerHarness({
		listDefinitions: [createList({ changeSchema: { oneTimeEvents, updated: 'updated' } })],
	});
	const createVersion = (version: number) => ({
		Id: 'a',
		CheckIn: formatTime(-9 * HOUR),
		Stamp: formatTime(version * 90_000),
		Version: version,
	});
	harness.upsertRecord(createVersion(0));
	await harness.open();
	for (let version = 1; version <= 3; version++) {
		harness.upsertRecord(createVersion(version));
		await harness.time.advance(90_000);
	}
	expect([harness.startedChanges, harness.reports]).toEqual([
		['updated a', 'updated a', 'updated a'],
		[],
	]);
	expect(harness.polls.at(-1)!.since).toBeGreaterThan(NOON - 10 * HOUR);
});
