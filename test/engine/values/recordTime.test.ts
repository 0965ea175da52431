import { readRecordTime } from '../../../nodes/engine/values/recordTime';

const HOUR = 3_600_000;

describe('readRecordTime', () => {
	const at = Date.UTC(2026, 10, 15, 12, 30);
	const second = at / 1000;
	const table: Array<[unknown, number, boolean, string?]> = [
		['2026-11-15T12:30:00Z', at, true, `@${second}Z`],
		['2026-11-15T12:30:00.000z ', at, true, `@${second}Z`],
		['2026-11-15T14:30:00+02:00', at, true, `@${second}Z`],
		['2026-11-15T07:30:00-0500', at, true, `@${second}Z`],
		['Sun, 15 Nov 2026 12:30:00 GMT', at, true, `@${second}Z`],
		['2026-11-15 12:30 UTC', at, true, `@${second}Z`],
		['2026-11-15T12:30:00', at + 14 * HOUR, false, `@${second}`],
		['2026-11-15 12:30', at + 14 * HOUR, false, `@${second}`],
		['2026-11-15T12:30:00.0123456Z', at + 12, true, `@${second}.0123456Z`],
		['2026-11-15T13:30+01', at, true, `@${second}Z`],
		['11/15/2026 12:30 GMT', at, true],
		['11/15/2026 12:30 gmt', at, true],
		['11/15/2026 12:30', at + 14 * HOUR, false],
		['11/15/2026 12:30 PM', at + 14 * HOUR, false],
		['Nov 15, 2026 0:30 AM', at + 2 * HOUR, false],
		['11/15/2026', at - 12.5 * HOUR + 14 * HOUR, false],
		['15 Nov 2026', at - 12.5 * HOUR + 14 * HOUR, false],
		['2026-11-15', at - 12.5 * HOUR + 14 * HOUR, false],
		[at, at, true],
		[at / 1000, at, true],
		['soon', NaN, false],
	];

	test.each(table)('%p', (value, latest, exact, spelled = String(value)) => {
		expect(readRecordTime({ at: value as string }, ['at'])).toEqual({
			text: spelled,
			latest,
			exact,
		});
	});

	test('reads the first field that is not empty', () => {
		const record = { none: null, empty: '', a: '2026-11-15T12:30:00Z', b: 5 };
		expect(readRecordTime(record, ['missing', 'none', 'empty', 'a', 'b'])?.latest).toBe(at);
		expect(readRecordTime(record, ['missing', 'none', 'empty'])).toBeUndefined();
		expect(readRecordTime({ a: true, b: {} }, ['a'])).toBeUndefined();
		expect(readRecordTime({ a: 1e11 }, ['a'])?.latest).toBe(1e11);
		expect(readRecordTime({ a: 1e11 - 1 }, ['a'])?.latest).toBe((1e11 - 1) * 1000);
	});
});
