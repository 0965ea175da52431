import type { IDataObject } from 'n8n-workflow';

import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { ListCursor } from '../../../../nodes/engine/trigger/lists/core/listCursor';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const OVERLAP = 2 * MINUTE;
const SECOND = 1000;
const filtered = createList();
const compared = createList({ isFiltered: false });

const cursorOf = (saved?: { cursor?: number; knownFrom?: number }, includeExisting = false) =>
	new ListCursor({ overlapMs: OVERLAP, includeExisting }, saved);
const stamped = (afterMs: number): IDataObject => ({ Stamp: formatTime(afterMs) });

interface PollDetails {
	definition?: ListDefinition;
	isChanged?: boolean;
	/** The service's time when the records were read; the Date header by default. */
	now?: number;
}

/** Polls a list once, at a time of the monotonic clock; all responses arrive at once, with this Date header. */
function poll(
	cursor: ListCursor,
	monotonicMs: number,
	date: number | undefined,
	records: IDataObject[] = [],
	{ definition = filtered, isChanged = true, now = date }: PollDetails = {},
): number | undefined {
	cursor.beginPoll(definition, { now: date, at: monotonicMs });
	cursor.observeFirstResponse(date, monotonicMs);
	for (const record of records)
		cursor.observeRecord(record, definition, { now, at: monotonicMs, isChanged });
	return cursor.completePoll();
}

describe('the time that a poll filters by', () => {
	test('is 28 hours and the overlap before following began, in the first poll', () => {
		const from = (followedSince?: number) =>
			cursorOf().beginPoll(filtered, { now: NOON, followedSince, at: 0 });
		expect(from()).toBe(NOON - 28 * HOUR - OVERLAP);
		expect(from(NOON + HOUR)).toBe(NOON - 28 * HOUR - OVERLAP);
		expect(from(NOON - HOUR)).toBe(NOON - 29 * HOUR - OVERLAP);
	});

	test('is missing if the whole list is needed or the time is unknown', () => {
		const clockReading = { now: NOON, at: 0 };
		expect(cursorOf().beginPoll(compared, clockReading)).toBeUndefined();
		expect(cursorOf({ cursor: NOON }).beginPoll(compared, clockReading)).toBeUndefined();
		expect(cursorOf().beginPoll(createList({ keepsAll: true }), clockReading)).toBeUndefined();
		expect(cursorOf(undefined, true).beginPoll(filtered, clockReading)).toBeUndefined();
		expect(cursorOf().beginPoll(filtered, { now: undefined, at: 0 })).toBeUndefined();
		expect(cursorOf({ cursor: -Infinity }).beginPoll(filtered, clockReading)).toBeUndefined();
	});

	test('is the overlap before the cursor in a regular poll', () => {
		const cursor = cursorOf({ cursor: NOON });
		expect(cursor.beginPoll(filtered, { now: undefined, at: 0 })).toBe(NOON - OVERLAP);
	});

	test.each([
		['two hours before the cursor', NOON - 10 * HOUR, NOON - 2 * HOUR],
		['no earlier than all records are known', NOON - HOUR, NOON - HOUR],
		['never later than that of a regular poll', NOON - MINUTE, NOON - OVERLAP],
	])('is %s in the first poll after a restart', (_, knownFrom, from) => {
		const cursor = cursorOf({ cursor: NOON, knownFrom });
		expect(cursor.beginPoll(filtered, { now: NOON, at: 0 })).toBe(from);
	});

	test('reaches back two hours in every poll that begins 15 minutes after the last such poll', () => {
		const cursor = cursorOf({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
		const isWide = (elapsedMs: number) =>
			cursor.beginPoll(filtered, { now: NOON + elapsedMs, at: elapsedMs }) === NOON - 2 * HOUR;
		expect(isWide(0)).toBe(true);
		// That poll failed, so the next one has to reach as far.
		expect(isWide(MINUTE)).toBe(true);
		cursor.completePoll();
		expect(isWide(16 * MINUTE - 1)).toBe(false);
		cursor.completePoll();
		expect(isWide(16 * MINUTE)).toBe(true);
		cursor.completePoll();
		expect(isWide(17 * MINUTE)).toBe(false);
		expect(isWide(31 * MINUTE)).toBe(true);
	});
});

describe('a list that begins as if it had been read', () => {
	test('keeps a cursor that it has, and the earliest time from which all records are known', () => {
		const cursor = cursorOf();
		expect([cursor.time, cursor.knownFrom]).toEqual([undefined, undefined]);
		cursor.assumeReadUpTo(NOON);
		expect([cursor.time, cursor.knownFrom]).toEqual([NOON, NOON]);
		cursor.assumeReadUpTo(NOON + 1);
		expect([cursor.time, cursor.knownFrom]).toEqual([NOON, NOON]);
		cursor.assumeReadUpTo(NOON - 1);
		expect([cursor.time, cursor.knownFrom]).toEqual([NOON, NOON - 1]);
	});
});

describe('the time from which all records are known', () => {
	test('is the earliest time that a complete poll reached', () => {
		const cursor = cursorOf();
		poll(cursor, 0, NOON);
		expect(cursor.knownFrom).toBe(NOON - 28 * HOUR - OVERLAP);
		poll(cursor, MINUTE, NOON + MINUTE, [], { definition: compared });
		expect(cursor.knownFrom).toBe(-Infinity);
	});

	test('moves to an hour after a forgotten record was last read, and never back', () => {
		const cursor = cursorOf({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
		cursor.noteForgotten(NOON - 5 * HOUR);
		expect(cursor.knownFrom).toBe(NOON - 4 * HOUR);
		cursor.noteForgotten(NOON - 8 * HOUR);
		expect(cursor.knownFrom).toBe(NOON - 4 * HOUR);
	});
});

describe('the latest known time', () => {
	test('is the newest exact date of a record or the cursor, whichever is later', () => {
		const cursor = cursorOf();
		expect(cursor.latestKnownTime).toBe(0);
		const page = { now: NOON, at: 0, isChanged: true };
		cursor.observeRecord(
			{ Stamp: formatTime(-HOUR), CreatedAt: formatTime(-2 * HOUR) },
			filtered,
			page,
		);
		expect(cursor.latestKnownTime).toBe(NOON - HOUR);
		cursor.observeRecord(stamped(-3 * HOUR), filtered, page);
		cursor.observeRecord({ Stamp: formatTime(0).slice(0, -1) }, filtered, page);
		expect(cursor.latestKnownTime).toBe(NOON - HOUR);
		cursor.observeRecord({ CreatedAt: formatTime(HOUR) }, filtered, page);
		expect(cursor.latestKnownTime).toBe(NOON + HOUR);
		expect(cursorOf({ cursor: NOON }).latestKnownTime).toBe(NOON);
	});
});

describe('the cursor after a complete poll', () => {
	const after = (records: IDataObject[], details?: PollDetails) => {
		const cursor = cursorOf();
		poll(cursor, 0, NOON, records, details);
		return cursor.time;
	};

	test('is the time that the clock of the stamps had reached when the poll began', () => {
		const cursor = cursorOf();
		cursor.beginPoll(filtered, { now: NOON, at: 0 });
		cursor.observeFirstResponse(NOON + SECOND, SECOND);
		const page = { now: NOON + SECOND, at: SECOND, isChanged: true };
		cursor.observeRecord(stamped(-5 * SECOND), filtered, page);
		cursor.completePoll();
		// One second after the poll began, the clock showed five seconds before noon, or a later time.
		expect(cursor.time).toBe(NOON - 6 * SECOND);
		// The bound holds for later polls, too.
		poll(cursor, MINUTE, NOON + MINUTE);
		expect(cursor.time).toBe(NOON + MINUTE - 6 * SECOND);
	});

	test('is the time that the newest stamp proves, and never later than the Date header', () => {
		expect(after([stamped(-HOUR), stamped(-MINUTE), stamped(-2 * HOUR)])).toBe(NOON - MINUTE);
		expect(after([stamped(10 * SECOND)], { now: NOON + 10 * SECOND })).toBe(NOON);
	});

	test('is the Date header if no record has an exact date that proves anything', () => {
		expect(after([{ Stamp: formatTime(-HOUR).slice(0, -1) }])).toBe(NOON);
		expect(after([{ Stamp: 'soon GMT' }])).toBe(NOON);
		// A date in the future comes from another clock.
		expect(after([stamped(1)])).toBe(NOON);
		expect(after([stamped(HOUR), stamped(-MINUTE)])).toBe(NOON - MINUTE);
		// Where there is a stamp, other dates prove nothing.
		expect(after([{ CreatedAt: formatTime(-HOUR) }])).toBe(NOON);
	});

	test('is proven by a stamp equal to the current time', () => {
		const cursor = cursorOf();
		cursor.beginPoll(filtered, { now: NOON, at: 0 });
		cursor.observeFirstResponse(NOON + SECOND, SECOND);
		const page = { now: NOON + SECOND, at: SECOND, isChanged: true };
		cursor.observeRecord(stamped(SECOND), filtered, page);
		cursor.completePoll();
		expect(cursor.time).toBe(NOON);
	});

	test('is proven by the dates of events if the list has no stamp', () => {
		expect(after([{ CreatedAt: formatTime(-HOUR) }], { definition: compared })).toBe(NOON - HOUR);
	});

	test('is proven by any record in the first poll, and later only by changed ones', () => {
		const cursor = cursorOf();
		poll(cursor, 0, NOON, [stamped(-HOUR)], { isChanged: false });
		expect(cursor.time).toBe(NOON - HOUR);
		const later = NOON + MINUTE;
		poll(cursor, MINUTE, later, [stamped(0)], { isChanged: false });
		expect(cursor.time).toBe(later - HOUR);
		poll(cursor, 2 * MINUTE, NOON + 2 * MINUTE, [stamped(0)]);
		expect(cursor.time).toBe(NOON);
	});

	test('is the newest stamp if there is no Date header', () => {
		const cursor = cursorOf();
		poll(cursor, 0, undefined, [stamped(-HOUR), stamped(-2 * HOUR)]);
		expect(cursor.time).toBe(NOON - HOUR);
	});

	test('is the beginning of time if there is no Date header and no stamp', () => {
		const cursor = cursorOf();
		poll(cursor, 0, undefined, [{ Name: 'A' }]);
		expect(cursor.time).toBe(-Infinity);
	});

	test('makes the next poll of an empty list reach as far back as the first', () => {
		expect(after([])).toBe(NOON - 28 * HOUR);
		expect(after([], { definition: createList({ keepsAll: true }) })).toBe(NOON - 28 * HOUR);
		const waiting = cursorOf();
		waiting.beginPoll(filtered, { now: NOON, followedSince: NOON - HOUR, at: 0 });
		waiting.observeFirstResponse(NOON, 0);
		waiting.completePoll();
		expect(waiting.time).toBe(NOON - 29 * HOUR);
		const restored = cursorOf({ cursor: NOON });
		poll(restored, 0, NOON + HOUR);
		expect(restored.time).toBe(NOON);
	});

	test('does not move back because a Date header is earlier than the stamps before', () => {
		const cursor = cursorOf();
		poll(cursor, 0, undefined, [stamped(HOUR)]);
		poll(cursor, MINUTE, NOON + MINUTE);
		expect(cursor.time).toBe(NOON + HOUR);
	});
});

describe('the cursor of a change whose start is not confirmed, before the first poll is complete', () => {
	test('repeats the first poll as it was, or the whole list', () => {
		const before = (definition: ListDefinition, includeExisting = false) => {
			const cursor = cursorOf(undefined, includeExisting);
			cursor.beginPoll(definition, { now: NOON, at: 0 });
			return cursor.cursorBeforeFirstPoll(definition);
		};
		expect(before(filtered)).toBe(NOON - 28 * HOUR);
		expect(before(createList({ keepsAll: true }))).toBeUndefined();
		expect(before(filtered, true)).toBeUndefined();
		expect(before(compared, true)).toBeUndefined();
		expect(before(compared)).toBe(-Infinity);
	});
});
