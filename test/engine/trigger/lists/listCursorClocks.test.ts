import type { IDataObject } from 'n8n-workflow';

import { ListCursor } from '../../../../nodes/engine/trigger/lists/core/listCursor';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const OVERLAP = 2 * MINUTE;
const SECOND = 1000;
const filtered = createList();

const cursorOf = (saved?: { cursor?: number; knownFrom?: number }) =>
	new ListCursor({ overlapMs: OVERLAP, includeExisting: false }, saved);
const stamped = (afterMs: number): IDataObject => ({ Stamp: formatTime(afterMs) });

/** Polls the list once, at a time of the monotonic clock. Returns how far stamps lag behind the Date header. */
function poll(
	cursor: ListCursor,
	monotonicMs: number,
	date: number | undefined,
	records: IDataObject[] = [],
	isChanged = true,
	definition = filtered,
): number | undefined {
	cursor.beginPoll(definition, { now: date, at: monotonicMs });
	cursor.observeFirstResponse(date, monotonicMs);
	for (const record of records)
		cursor.observeRecord(record, definition, { now: date, at: monotonicMs, isChanged });
	return cursor.completePoll();
}

describe('a change that only a wide poll finds', () => {
	const found = (date: number | undefined, records: IDataObject[], elapsedMs = 0) => {
		const cursor = cursorOf({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
		poll(cursor, elapsedMs, date, records);
		return cursor;
	};

	test('moves the cursor back to the clock that stamped it', () => {
		expect(found(NOON, [stamped(-HOUR)]).time).toBe(NOON - HOUR);
		expect(found(undefined, [stamped(-HOUR)]).time).toBe(NOON - HOUR);
		expect(found(NOON, [stamped(-HOUR)], MINUTE).time).toBe(NOON - HOUR);
		expect(found(NOON, [stamped(-90 * MINUTE), stamped(-HOUR), stamped(-80 * MINUTE)]).time).toBe(
			NOON - HOUR,
		);
	});

	test('overrides newer stamps, which the clock wrote before it was set back', () => {
		expect(found(NOON, [stamped(-HOUR), stamped(-SECOND)]).time).toBe(NOON - HOUR);
		const cursor = found(undefined, [stamped(-HOUR), stamped(-SECOND)]);
		expect(cursor.time).toBe(NOON - HOUR);
		expect(cursor.latestKnownTime).toBe(NOON - HOUR);
	});

	test('has a stamp that a regular poll would not have returned', () => {
		expect(found(NOON, [stamped(-OVERLAP)]).time).toBe(NOON);
		expect(found(NOON, [stamped(-OVERLAP - 1)]).time).toBe(NOON - OVERLAP - 1);
	});

	test('does not exist in the first poll, nor in one of the whole list', () => {
		const first = cursorOf();
		poll(first, 0, NOON, [stamped(-HOUR), stamped(-50 * HOUR)]);
		expect(first.time).toBe(NOON - HOUR);
		const whole = cursorOf({ cursor: -Infinity });
		whole.beginPoll(filtered, { now: NOON, at: 0 });
		whole.observeFirstResponse(NOON, 0);
		whole.observeRecord(stamped(-HOUR), filtered, { now: NOON, at: 0, isChanged: true });
		whole.observeRecord(stamped(-MINUTE), filtered, { now: NOON, at: 0, isChanged: false });
		whole.completePoll();
		expect(whole.time).toBe(NOON - MINUTE);
	});

	test('is forgotten by the next poll', () => {
		const cursor = found(NOON, [stamped(-HOUR)]);
		poll(cursor, MINUTE, NOON + MINUTE, [stamped(MINUTE)]);
		expect(cursor.time).toBe(NOON + MINUTE);
		// The Date header is 20 seconds behind, which is no clock that was set back.
		poll(cursor, MINUTE + 10 * SECOND, NOON + MINUTE - 10 * SECOND);
		expect(cursor.time).toBe(NOON + MINUTE);
	});
});

describe('how far stamps lag behind the Date header', () => {
	/** Polls at noon and a minute later, when the list has these changes. */
	const lagOf = (...records: IDataObject[]) => lagAt(NOON + MINUTE, records);
	const lagAt = (date: number | undefined, records: IDataObject[], isChanged = true) => {
		const cursor = cursorOf();
		poll(cursor, HOUR, NOON);
		return poll(cursor, HOUR + MINUTE, date, records, isChanged);
	};

	test('is how long before the last poll a new change is stamped, if that is more than the overlap', () => {
		expect(lagOf(stamped(-5 * MINUTE))).toBe(5 * MINUTE);
		expect(lagOf(stamped(-OVERLAP - 1))).toBe(OVERLAP + 1);
		expect(lagOf(stamped(-OVERLAP))).toBeUndefined();
		expect(lagOf(stamped(MINUTE))).toBeUndefined();
	});

	test('is the maximum of several changes', () => {
		const changes = [stamped(-5 * MINUTE), stamped(-7 * MINUTE), stamped(-6 * MINUTE)];
		expect(lagOf(...changes)).toBe(7 * MINUTE);
	});

	test('is unknown if the clock of the Date header was set by more than 30 seconds', () => {
		const records = [stamped(-5 * MINUTE)];
		const aheadMs = 30 * SECOND;
		expect(lagAt(NOON + MINUTE + aheadMs, records)).toBe(5 * MINUTE + aheadMs);
		expect(lagAt(NOON + MINUTE + aheadMs + 1, records)).toBeUndefined();
		expect(lagAt(NOON + MINUTE - aheadMs, records)).toBe(5 * MINUTE - aheadMs);
		expect(lagAt(NOON + MINUTE - aheadMs - 1, records)).toBeUndefined();
	});

	test('is not derived from an unchanged record, nor without a Date header', () => {
		expect(lagAt(NOON + MINUTE, [stamped(-5 * MINUTE)], false)).toBeUndefined();
		expect(lagAt(undefined, [stamped(-5 * MINUTE)])).toBeUndefined();
	});

	test('is not derived from the dates of events, nor from a list that is compared', () => {
		const [first, ...others] = [
			createList({ changeSchema: { ...filtered.changeSchema, stamp: undefined } }),
			createList({ isFiltered: false, changeSchema: filtered.changeSchema }),
			filtered,
		].map((definition) => {
			const cursor = cursorOf();
			poll(cursor, 0, NOON, [], true, definition);
			const record = { CreatedAt: formatTime(-5 * MINUTE), Stamp: formatTime(-5 * MINUTE) };
			return poll(cursor, MINUTE, NOON + MINUTE, [record], true, definition);
		});
		expect([first, ...others]).toEqual([undefined, undefined, 5 * MINUTE]);
	});

	test('is not derived in the first poll after a restart, whose predecessor is unknown', () => {
		const cursor = cursorOf({ cursor: NOON });
		expect(poll(cursor, 0, NOON + HOUR, [stamped(5 * MINUTE)])).toBeUndefined();
	});

	test('is measured from the last poll with a Date header, and once', () => {
		const cursor = cursorOf();
		poll(cursor, 0, NOON);
		poll(cursor, MINUTE, undefined);
		expect(poll(cursor, 2 * MINUTE, NOON + 2 * MINUTE, [stamped(-5 * MINUTE)])).toBe(5 * MINUTE);
		expect(poll(cursor, 3 * MINUTE, NOON + 3 * MINUTE)).toBeUndefined();
	});
});

describe("a service's clock that is set back", () => {
	/** Returns the cursor after a poll at noon and a response a minute later, whose clock was set by `byMs`. */
	const cursorAfterClockSet = (byMs: number, cursorAt: number) => {
		const cursor = cursorOf({ cursor: cursorAt });
		poll(cursor, 0, NOON);
		cursor.beginPoll(filtered, { now: NOON + MINUTE, at: MINUTE });
		return { cursor, to: cursor.observeFirstResponse(NOON + MINUTE + byMs, MINUTE) };
	};

	test('moves the cursor back by the same time if that is more than 30 seconds', () => {
		expect(cursorAfterClockSet(-10 * MINUTE, NOON).to).toBe(NOON - 10 * MINUTE);
		expect(cursorAfterClockSet(-30 * SECOND - 1, NOON).to).toBe(NOON - 30 * SECOND - 1);
		expect(cursorAfterClockSet(-30 * SECOND, NOON).to).toBeUndefined();
		expect(cursorAfterClockSet(10 * MINUTE, NOON).to).toBeUndefined();
		const { cursor } = cursorAfterClockSet(-10 * MINUTE, NOON);
		cursor.completePoll();
		expect(cursor.time).toBe(NOON - 10 * MINUTE);
		poll(cursor, 2 * MINUTE, NOON - 8 * MINUTE);
		expect(cursor.time).toBe(NOON - 10 * MINUTE);
	});

	test('moves the cursor to an hour before the Date header at most, and never ahead', () => {
		const { cursor, to } = cursorAfterClockSet(-10 * MINUTE, NOON - 3 * HOUR);
		expect(to).toBe(NOON - 9 * MINUTE - HOUR);
		cursor.completePoll();
		expect(cursor.time).toBe(NOON - 3 * HOUR);
	});

	test('moves a cursor that is ahead back to the Date header or earlier', () => {
		const cursor = cursorOf();
		poll(cursor, 0, undefined, [stamped(2 * HOUR)]);
		poll(cursor, MINUTE, NOON + MINUTE);
		cursor.beginPoll(filtered, { now: NOON, at: 2 * MINUTE });
		expect(cursor.observeFirstResponse(NOON - 8 * MINUTE, 2 * MINUTE)).toBe(NOON - 8 * MINUTE);
	});

	test('is not detected in the first poll, nor without a Date header', () => {
		const first = cursorOf();
		first.beginPoll(filtered, { now: NOON, at: 0 });
		expect(first.observeFirstResponse(NOON - HOUR, 0)).toBeUndefined();
		const cursor = cursorOf({ cursor: NOON });
		poll(cursor, 0, NOON);
		cursor.beginPoll(filtered, { now: NOON, at: MINUTE });
		expect(cursor.observeFirstResponse(undefined, MINUTE)).toBeUndefined();
	});

	test('moves the cursor back to where all records are known, if n8n was stopped meanwhile', () => {
		const to = (date: number, knownFrom?: number) => {
			const cursor = cursorOf({ cursor: NOON, knownFrom });
			cursor.beginPoll(filtered, { now: undefined, at: 0 });
			return cursor.observeFirstResponse(date, 0);
		};
		expect(to(NOON - HOUR, NOON - 10 * HOUR)).toBe(NOON - 10 * HOUR);
		expect(to(NOON - HOUR, NOON - 100 * HOUR)).toBe(NOON - 29 * HOUR);
		expect(to(NOON - 30 * SECOND, NOON - 10 * HOUR)).toBeUndefined();
		expect(to(NOON - 30 * SECOND - 1, NOON - 10 * HOUR)).toBe(NOON - 10 * HOUR);
		expect(to(NOON + HOUR, NOON - 10 * HOUR)).toBeUndefined();
	});

	test('is not assumed for a Date header before the cursor while polls continue', () => {
		const cursor = cursorOf();
		poll(cursor, 0, undefined, [stamped(HOUR)]);
		cursor.beginPoll(filtered, { now: NOON, at: MINUTE });
		expect(cursor.observeFirstResponse(NOON + MINUTE, MINUTE)).toBeUndefined();
	});

	/** Returns the cursor of a third poll, after a stamp in the first one and a second response whose clock was set. */
	const cursorAfterThirdPoll = (stampMs: number, byMs: number, aheadMs = 0) => {
		const cursor = cursorOf();
		poll(cursor, 0, NOON, [stamped(stampMs)]);
		poll(cursor, MINUTE, NOON + MINUTE + byMs);
		poll(cursor, 2 * MINUTE, NOON + 2 * MINUTE + byMs + aheadMs);
		return cursor.time;
	};

	test('moves the time proven by stamps back, at most to an hour before the Date header', () => {
		const third = NOON + 2 * MINUTE;
		const byMs = -10 * MINUTE;
		expect(cursorAfterThirdPoll(0, byMs, 20 * SECOND)).toBe(third + byMs);
		expect(cursorAfterThirdPoll(-65 * MINUTE, byMs)).toBe(third - HOUR + byMs);
		expect(cursorAfterThirdPoll(-3 * HOUR, byMs)).toBe(third - 3 * HOUR);
	});

	test('keeps the time proven by stamps if it is set back by up to 30 seconds, or ahead', () => {
		expect(cursorAfterThirdPoll(0, -30 * SECOND, 30 * SECOND)).toBe(NOON + 2 * MINUTE);
		expect(cursorAfterThirdPoll(0, 10 * MINUTE)).toBe(NOON + 2 * MINUTE);
	});
});
