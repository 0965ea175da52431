// Protects the size of the saved state: known records are forgotten above the limit or once they are old, and not before.
import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { KnownRecords } from '../../../../nodes/engine/trigger/lists/core/knownRecords';
import { parseState } from '../../../../nodes/engine/trigger/lists/core/recordState';
import { forgetRecords } from '../../../../nodes/engine/trigger/lists/core/retention';
import { HOUR, createList, MINUTE, NOON } from './listHarness';

const OVERLAP_MS = 2 * MINUTE;
const DAY = 24 * HOUR;
const state = parseState('abcdefghiA')!;
const compared = createList({ isFiltered: false });
const keepsAll = createList({ keepsAll: true });

/** Creates records that were last seen at these times after noon, by ID, and others that were seen at noon. */
function createKnownRecords(timesMs: Record<string, number>, fillerCount = 0): KnownRecords {
	const records = new KnownRecords();
	for (const [id, afterMs] of Object.entries(timesMs)) records.set(id, state, NOON + afterMs);
	for (let index = 0; index < fillerCount; index++) records.set(`filler ${index}`, state, NOON);
	return records;
}

interface ForgetSettings {
	definition?: ListDefinition;
	/** Null if there is none. */
	savedCursor?: number | null;
	/** Null if the response has no Date header. */
	firstResponseDate?: number | null;
	maxKnown?: number;
}

/** Forgets records of a list that was read at noon. */
const forget = (
	records: KnownRecords,
	{
		definition = createList(),
		savedCursor = NOON,
		firstResponseDate = NOON,
		maxKnown = 10_000,
	}: ForgetSettings = {},
) =>
	forgetRecords(
		records,
		definition,
		{ savedCursor: savedCursor ?? undefined, firstResponseDate: firstResponseDate ?? undefined },
		{ overlapMs: OVERLAP_MS, maxKnown },
	);

describe('a filtered list', () => {
	test('forgets records not seen for 28 hours, and returns when the last of them was seen', () => {
		const records = createKnownRecords({ a: -50 * HOUR, b: -28 * HOUR - 1, c: -28 * HOUR });
		expect(forget(records)).toEqual({
			unneededLastSeenAt: NOON - 28 * HOUR - 1,
			returnableLastSeenAt: undefined,
		});
		expect(records.size).toBe(1);
		expect(records.get('c')).toBeDefined();
	});

	test('keeps more than 2,000 records only if the overlap may return them', () => {
		// A stamp may be a minute ahead of the Date header.
		const neededFromMs = -OVERLAP_MS - MINUTE;
		const timesMs = { a: neededFromMs - 2, b: neededFromMs - 1, c: neededFromMs };
		const oneTooMany = createKnownRecords(timesMs, 1998);
		expect(forget(oneTooMany)).toEqual({
			unneededLastSeenAt: NOON + neededFromMs - 2,
			returnableLastSeenAt: undefined,
		});
		expect(oneTooMany.size).toBe(2000);
		const threeTooMany = createKnownRecords(timesMs, 2000);
		expect(forget(threeTooMany)).toEqual({
			unneededLastSeenAt: NOON + neededFromMs - 1,
			returnableLastSeenAt: undefined,
		});
		expect([threeTooMany.size, threeTooMany.get('c')]).toEqual([2001, state]);
		const exactlyEnough = createKnownRecords(timesMs, 1997);
		expect(forget(exactlyEnough)).toEqual({
			unneededLastSeenAt: undefined,
			returnableLastSeenAt: undefined,
		});
	});

	test('forgets nothing before it has a cursor', () => {
		const records = createKnownRecords({ a: -50 * HOUR });
		expect(forget(records, { savedCursor: null }).unneededLastSeenAt).toBeUndefined();
		expect(records.size).toBe(1);
	});

	test('keeps a record that must be kept, even if it was not seen for 100 days', () => {
		const records = new KnownRecords();
		records.set('a', { ...state, isKept: true }, NOON - 100 * DAY);
		forget(records);
		expect(records.size).toBe(1);
	});
});

describe.each([
	['a compared list', compared],
	['a filtered list that keeps all records', keepsAll],
])('%s', (_, definition) => {
	test('forgets records that were missing for seven days, and returns when the last of them was seen', () => {
		const records = createKnownRecords({ a: -8 * DAY, b: -7 * DAY - 1, c: -7 * DAY });
		expect(forget(records, { definition })).toEqual({
			unneededLastSeenAt: undefined,
			returnableLastSeenAt: NOON - 7 * DAY - 1,
		});
		expect([records.size, records.get('c')]).toEqual([1, state]);
	});

	test('forgets no missing record without a Date header', () => {
		const records = createKnownRecords({ a: -8 * DAY });
		expect(
			forget(records, { definition, firstResponseDate: null }).returnableLastSeenAt,
		).toBeUndefined();
		expect(records.size).toBe(1);
	});
});

test.each([createList(), compared])(
	'a list forgets the oldest records above the limit, and returns when the last of them was seen: %#',
	(definition) => {
		const records = createKnownRecords({ a: -3, b: -2, c: -1 });
		expect(forget(records, { definition, maxKnown: 3 }).returnableLastSeenAt).toBeUndefined();
		expect(forget(records, { definition, maxKnown: 1 })).toEqual({
			unneededLastSeenAt: undefined,
			returnableLastSeenAt: NOON - 2,
		});
		expect([records.size, records.get('c')]).toEqual([1, state]);
	},
);
