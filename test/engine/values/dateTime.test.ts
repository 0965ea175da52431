// Protects times of records: a date-time is read to the millisecond with its time zone, and an impossible one is not read.
import { dateTimeToMs, parseDateTime } from '../../../nodes/engine/values/dateTime';

const expectedMs = Date.UTC(2026, 10, 15, 12, 30);
const parseToMs = (text: string) => {
	const parsed = parseDateTime(text);
	return parsed && dateTimeToMs(parsed);
};

describe('parseDateTime', () => {
	test.each([
		['text before it', 'on 2026-11-15T12:30:00Z'],
		['text after it', '2026-11-15T12:30:00Z or later'],
		['text before a mail date', 'before Sun, 15 Nov 2026 12:30:00 GMT'],
		['text after a mail date', 'Sun, 15 Nov 2026 12:30:00 GMT (noon)'],
		['hour 24', '2026-11-15T24:00:00Z'],
		['minute 60', '2026-11-15T12:60:00Z'],
		['second 60', '2026-11-15T12:30:60Z'],
		['month 13', '2026-13-15T12:30:00Z'],
		['31 April', '2026-04-31T12:30:00Z'],
	])('returns undefined for a date with %s', (_, text) => {
		expect(parseDateTime(text)).toBeUndefined();
	});

	test('accepts the last second of a day', () => {
		expect(parseToMs('2026-11-15T23:59:59Z')).toBe(Date.UTC(2026, 10, 15, 23, 59, 59));
	});

	test('reads a time without a zone as UTC', () => {
		expect(parseDateTime('2026-11-15T12:30')).toEqual({
			seconds: expectedMs / 1000,
			fraction: '',
			hasZone: false,
		});
	});

	test.each([
		['2026-11-15T12:30:00Z', expectedMs],
		['2026-11-15T18:00:00+05:30', expectedMs],
		['2026-11-15T09:00:00-0330', expectedMs],
		['2026-11-15T10:30:00-02', expectedMs],
	])('subtracts the offset of the zone: %s', (text, expected) => {
		expect(parseToMs(text)).toBe(expected);
	});
});

describe('dateTimeToMs', () => {
	test.each([
		['.5', 500],
		['.05', 50],
		['.12', 120],
		['.123', 123],
		['.1239', 123],
		['', 0],
	])('reads the fraction "%s" as %d whole milliseconds', (fraction, ms) => {
		expect(parseToMs(`2026-11-15T12:30:00${fraction}Z`)).toBe(expectedMs + ms);
	});
});
