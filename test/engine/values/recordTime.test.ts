import { readRecordTime } from '../../../nodes/engine/values/recordTime';

const HOUR = 3_600_000;

describe('readRecordTime', () => {
	const nowMs = Date.UTC(2026, 10, 15, 12, 30);
	const second = nowMs / 1000;
	const table: Array<[unknown, number, boolean, string?]> = [
		['2026-11-15T12:30:00Z', nowMs, true, `@${second}Z`],
		['2026-11-15T12:30:00.000z ', nowMs, true, `@${second}Z`],
		['2026-11-15T14:30:00+02:00', nowMs, true, `@${second}Z`],
		['2026-11-15T07:30:00-0500', nowMs, true, `@${second}Z`],
		['Sun, 15 Nov 2026 12:30:00 GMT', nowMs, true, `@${second}Z`],
		['2026-11-15 12:30 UTC', nowMs, true, `@${second}Z`],
		['2026-11-15T12:30:00', nowMs + 14 * HOUR, false, `@${second}`],
		['2026-11-15 12:30', nowMs + 14 * HOUR, false, `@${second}`],
		['2026-11-15T12:30:00.0123456Z', nowMs + 12, true, `@${second}.0123456Z`],
		['2026-11-15T13:30+01', nowMs, true, `@${second}Z`],
		['11/15/2026 12:30 GMT', nowMs, true],
		['11/15/2026 12:30 gmt', nowMs, true],
		['11/15/2026 12:30', nowMs + 14 * HOUR, false],
		['11/15/2026 12:30 PM', nowMs + 14 * HOUR, false],
		['Nov 15, 2026 0:30 AM', nowMs + 2 * HOUR, false],
		['11/15/2026', nowMs - 12.5 * HOUR + 14 * HOUR, false],
		['15 Nov 2026', nowMs - 12.5 * HOUR + 14 * HOUR, false],
		['2026-11-15', nowMs - 12.5 * HOUR + 14 * HOUR, false],
		[nowMs, nowMs, true],
		[nowMs / 1000, nowMs, true],
		['soon', NaN, false],
	];

	test.each(table)('reads %p', (value, latest, exact, spelled = String(value)) => {
		expect(readRecordTime({ at: value as string }, ['at'])).toEqual({
			text: spelled,
			latest,
			exact,
		});
	});

	test('reads the first field that is not empty', () => {
		const record = { none: null, empty: '', a: '2026-11-15T12:30:00Z', b: 5 };
		expect(readRecordTime(record, ['missing', 'none', 'empty', 'a', 'b'])?.latest).toBe(nowMs);
		expect(readRecordTime(record, ['missing', 'none', 'empty'])).toBeUndefined();
		expect(readRecordTime({ a: true, b: {} }, ['a'])).toBeUndefined();
		expect(readRecordTime({ a: 1e11 }, ['a'])?.latest).toBe(1e11);
		expect(readRecordTime({ a: 1e11 - 1 }, ['a'])?.latest).toBe((1e11 - 1) * 1000);
	});
});
