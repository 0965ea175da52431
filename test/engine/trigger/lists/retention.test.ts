import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { KnownRecords } from '../../../../nodes/engine/trigger/lists/core/knownRecords';
import { parseState } from '../../../../nodes/engine/trigger/lists/core/recordState';
import { forgetRecords } from '../../../../nodes/engine/trigger/lists/core/retention';
import { HOUR, createList, MINUTE, NOON } from './listHarness';

const OVERLAP = 2 * MINUTE;
const DAY = 24 * HOUR;
const state = parseState('abcdefghiA')!;
const compared = createList({ isFiltered: false });
const keepsAll = createList({ keepsAll: true });

/** Builds many records last seen at one time, and some at other times, by ID. */
function createKnownRecords(times: Record<string, number>, fillerCount = 0): KnownRecords {
	const records = new KnownRecords();
	for (const [id, afterMs] of Object.entries(times)) records.set(id, state, NOON + afterMs);
	for (let index = 0; index < fillerCount; index++) records.set(`filler ${index}`, state, NOON);
	return records;
}

interface ForgetSettings {
	definition?: ListDefinition;
	savedCursor?: number | null;
	firstResponseAt?: number | null;
	maxKnown?: number;
}

/** Forgets records of a list that was read at noon. */
const forget = (
	records: KnownRecords,
	{
		definition = createList(),
		savedCursor = NOON,
		firstResponseAt = NOON,
		maxKnown = 10_000,
	}: ForgetSettings = {},
) =>
	forgetRecords(
		records,
		definition,
		{ savedCursor: savedCursor ?? undefined, firstResponseDate: firstResponseAt ?? undefined },
		{ overlapMs: OVERLAP, maxKnown },
	);

describe('a filtered list', () => {
	test('forgets records that were not read for 28 hours, and returns when the last one was', () => {
		const records = createKnownRecords({ a: -50 * HOUR, b: -28 * HOUR - 1, c: -28 * HOUR });
		expect(forget(records)).toEqual({ unneeded: NOON - 28 * HOUR - 1, returnable: undefined });
		expect(records.size).toBe(1);
		expect(records.get('c')).toBeDefined();
	});

	test('keeps more than 2,000 records only as long as the overlap may return them', () => {
		const neededMs = -OVERLAP - MINUTE;
		const times = { a: neededMs - 2, b: neededMs - 1, c: neededMs };
		const full = createKnownRecords(times, 1998);
		expect(forget(full)).toEqual({ unneeded: NOON + neededMs - 2, returnable: undefined });
		expect(full.size).toBe(2000);
		const fuller = createKnownRecords(times, 2000);
		expect(forget(fuller)).toEqual({ unneeded: NOON + neededMs - 1, returnable: undefined });
		expect([fuller.size, fuller.get('c')]).toEqual([2001, state]);
		const room = createKnownRecords(times, 1997);
		expect(forget(room)).toEqual({ unneeded: undefined, returnable: undefined });
	});

	test('forgets nothing before it has a cursor', () => {
		const records = createKnownRecords({ a: -50 * HOUR });
		expect(forget(records, { savedCursor: null }).unneeded).toBeUndefined();
		expect(records.size).toBe(1);
	});

	test('does not treat a record as deleted that was not read for long', () => {
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
	test('forgets records that were missing for seven days, and returns when the last one was seen', () => {
		const records = createKnownRecords({ a: -8 * DAY, b: -7 * DAY - 1, c: -7 * DAY });
		expect(forget(records, { definition })).toEqual({
			unneeded: undefined,
			returnable: NOON - 7 * DAY - 1,
		});
		expect([records.size, records.get('c')]).toEqual([1, state]);
	});

	test('forgets no missing record without a Date header', () => {
		const records = createKnownRecords({ a: -8 * DAY });
		expect(forget(records, { definition, firstResponseAt: null }).returnable).toBeUndefined();
		expect(records.size).toBe(1);
	});
});

test.each([createList(), compared])(
	'every list forgets the oldest records above the limit, and returns when the last one was seen',
	(definition) => {
		const records = createKnownRecords({ a: -3, b: -2, c: -1 });
		expect(forget(records, { definition, maxKnown: 3 }).returnable).toBeUndefined();
		expect(forget(records, { definition, maxKnown: 1 })).toEqual({
			unneeded: undefined,
			returnable: NOON - 2,
		});
		expect([records.size, records.get('c')]).toEqual([1, state]);
	},
);
