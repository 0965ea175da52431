import fc from 'fast-check';

import { scaleRunCount } from '../../../support/scaleRunCount';
import { FollowerHarness, HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

/** Event at the service. Each step changes a record of its own, so each must start the workflow exactly once. */
type Step =
	| { kind: 'create' | 'update' }
	/** All clocks of the service are set. */
	| { kind: 'all'; byMs: number }
	/** Only the clock behind the Date header is set, or only the one that stamps records. */
	| { kind: 'header' | 'stamps'; byMs: number }
	| { kind: 'restart'; awayMs: number };

interface ClockHistory {
	isFiltered: boolean;
	/** Whether the list is empty at the beginning. */
	empty: boolean;
	/** Initial offset of the Date header from the records' timestamps. */
	headerMs: number;
	overlapMs: number;
	intervalMs: number;
	steps: Array<{ afterMs: number; step: Step }>;
}

/** Largest error of the service's clocks in these tests: of all clocks together, and of one against another. */
const MAX_ERROR_MS = 12 * HOUR;
const MAX_SKEW_MS = 55 * MINUTE;
const clamp = (value: number, maxMs: number) => Math.max(-maxMs, Math.min(maxMs, value));

const anyOffsetMs = (maxMs: number) => fc.integer({ min: -maxMs, max: maxMs });
const anyChange = fc.constantFrom({ kind: 'create' as const }, { kind: 'update' as const });
const anyClockStep = fc.oneof(
	fc.record({ kind: fc.constant('all' as const), byMs: anyOffsetMs(MAX_ERROR_MS) }),
	fc.record({ kind: fc.constant('all' as const), byMs: fc.constantFrom(-HOUR, HOUR) }),
	fc.record({
		kind: fc.constantFrom('header' as const, 'stamps' as const),
		byMs: fc.oneof(anyOffsetMs(MAX_SKEW_MS), fc.constantFrom(-5 * MINUTE, 5 * MINUTE)),
	}),
);
const anyRestart = fc.record({
	kind: fc.constant('restart' as const),
	awayMs: fc.integer({ min: 1000, max: 30 * MINUTE }),
});

const anyHistory = (withRestarts: boolean): fc.Arbitrary<ClockHistory> =>
	fc.record({
		isFiltered: fc.constantFrom(true, true, true, false),
		empty: fc.boolean(),
		headerMs: fc.oneof(fc.constantFrom(0, 5 * MINUTE, -5 * MINUTE), anyOffsetMs(MAX_SKEW_MS)),
		overlapMs: fc.constantFrom(0, 2 * MINUTE),
		intervalMs: fc.constantFrom(30_000, MINUTE, 5 * MINUTE),
		steps: fc.array(
			fc.record({
				afterMs: fc.oneof(fc.nat(20_000), fc.nat(4 * MINUTE)),
				step: fc.oneof(
					{ weight: 5, arbitrary: anyChange },
					{ weight: 2, arbitrary: anyClockStep },
					...(withRestarts ? [{ weight: 1, arbitrary: anyRestart }] : []),
				),
			}),
			{ maxLength: 20 },
		),
	});

/** Ages of the records that exist before the list is followed. */
const AGES_MS = [5000, MINUTE, 30 * MINUTE, 3 * HOUR, 26 * HOUR, 90 * HOUR];
const RECORDS_PER_AGE = 4;

/** Plays a history; returns the changes that should have started the workflow, and those that did. */
async function playHistory(history: ClockHistory, keepsKeys: boolean) {
	const { isFiltered, empty, headerMs, overlapMs, intervalMs, steps } = history;
	const harness = new FollowerHarness({
		listDefinitions: [createList({ isFiltered })],
		overlapMs,
		intervalMs,
		...(!keepsKeys && { repeatStartsForMs: 0 }),
	});
	harness.keepsKeys = keepsKeys;
	let stampOffsetMs = 0;
	let headerOffsetMs = headerMs;
	const stamp = (ageMs = 0) => new Date(harness.now + stampOffsetMs - ageMs).toISOString();
	harness.date = () => Math.floor((harness.now + headerOffsetMs) / 1000) * 1000;
	const oldRecords = AGES_MS.flatMap((ageMs) =>
		Array.from({ length: RECORDS_PER_AGE }, (_, index) => ({ age: ageMs, index })),
	);
	if (!empty) {
		for (const { age, index } of oldRecords) {
			harness.upsertRecord({
				Id: `old ${age} ${index}`,
				CreatedAt: stamp(age),
				Stamp: stamp(age),
				N: 0,
			});
		}
	}
	await harness.open(2000);
	const expected: string[] = [];
	const unchangedIds = empty ? [] : oldRecords.map(({ age, index }) => `old ${age} ${index}`);
	for (const { afterMs, step } of steps) {
		await harness.time.advance(afterMs);
		if (step.kind === 'restart') await harness.restart(step.awayMs);
		else if (step.kind === 'all') {
			const previousOffsetMs = stampOffsetMs;
			stampOffsetMs = clamp(stampOffsetMs + step.byMs, MAX_ERROR_MS);
			headerOffsetMs += stampOffsetMs - previousOffsetMs;
			// A clock that is wrong only between two polls of a compared list leaves no trace but earlier dates.
			if (!isFiltered) await harness.time.advance(2 * intervalMs);
		} else if (step.kind === 'header') {
			headerOffsetMs =
				stampOffsetMs + clamp(headerOffsetMs + step.byMs - stampOffsetMs, MAX_SKEW_MS);
		} else if (step.kind === 'stamps') {
			stampOffsetMs =
				headerOffsetMs + clamp(stampOffsetMs + step.byMs - headerOffsetMs, MAX_SKEW_MS);
		} else {
			const id =
				step.kind === 'update' ? unchangedIds.splice(expected.length % 5, 1)[0] : undefined;
			const existing = harness.lists.people!.find(({ Id }) => Id === id);
			const Id = id ?? `new ${expected.length}`;
			harness.upsertRecord({ CreatedAt: stamp(), ...existing, Id, Stamp: stamp(), N: 1 });
			expected.push(`${existing ? 'updated' : 'created'} ${Id}`);
		}
	}
	await harness.time.advance(25 * MINUTE);
	harness.kill();
	return { expected: expected.sort(), startedChanges: harness.startedChanges.sort(), harness };
}

async function expectEachChangeStartsOnce(
	withRestarts: boolean,
	keepsKeys: boolean,
): Promise<void> {
	await fc.assert(
		fc.asyncProperty(anyHistory(withRestarts), async (history) => {
			const { expected, startedChanges } = await playHistory(history, keepsKeys);
			expect(startedChanges).toEqual(expected);
		}),
		{ numRuns: scaleRunCount(50) },
	);
}

describe('every change starts once, although the clocks of the service are set back and ahead', () => {
	test('n8n runs and stores no deduplication keys', async () => {
		await expectEachChangeStartsOnce(false, false);
	}, 300_000);

	test('n8n is killed and restarted', async () => {
		await expectEachChangeStartsOnce(true, true);
	}, 300_000);
});

const person = (Id: string, stampMs: number, over: object = {}) => {
	const stamp = new Date(stampMs).toISOString();
	return { Id, CreatedAt: stamp, Stamp: stamp, ...over };
};

describe('a clock that is set back by an hour', () => {
	test('is detected at the next response: later changes are read, and it is reported once', async () => {
		const harness = new FollowerHarness();
		let back = 0;
		harness.date = () => Math.floor((harness.now - back) / 1000) * 1000;
		harness.upsertRecord(person('old', NOON - 30 * MINUTE));
		await harness.open();
		await harness.time.advance(5 * MINUTE);
		back = HOUR;
		harness.upsertRecord(person('a', harness.now - back));
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(['created a']);
		for (let index = 0; index < 70; index++) {
			harness.upsertRecord(person(`b${index}`, harness.now - back));
			await harness.time.advance(MINUTE);
		}
		expect(harness.startedChanges).toHaveLength(71);
		expect(new Set(harness.startedChanges).size).toBe(71);
		expect(harness.reports).toEqual([
			{ kind: 'clockSetBack', byMs: expect.closeTo(HOUR, -4) as number },
		]);
	});

	test('is reported once for all lists, and again a day later when it is set back again', async () => {
		const listDefinitions = ['people', 'orders'].map((key) => createList({ key, name: key }));
		const harness = new FollowerHarness({ listDefinitions });
		harness.lists.orders = [];
		let back = 0;
		harness.date = () => Math.floor((harness.now - back) / 1000) * 1000;
		await harness.open();
		back = HOUR;
		await harness.time.advance(5 * MINUTE);
		back = 2 * HOUR;
		await harness.time.advance(5 * MINUTE);
		expect(harness.reports).toHaveLength(1);
		await harness.time.advance(24 * HOUR);
		back = 3 * HOUR;
		await harness.time.advance(5 * MINUTE);
		expect(harness.reports).toHaveLength(2);
	});

	test('is not reported for one wrong date of one response, and no change is missed', async () => {
		const harness = new FollowerHarness();
		await harness.open();
		const right = harness.date;
		let wrong = 1;
		harness.date = (page) => right(page)! - (wrong-- > 0 ? HOUR : 0);
		harness.findDate = () => undefined;
		await harness.time.advance(2 * MINUTE);
		harness.upsertRecord(person('a', harness.now));
		await harness.time.advance(2 * MINUTE);
		expect([harness.startedChanges, harness.reports]).toEqual([['created a'], []]);
	});
});

describe('stamps that lag behind the Date header', () => {
	test.each([5, 45])('are detected and reported once (%d minutes)', async (minutes) => {
		const harness = new FollowerHarness();
		harness.date = () => Math.floor((harness.now + minutes * MINUTE) / 1000) * 1000;
		await harness.open();
		for (let index = 0; index < 30; index++) {
			harness.upsertRecord(person(`p${index}`, harness.now));
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
	});

	test('do not make each poll read more, once the lag is known', async () => {
		const harness = new FollowerHarness();
		harness.date = () => Math.floor((harness.now + 5 * MINUTE) / 1000) * 1000;
		await harness.open();
		harness.upsertRecord(person('a', harness.now));
		await harness.time.advance(10 * MINUTE);
		const { since, polledAtMs } = harness.polls.at(-1)!;
		// The overlap, the interval, and the time until the change was seen.
		expect(NOON + polledAtMs - since!).toBeLessThanOrEqual(5 * MINUTE);
	});
});

test('two machines whose clocks differ do not make polls of a quiet list reach ever further back', async () => {
	const harness = new FollowerHarness();
	const right = harness.date;
	let responses = 0;
	harness.date = (page) => right(page)! - (responses++ % 2) * MINUTE;
	harness.findDate = () => undefined;
	harness.upsertRecord(person('a', NOON - HOUR));
	await harness.open();
	harness.upsertRecord(person('b', harness.now));
	await harness.time.advance(10 * HOUR);
	// A poll that reaches back on purpose may read two hours more than the others.
	const reaches = harness.polls
		.slice(-30)
		.map(({ since, polledAtMs }) => NOON + polledAtMs - since!);
	expect(Math.min(...reaches)).toBeLessThanOrEqual(1.1 * HOUR);
	expect(Math.max(...reaches)).toBeLessThanOrEqual(3.2 * HOUR);
	expect(harness.startedChanges).toEqual(['created b']);
});

test('the wider overlap of a quiet list costs no records', async () => {
	const harness = new FollowerHarness();
	for (let index = 0; index < 50; index++)
		harness.upsertRecord(person(`p${index}`, NOON - 3 * HOUR));
	await harness.open();
	await harness.time.advance(10 * MINUTE);
	const readRanges = harness.polls.slice(-3).map(({ since }) => {
		return harness.lists.people!.filter(({ Stamp }) => Date.parse(`${String(Stamp)}`) > since!)
			.length;
	});
	expect(readRanges).toEqual([0, 0, 0]);
});

test('an old date of a record that was just changed does not count as a wrong clock', async () => {
	const oneTimeEvents = [{ kind: 'checkedIn', dateFields: ['CheckIn'] }];
	const harness = new FollowerHarness({
		listDefinitions: [createList({ changeSchema: { oneTimeEvents, updated: 'updated' } })],
	});
	const visit = (N: number) => ({
		Id: 'a',
		CheckIn: formatTime(-9 * HOUR),
		Stamp: formatTime(N * 90_000),
		N,
	});
	harness.upsertRecord(visit(0));
	await harness.open();
	for (let change = 1; change <= 3; change++) {
		harness.upsertRecord(visit(change));
		await harness.time.advance(90_000);
	}
	expect([harness.startedChanges, harness.reports]).toEqual([
		['updated a', 'updated a', 'updated a'],
		[],
	]);
	expect(harness.polls.at(-1)!.since).toBeGreaterThan(NOON - 10 * HOUR);
});
