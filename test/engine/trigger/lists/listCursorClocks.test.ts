// Protects the cursor of a list when the service's clocks differ or are set back: the next polls still reach every change.
import type { IDataObject } from 'n8n-workflow';

import { ListCursor } from '../../../../nodes/engine/trigger/lists/core/listCursor';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const OVERLAP_MS = 2 * MINUTE;
const SECOND = 1000;
const filtered = createList();

const createCursor = (saved?: { cursor?: number; knownFrom?: number }) =>
	new ListCursor({ overlapMs: OVERLAP_MS, includeExisting: false }, saved);
const stampedRecord = (afterMs: number): IDataObject => ({ Stamp: formatTime(afterMs) });

/** Polls the list once, at a time of the monotonic clock. Returns how far stamps lag behind the Date header. */
function poll(
	cursor: ListCursor,
	monotonicMs: number,
	date: number | undefined,
	records: IDataObject[] = [],
	isChanged = true,
	definition = filtered,
): number | undefined {
	cursor.beginPoll(definition, { serviceTimeMs: date, monotonicMs: monotonicMs });
	cursor.observeFirstResponse(date, monotonicMs);
	for (const record of records)
		cursor.observeRecord(record, definition, {
			serviceTimeMs: date,
			monotonicMs: monotonicMs,
			isChanged,
		});
	return cursor.completePoll();
}

describe('a change that only a wide poll finds', () => {
	/** Returns the cursor after the first poll since a restart, which is wide: it reaches back two hours. */
	const cursorAfterWidePoll = (date: number | undefined, records: IDataObject[], elapsedMs = 0) => {
		const cursor = createCursor({ cursor: NOON, knownFrom: NOON - 10 * HOUR });
		poll(cursor, elapsedMs, date, records);
		return cursor;
	};

	test('moves the cursor back to its stamp, the newest one if there are several', () => {
		expect(cursorAfterWidePoll(NOON, [stampedRecord(-HOUR)]).time).toBe(NOON - HOUR);
		expect(cursorAfterWidePoll(undefined, [stampedRecord(-HOUR)]).time).toBe(NOON - HOUR);
		expect(cursorAfterWidePoll(NOON, [stampedRecord(-HOUR)], MINUTE).time).toBe(NOON - HOUR);
		expect(
			cursorAfterWidePoll(NOON, [
				stampedRecord(-90 * MINUTE),
				stampedRecord(-HOUR),
				stampedRecord(-80 * MINUTE),
			]).time,
		).toBe(NOON - HOUR);
	});

	test('moves the cursor back although newer stamps exist, from before the clock was set back', () => {
		expect(cursorAfterWidePoll(NOON, [stampedRecord(-HOUR), stampedRecord(-SECOND)]).time).toBe(
			NOON - HOUR,
		);
		const cursor = cursorAfterWidePoll(undefined, [stampedRecord(-HOUR), stampedRecord(-SECOND)]);
		expect(cursor.time).toBe(NOON - HOUR);
		expect(cursor.latestKnownTime).toBe(NOON - HOUR);
	});

	test('has a stamp that is earlier than the time from which a regular poll reads', () => {
		expect(cursorAfterWidePoll(NOON, [stampedRecord(-OVERLAP_MS)]).time).toBe(NOON);
		expect(cursorAfterWidePoll(NOON, [stampedRecord(-OVERLAP_MS - 1)]).time).toBe(
			NOON - OVERLAP_MS - 1,
		);
	});

	test('does not occur in the first poll, nor in a poll of the whole list', () => {
		const firstCursor = createCursor();
		poll(firstCursor, 0, NOON, [stampedRecord(-HOUR), stampedRecord(-50 * HOUR)]);
		expect(firstCursor.time).toBe(NOON - HOUR);
		const wholeListCursor = createCursor({ cursor: -Infinity });
		wholeListCursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: 0 });
		wholeListCursor.observeFirstResponse(NOON, 0);
		wholeListCursor.observeRecord(stampedRecord(-HOUR), filtered, {
			serviceTimeMs: NOON,
			monotonicMs: 0,
			isChanged: true,
		});
		wholeListCursor.observeRecord(stampedRecord(-MINUTE), filtered, {
			serviceTimeMs: NOON,
			monotonicMs: 0,
			isChanged: false,
		});
		wholeListCursor.completePoll();
		expect(wholeListCursor.time).toBe(NOON - MINUTE);
	});

	test('does not move the cursor in the next poll', () => {
		const cursor = cursorAfterWidePoll(NOON, [stampedRecord(-HOUR)]);
		poll(cursor, MINUTE, NOON + MINUTE, [stampedRecord(MINUTE)]);
		expect(cursor.time).toBe(NOON + MINUTE);
		// The Date header is 20 seconds behind. Only more than 30 seconds count as a clock that was set back.
		poll(cursor, MINUTE + 10 * SECOND, NOON + MINUTE - 10 * SECOND);
		expect(cursor.time).toBe(NOON + MINUTE);
	});
});

describe('how far stamps lag behind the Date header', () => {
	/** Returns the lag in the second poll, a minute after noon, which finds these changes. */
	const measureLag = (...records: IDataObject[]) => measureLagAt(NOON + MINUTE, records);
	const measureLagAt = (date: number | undefined, records: IDataObject[], isChanged = true) => {
		const cursor = createCursor();
		poll(cursor, HOUR, NOON);
		return poll(cursor, HOUR + MINUTE, date, records, isChanged);
	};

	test('is the time from the stamp of a new change to the last poll, if that is more than the overlap', () => {
		expect(measureLag(stampedRecord(-5 * MINUTE))).toBe(5 * MINUTE);
		expect(measureLag(stampedRecord(-OVERLAP_MS - 1))).toBe(OVERLAP_MS + 1);
		expect(measureLag(stampedRecord(-OVERLAP_MS))).toBeUndefined();
		expect(measureLag(stampedRecord(MINUTE))).toBeUndefined();
	});

	test('is the longest lag of several changes', () => {
		const changes = [
			stampedRecord(-5 * MINUTE),
			stampedRecord(-7 * MINUTE),
			stampedRecord(-6 * MINUTE),
		];
		expect(measureLag(...changes)).toBe(7 * MINUTE);
	});

	test('is undefined if the clock of the Date header was set by more than 30 seconds', () => {
		const records = [stampedRecord(-5 * MINUTE)];
		const toleranceMs = 30 * SECOND;
		expect(measureLagAt(NOON + MINUTE + toleranceMs, records)).toBe(5 * MINUTE + toleranceMs);
		expect(measureLagAt(NOON + MINUTE + toleranceMs + 1, records)).toBeUndefined();
		expect(measureLagAt(NOON + MINUTE - toleranceMs, records)).toBe(5 * MINUTE - toleranceMs);
		expect(measureLagAt(NOON + MINUTE - toleranceMs - 1, records)).toBeUndefined();
	});

	test('is not derived from an unchanged record, nor without a Date header', () => {
		expect(measureLagAt(NOON + MINUTE, [stampedRecord(-5 * MINUTE)], false)).toBeUndefined();
		expect(measureLagAt(undefined, [stampedRecord(-5 * MINUTE)])).toBeUndefined();
	});

	test('is not derived from the dates of events, nor from a list that is compared', () => {
		const lags = [
			createList({ changeSchema: { ...filtered.changeSchema, stamp: undefined } }),
			createList({ isFiltered: false, changeSchema: filtered.changeSchema }),
			filtered,
		].map((definition) => {
			const cursor = createCursor();
			poll(cursor, 0, NOON, [], true, definition);
			const record = { CreatedAt: formatTime(-5 * MINUTE), Stamp: formatTime(-5 * MINUTE) };
			return poll(cursor, MINUTE, NOON + MINUTE, [record], true, definition);
		});
		expect(lags).toEqual([undefined, undefined, 5 * MINUTE]);
	});

	test('is not derived in the first poll after a restart, since the time of the last poll is unknown', () => {
		const cursor = createCursor({ cursor: NOON });
		expect(poll(cursor, 0, NOON + HOUR, [stampedRecord(5 * MINUTE)])).toBeUndefined();
	});

	test('is measured from the last poll that had a Date header, and is returned once', () => {
		const cursor = createCursor();
		poll(cursor, 0, NOON);
		poll(cursor, MINUTE, undefined);
		expect(poll(cursor, 2 * MINUTE, NOON + 2 * MINUTE, [stampedRecord(-5 * MINUTE)])).toBe(
			5 * MINUTE,
		);
		expect(poll(cursor, 3 * MINUTE, NOON + 3 * MINUTE)).toBeUndefined();
	});
});

describe("a service's clock that is set back", () => {
	/**
	 * Polls at noon, and gets the first response of the next poll a minute later, from a clock that was set by `byMs`. Returns
	 * the cursor and the time to which the cursor must move back.
	 */
	const pollAfterClockSet = (byMs: number, cursorTime: number) => {
		const cursor = createCursor({ cursor: cursorTime });
		poll(cursor, 0, NOON);
		cursor.beginPoll(filtered, { serviceTimeMs: NOON + MINUTE, monotonicMs: MINUTE });
		return { cursor, setBackTo: cursor.observeFirstResponse(NOON + MINUTE + byMs, MINUTE) };
	};

	test('moves the cursor back by the same amount if that is more than 30 seconds', () => {
		expect(pollAfterClockSet(-10 * MINUTE, NOON).setBackTo).toBe(NOON - 10 * MINUTE);
		expect(pollAfterClockSet(-30 * SECOND - 1, NOON).setBackTo).toBe(NOON - 30 * SECOND - 1);
		expect(pollAfterClockSet(-30 * SECOND, NOON).setBackTo).toBeUndefined();
		expect(pollAfterClockSet(10 * MINUTE, NOON).setBackTo).toBeUndefined();
		const { cursor } = pollAfterClockSet(-10 * MINUTE, NOON);
		cursor.completePoll();
		expect(cursor.time).toBe(NOON - 10 * MINUTE);
		poll(cursor, 2 * MINUTE, NOON - 8 * MINUTE);
		expect(cursor.time).toBe(NOON - 10 * MINUTE);
	});

	test('moves the cursor back to an hour before the Date header at most, and never ahead', () => {
		const { cursor, setBackTo } = pollAfterClockSet(-10 * MINUTE, NOON - 3 * HOUR);
		expect(setBackTo).toBe(NOON - 9 * MINUTE - HOUR);
		cursor.completePoll();
		expect(cursor.time).toBe(NOON - 3 * HOUR);
	});

	test('moves a cursor that is ahead of the Date header back to the header', () => {
		const cursor = createCursor();
		poll(cursor, 0, undefined, [stampedRecord(2 * HOUR)]);
		poll(cursor, MINUTE, NOON + MINUTE);
		cursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: 2 * MINUTE });
		expect(cursor.observeFirstResponse(NOON - 8 * MINUTE, 2 * MINUTE)).toBe(NOON - 8 * MINUTE);
	});

	test('is not detected in the first poll, nor without a Date header', () => {
		const firstCursor = createCursor();
		firstCursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: 0 });
		expect(firstCursor.observeFirstResponse(NOON - HOUR, 0)).toBeUndefined();
		const cursor = createCursor({ cursor: NOON });
		poll(cursor, 0, NOON);
		cursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: MINUTE });
		expect(cursor.observeFirstResponse(undefined, MINUTE)).toBeUndefined();
	});

	test('makes the next poll reach back to the time from which all records are known, after a restart', () => {
		const reachAfterRestart = (date: number, knownFrom?: number) => {
			const cursor = createCursor({ cursor: NOON, knownFrom });
			cursor.beginPoll(filtered, { serviceTimeMs: undefined, monotonicMs: 0 });
			const setBackTo = cursor.observeFirstResponse(date, 0);
			return setBackTo === undefined ? undefined : setBackTo - OVERLAP_MS;
		};
		expect(reachAfterRestart(NOON - HOUR, NOON - 10 * HOUR)).toBe(NOON - 10 * HOUR);
		expect(reachAfterRestart(NOON - HOUR, NOON - 100 * HOUR)).toBe(NOON - 29 * HOUR - OVERLAP_MS);
		expect(reachAfterRestart(NOON - 30 * SECOND, NOON - 10 * HOUR)).toBeUndefined();
		expect(reachAfterRestart(NOON - 30 * SECOND - 1, NOON - 10 * HOUR)).toBe(NOON - 10 * HOUR);
		expect(reachAfterRestart(NOON + HOUR, NOON - 10 * HOUR)).toBeUndefined();
	});

	test('is not assumed if the Date header is earlier than the cursor in a later poll', () => {
		const cursor = createCursor();
		poll(cursor, 0, undefined, [stampedRecord(HOUR)]);
		cursor.beginPoll(filtered, { serviceTimeMs: NOON, monotonicMs: MINUTE });
		expect(cursor.observeFirstResponse(NOON + MINUTE, MINUTE)).toBeUndefined();
	});

	/**
	 * Returns the cursor after three polls. The first finds a stamp. Before the second the service's clock is set by `byMs`,
	 * and before the third it is set ahead by `aheadMs`.
	 */
	const cursorAfterThirdPoll = (stampMs: number, byMs: number, aheadMs = 0) => {
		const cursor = createCursor();
		poll(cursor, 0, NOON, [stampedRecord(stampMs)]);
		poll(cursor, MINUTE, NOON + MINUTE + byMs);
		poll(cursor, 2 * MINUTE, NOON + 2 * MINUTE + byMs + aheadMs);
		return cursor.time;
	};

	test('moves the estimate of the stamp clock back, at most to an hour before the Date header', () => {
		const thirdPollTime = NOON + 2 * MINUTE;
		const byMs = -10 * MINUTE;
		expect(cursorAfterThirdPoll(0, byMs, 20 * SECOND)).toBe(thirdPollTime + byMs);
		expect(cursorAfterThirdPoll(-65 * MINUTE, byMs)).toBe(thirdPollTime - HOUR + byMs);
		expect(cursorAfterThirdPoll(-3 * HOUR, byMs)).toBe(thirdPollTime - 3 * HOUR);
	});

	test('does not change the estimate of the stamp clock if it is set back by up to 30 seconds, or ahead', () => {
		expect(cursorAfterThirdPoll(0, -30 * SECOND, 30 * SECOND)).toBe(NOON + 2 * MINUTE);
		expect(cursorAfterThirdPoll(0, 10 * MINUTE)).toBe(NOON + 2 * MINUTE);
	});
});
