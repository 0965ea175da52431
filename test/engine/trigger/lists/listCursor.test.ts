// Protects the time from which each poll reads: early enough to miss no change, late enough not to read all records again.
import type { IDataObject } from 'n8n-workflow';

import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { ListCursor } from '../../../../nodes/engine/trigger/lists/core/listCursor';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const OVERLAP_MS = 2 * MINUTE;
const SECOND = 1000;
const filtered = createList();
const compared = createList({ isFiltered: false });

const createCursor = (saved?: { cursor?: number; knownFrom?: number }, includeExisting = false) =>
	new ListCursor({ overlapMs: OVERLAP_MS, includeExisting }, saved);
const stampedRecord = (afterMs: number): IDataObject => ({ Stamp: formatTime(afterMs) });

interface PollDetails {
	definition?: ListDefinition;
	isChanged?: boolean;
	/** The service's time when the records were read; the Date header by default. */
	serviceTime?: number;
}

/**
 * Polls a list once, at a time of the monotonic clock. All responses arrive at once, with this Date header. Returns how far
 * stamps lag behind the header.
 */
function poll(
	cursor: ListCursor,
	monotonicMs: number,
	date: number | undefined,
	records: IDataObject[] = [],
	{ definition = filtered, isChanged = true, serviceTime = date }: PollDetails = {},
): number | undefined {
	cursor.beginPoll(definition, { serviceTimeMs: date, monotonicMs: monotonicMs });
	cursor.observeFirstResponse(date, monotonicMs);
	for (const record of records)
		cursor.observeRecord(record, definition, {
			serviceTimeMs: serviceTime,
			monotonicMs: monotonicMs,
			isChanged,
		});
	return cursor.completePoll();
}

describe('the time from which a poll reads changes', () => {
	test('is the overlap and 28 hours before following began, in the first poll', () => {
		const beginFirstPoll = (followedSince?: number) =>
			createCursor().beginPoll(filtered, { serviceTimeMs: NOON, followedSince, monotonicMs: 0 });
		expect(beginFirstPoll()).toBe(NOON - 28 * HOUR - OVERLAP_MS);
		expect(beginFirstPoll(NOON + HOUR)).toBe(NOON - 28 * HOUR - OVERLAP_MS);
		expect(beginFirstPoll(NOON - HOUR)).toBe(NOON - 29 * HOUR - OVERLAP_MS);
	});

	test('is undefined if the whole list must be read or the time is unknown', () => {
		const clockReading = { serviceTimeMs: NOON, monotonicMs: 0 };
		expect(createCursor().beginPoll(compared, clockReading)).toBeUndefined();
		expect(createCursor({ cursor: NOON }).beginPoll(compared, clockReading)).toBeUndefined();
		expect(createCursor().beginPoll(createList({ keepsAll: true }), clockReading)).toBeUndefined();
		expect(createCursor(undefined, true).beginPoll(filtered, clockReading)).toBeUndefined();
		expect(
			createCursor().beginPoll(filtered, { serviceTimeMs: undefined, monotonicMs: 0 }),
		).toBeUndefined();
		expect(createCursor({ cursor: -Infinity }).beginPoll(filtered, clockReading)).toBeUndefined();
	});

	test('is the overlap before the cursor in a regular poll', () => {
		const cursor = createCursor({ cursor: NOON });
		expect(cursor.beginPoll(filtered, { serviceTimeMs: undefined, monotonicMs: 0 })).toBe(
			NOON - OVERLAP_MS,
		);
	});

	test.each([
		['two hours before the cursor', NOON - 10 * HOUR, NOON - 2 * HOUR],
		['the time from which all records are known, if that is later,', NOON - HOUR, NOON - HOUR],
		['not later than in a regular poll', NOON - MINUTE, NOON - OVERLAP_MS],
	])('is %s in the first poll after a restart', (_, knownFrom, expected) => {
		const cursor = createCursor({ cursor: NOON, knownFrom });
		expect(cursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: 0 })).toBe(expected);
	});

	test('is two hours before the cursor in a wide poll, which is due 15 minutes after the last one', () => {
		const cursor = createCursor({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
		/** Begins a poll, and returns whether it is wide. */
		const beginsWidePoll = (elapsedMs: number) =>
			cursor.beginPoll(filtered, { serviceTimeMs: NOON + elapsedMs, monotonicMs: elapsedMs }) ===
			NOON - 2 * HOUR;
		expect(beginsWidePoll(0)).toBe(true);
		// That poll failed, and so did the next one. Once a regular poll is complete, the wide poll is repeated.
		expect([beginsWidePoll(1), beginsWidePoll(2)]).toEqual([false, false]);
		cursor.completePoll();
		expect(beginsWidePoll(MINUTE)).toBe(true);
		cursor.completePoll();
		expect(beginsWidePoll(16 * MINUTE - 1)).toBe(false);
		cursor.completePoll();
		expect(beginsWidePoll(16 * MINUTE)).toBe(true);
		cursor.completePoll();
		expect(beginsWidePoll(17 * MINUTE)).toBe(false);
		expect(beginsWidePoll(31 * MINUTE)).toBe(true);
	});
});

test('a wide poll reaches back from the saved cursor until one is complete, and unchanged records show the time until then', () => {
	const cursor = createCursor({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
	const begin = (elapsedMs: number) =>
		cursor.beginPoll(filtered, { serviceTimeMs: NOON + elapsedMs, monotonicMs: elapsedMs });
	const complete = (elapsedMs: number, stampMs: number) => {
		cursor.observeFirstResponse(NOON + elapsedMs, elapsedMs);
		const context = { serviceTimeMs: NOON + elapsedMs, monotonicMs: elapsedMs };
		const record = { Stamp: new Date(NOON + stampMs).toISOString() };
		cursor.observeRecord(record, filtered, { ...context, isChanged: false });
		cursor.completePoll();
		return cursor.time;
	};
	// Three hours after the restart a wide poll fails, and a regular one is complete.
	begin(3 * HOUR);
	begin(3 * HOUR);
	expect(complete(3 * HOUR, 2 * HOUR)).toBe(NOON + 2 * HOUR);
	expect(begin(3 * HOUR)).toBe(NOON - 2 * HOUR);
	expect(complete(3 * HOUR, 3 * HOUR - MINUTE)).toBe(NOON + 3 * HOUR - MINUTE);
	expect(begin(4 * HOUR)).toBe(NOON + HOUR - MINUTE);
	expect(complete(4 * HOUR, 4 * HOUR)).toBe(NOON + 4 * HOUR - MINUTE);
});

describe('a list that begins as if it had been read', () => {
	test('keeps its first cursor, and the earliest time from which all records are known', () => {
		const cursor = createCursor();
		const readTimes = () => ({ cursor: cursor.time, knownFrom: cursor.knownFrom });
		expect(readTimes()).toEqual({ cursor: undefined, knownFrom: undefined });
		cursor.assumeReadUpTo(NOON);
		expect(readTimes()).toEqual({ cursor: NOON, knownFrom: NOON });
		cursor.assumeReadUpTo(NOON + 1);
		expect(readTimes()).toEqual({ cursor: NOON, knownFrom: NOON });
		cursor.assumeReadUpTo(NOON - 1);
		expect(readTimes()).toEqual({ cursor: NOON, knownFrom: NOON - 1 });
	});
});

describe('the time from which all records are known', () => {
	test('is the earliest time from which a complete poll has read', () => {
		const cursor = createCursor();
		poll(cursor, 0, NOON);
		expect(cursor.knownFrom).toBe(NOON - 28 * HOUR - OVERLAP_MS);
		poll(cursor, MINUTE, NOON + MINUTE, [], { definition: compared });
		expect(cursor.knownFrom).toBe(-Infinity);
	});

	test('moves ahead to an hour after a forgotten record was last read, and never moves back', () => {
		const cursor = createCursor({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
		cursor.noteForgotten(NOON - 5 * HOUR);
		expect(cursor.knownFrom).toBe(NOON - 4 * HOUR);
		cursor.noteForgotten(NOON - 8 * HOUR);
		expect(cursor.knownFrom).toBe(NOON - 4 * HOUR);
	});
});

describe('the latest known time', () => {
	test('is the newest date of a record that has a zone, or the cursor if that is later', () => {
		const cursor = createCursor();
		expect(cursor.latestKnownTime).toBe(0);
		const page = { serviceTimeMs: NOON, monotonicMs: 0, isChanged: true };
		cursor.observeRecord(
			{ Stamp: formatTime(-HOUR), CreatedAt: formatTime(-2 * HOUR) },
			filtered,
			page,
		);
		expect(cursor.latestKnownTime).toBe(NOON - HOUR);
		cursor.observeRecord(stampedRecord(-3 * HOUR), filtered, page);
		cursor.observeRecord({ Stamp: formatTime(0).slice(0, -1) }, filtered, page);
		expect(cursor.latestKnownTime).toBe(NOON - HOUR);
		cursor.observeRecord({ CreatedAt: formatTime(HOUR) }, filtered, page);
		expect(cursor.latestKnownTime).toBe(NOON + HOUR);
		expect(createCursor({ cursor: NOON }).latestKnownTime).toBe(NOON);
	});
});

describe('the cursor after a complete poll', () => {
	/** Returns the cursor after one poll, at noon. */
	const cursorAfterPoll = (records: IDataObject[], details?: PollDetails) => {
		const cursor = createCursor();
		poll(cursor, 0, NOON, records, details);
		return cursor.time;
	};

	test('is the time that the stamp clock had certainly reached when the poll began', () => {
		const cursor = createCursor();
		cursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: 0 });
		cursor.observeFirstResponse(NOON + SECOND, SECOND);
		const page = { serviceTimeMs: NOON + SECOND, monotonicMs: SECOND, isChanged: true };
		cursor.observeRecord(stampedRecord(-5 * SECOND), filtered, page);
		cursor.completePoll();
		// One second after the poll began, the stamp clock showed five seconds before noon, or a later time.
		expect(cursor.time).toBe(NOON - 6 * SECOND);
		// In later polls, this difference is also the lower bound of the stamp clock.
		poll(cursor, MINUTE, NOON + MINUTE);
		expect(cursor.time).toBe(NOON + MINUTE - 6 * SECOND);
	});

	test('is the newest stamp, but never later than the Date header', () => {
		expect(
			cursorAfterPoll([stampedRecord(-HOUR), stampedRecord(-MINUTE), stampedRecord(-2 * HOUR)]),
		).toBe(NOON - MINUTE);
		expect(cursorAfterPoll([stampedRecord(10 * SECOND)], { serviceTime: NOON + 10 * SECOND })).toBe(
			NOON,
		);
	});

	test('is the Date header if no record has an exact stamp of the past', () => {
		expect(cursorAfterPoll([{ Stamp: formatTime(-HOUR).slice(0, -1) }])).toBe(NOON);
		expect(cursorAfterPoll([{ Stamp: 'soon GMT' }])).toBe(NOON);
		// A date in the future comes from another clock.
		expect(cursorAfterPoll([stampedRecord(1)])).toBe(NOON);
		expect(cursorAfterPoll([stampedRecord(HOUR), stampedRecord(-MINUTE)])).toBe(NOON - MINUTE);
		// If the list has a stamp field, the other dates of a record do not count.
		expect(cursorAfterPoll([{ CreatedAt: formatTime(-HOUR) }])).toBe(NOON);
	});

	test('follows a stamp that is equal to the current time', () => {
		const cursor = createCursor();
		cursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: 0 });
		cursor.observeFirstResponse(NOON + SECOND, SECOND);
		const page = { serviceTimeMs: NOON + SECOND, monotonicMs: SECOND, isChanged: true };
		cursor.observeRecord(stampedRecord(SECOND), filtered, page);
		cursor.completePoll();
		expect(cursor.time).toBe(NOON);
	});

	test('follows the dates of events if the list has no stamp field', () => {
		expect(cursorAfterPoll([{ CreatedAt: formatTime(-HOUR) }], { definition: compared })).toBe(
			NOON - HOUR,
		);
	});

	test('follows the stamps of all records in the first poll, and later only those of changed records', () => {
		const cursor = createCursor();
		poll(cursor, 0, NOON, [stampedRecord(-HOUR)], { isChanged: false });
		expect(cursor.time).toBe(NOON - HOUR);
		const secondPollTime = NOON + MINUTE;
		poll(cursor, MINUTE, secondPollTime, [stampedRecord(0)], { isChanged: false });
		expect(cursor.time).toBe(secondPollTime - HOUR);
		poll(cursor, 2 * MINUTE, NOON + 2 * MINUTE, [stampedRecord(0)]);
		expect(cursor.time).toBe(NOON);
	});

	test('is the newest stamp if there is no Date header', () => {
		const cursor = createCursor();
		poll(cursor, 0, undefined, [stampedRecord(-HOUR), stampedRecord(-2 * HOUR)]);
		expect(cursor.time).toBe(NOON - HOUR);
	});

	test('is minus infinity if there is no Date header and no stamp', () => {
		const cursor = createCursor();
		poll(cursor, 0, undefined, [{ Name: 'A' }]);
		expect(cursor.time).toBe(-Infinity);
	});

	test('stays at the beginning of the first poll as long as the list has no record', () => {
		expect(cursorAfterPoll([])).toBe(NOON - 28 * HOUR);
		expect(cursorAfterPoll([], { definition: createList({ keepsAll: true }) })).toBe(
			NOON - 28 * HOUR,
		);
		const cursorFollowedEarlier = createCursor();
		cursorFollowedEarlier.beginPoll(filtered, {
			serviceTimeMs: NOON,
			followedSince: NOON - HOUR,
			monotonicMs: 0,
		});
		cursorFollowedEarlier.observeFirstResponse(NOON, 0);
		cursorFollowedEarlier.completePoll();
		expect(cursorFollowedEarlier.time).toBe(NOON - 29 * HOUR);
		const restoredCursor = createCursor({ cursor: NOON });
		poll(restoredCursor, 0, NOON + HOUR);
		expect(restoredCursor.time).toBe(NOON);
	});

	test('does not move back if the Date header is earlier than the stamps of the last poll', () => {
		const cursor = createCursor();
		poll(cursor, 0, undefined, [stampedRecord(HOUR)]);
		poll(cursor, MINUTE, NOON + MINUTE);
		expect(cursor.time).toBe(NOON + HOUR);
	});
});

describe('the cursor that is saved while a start of the first poll is not confirmed', () => {
	test('makes the next process repeat the first poll, or read the whole list', () => {
		const cursorInFirstPoll = (definition: ListDefinition, includeExisting = false) => {
			const cursor = createCursor(undefined, includeExisting);
			cursor.beginPoll(definition, { serviceTimeMs: NOON, monotonicMs: 0 });
			return cursor.cursorBeforeFirstPoll(definition);
		};
		expect(cursorInFirstPoll(filtered)).toBe(NOON - 28 * HOUR);
		expect(cursorInFirstPoll(createList({ keepsAll: true }))).toBeUndefined();
		expect(cursorInFirstPoll(filtered, true)).toBeUndefined();
		expect(cursorInFirstPoll(compared, true)).toBeUndefined();
		expect(cursorInFirstPoll(compared)).toBe(-Infinity);
	});
});
