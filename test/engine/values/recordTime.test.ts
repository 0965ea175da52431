// Protects triggers that compare times of records: a time is read as its latest possible moment, and marked if inexact.
import { readRecordTime } from '../../../nodes/engine/values/recordTime';

const HOUR_MS = 3_600_000;
/** The latest moment that a text without a time zone can mean is 14 hours after its time in UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS;

describe('readRecordTime', () => {
	const nowMs = Date.UTC(2026, 10, 15, 12, 30);
	const nowSeconds = nowMs / 1000;
	const table: Array<[value: unknown, latest: number, isExact: boolean, text?: string]> = [
		['2026-11-15T12:30:00Z', nowMs, true, `@${nowSeconds}Z`],
		['2026-11-15T12:30:00.000z ', nowMs, true, `@${nowSeconds}Z`],
		['2026-11-15T14:30:00+02:00', nowMs, true, `@${nowSeconds}Z`],
		['2026-11-15T07:30:00-0500', nowMs, true, `@${nowSeconds}Z`],
		['Sun, 15 Nov 2026 12:30:00 GMT', nowMs, true, `@${nowSeconds}Z`],
		['2026-11-15 12:30 UTC', nowMs, true, `@${nowSeconds}Z`],
		['2026-11-15T12:30:00', nowMs + MAX_OFFSET_MS, false, `@${nowSeconds}`],
		['2026-11-15 12:30', nowMs + MAX_OFFSET_MS, false, `@${nowSeconds}`],
		['2026-11-15T12:30:00.0123456Z', nowMs + 12, true, `@${nowSeconds}.0123456Z`],
		['2026-11-15T13:30+01', nowMs, true, `@${nowSeconds}Z`],
		['11/15/2026 12:30 GMT', nowMs, true],
		['11/15/2026 12:30 gmt', nowMs, true],
		['11/15/2026 12:30', nowMs + MAX_OFFSET_MS, false],
		['11/15/2026 12:30 PM', nowMs + MAX_OFFSET_MS, false],
		['Nov 15, 2026 0:30 AM', nowMs + 2 * HOUR_MS, false],
		['11/15/2026', nowMs - 12.5 * HOUR_MS + MAX_OFFSET_MS, false],
		['15 Nov 2026', nowMs - 12.5 * HOUR_MS + MAX_OFFSET_MS, false],
		['2026-11-15', nowMs - 12.5 * HOUR_MS + MAX_OFFSET_MS, false],
		[nowMs, nowMs, true],
		[nowMs / 1000, nowMs, true],
		['soon', NaN, false],
	];

	test.each(table)(
		'reads %p as %d ms at the latest, exact: %s',
		(value, latest, isExact, text = String(value)) => {
			expect(readRecordTime({ at: value as string }, ['at'])).toEqual({
				text,
				latest,
				exact: isExact,
			});
		},
	);

	test('reads the first field that is not empty, and a number below 1e11 as seconds', () => {
		const record = { none: null, empty: '', a: '2026-11-15T12:30:00Z', b: 5 };
		expect(readRecordTime(record, ['missing', 'none', 'empty', 'a', 'b'])?.latest).toBe(nowMs);
		expect(readRecordTime(record, ['missing', 'none', 'empty'])).toBeUndefined();
		expect(readRecordTime({ a: true, b: {} }, ['a'])).toBeUndefined();
		expect(readRecordTime({ a: 1e11 }, ['a'])?.latest).toBe(1e11);
		expect(readRecordTime({ a: 1e11 - 1 }, ['a'])?.latest).toBe((1e11 - 1) * 1000);
	});
});
