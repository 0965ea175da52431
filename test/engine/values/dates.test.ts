// Protects dates that users enter: usual forms are read in the right time zone, and ambiguous or wrong ones are rejected.
import fc from 'fast-check';
import { tryToParseDateTime } from 'n8n-workflow';

import { toIsoDate } from '../../../nodes/engine/values/dates';
import { errorFrom } from '../../support/errorFrom';

const BERLIN = 'Europe/Berlin';
const EIGHT_UTC = '2026-11-30T08:00:00.000Z';

describe('toIsoDate with a date without a time zone', () => {
	it.each([
		'2026-11-30T09:00',
		'2026-11-30T09:00:00',
		'2026-11-30 09:00',
		'2026-11-30 9:00',
		'2026/11/30 09:00',
		'2026.11.30 09:00:00',
		'20261130T0900',
		'Nov 30, 2026 9:00',
		'Nov 30, 2026 9:00 AM',
		'30 November 2026 09:00',
		' November 30, 2026 9:00:00 ',
		'Mon Nov 30 2026 09:00:00',
	])('%s is read in the zone of the caller', (text) => {
		expect(toIsoDate('Start', text, BERLIN)).toBe(EIGHT_UTC);
		expect(toIsoDate('Start', text, 'America/New_York')).toBe('2026-11-30T14:00:00.000Z');
	});

	it.each(['2026-11-30', '20261130', '2026/11/30', '2026-11-30 ', 'Nov 30, 2026'])(
		'%s is read as midnight in the zone of the caller',
		(text) => {
			expect(toIsoDate('Start', text, BERLIN)).toBe('2026-11-29T23:00:00.000Z');
		},
	);

	it('a date of any month and hour is read in the zone of the caller', () => {
		const times = fc.date({
			min: new Date('2000-01-01T00:00:00Z'),
			max: new Date('2099-12-31T00:00:00Z'),
			noInvalidDate: true,
		});
		const zones = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Asia/Kolkata');
		const forms = ['yyyy/MM/dd HH:mm:ss', 'MMM d, yyyy h:mm:ss a', 'd LLLL yyyy HH:mm:ss'];
		fc.assert(
			fc.property(times, zones, fc.constantFrom(...forms), (date, zone, form) => {
				const wallClock = tryToParseDateTime(date, 'UTC').startOf('second');
				const text = wallClock.toFormat(form, { locale: 'en-US' });
				const expectedDate = tryToParseDateTime(wallClock.toFormat("yyyy-MM-dd'T'HH:mm:ss"), zone);
				expect(toIsoDate('Start', text, zone)).toBe(expectedDate.toUTC().toISO());
			}),
		);
	});
});

it.each([
	'2026-11-30T09:00:00+01:00',
	'2026-11-30T09:00+01',
	'2026-11-30T08:00:00Z',
	'20261130T080000Z',
	'2026-11-30T09:00:00+01:00[Europe/Berlin]',
	'2026-11-30 09:00:00 Europe/Berlin',
	'Mon, 30 Nov 2026 09:00:00 +0100',
	'Mon Nov 30 2026 09:00:00 GMT+0100 (Central European Standard Time)',
	'Nov 30, 2026 8:00 UTC',
	'Nov 30, 2026 3:00 EST',
	'2026/11/30 09:00 +0100',
])('toIsoDate keeps the time zone of %s', (text) => {
	for (const zone of ['UTC', BERLIN, 'America/New_York'])
		expect(toIsoDate('Start', text, zone)).toBe(EIGHT_UTC);
});

it.each<[string, unknown]>([
	['milliseconds', Date.parse(EIGHT_UTC)],
	['milliseconds as a text', `${Date.parse(EIGHT_UTC)}`],
	['a Date', new Date(EIGHT_UTC)],
	['a DateTime', tryToParseDateTime(EIGHT_UTC, BERLIN)],
])('toIsoDate accepts %s', (_, input) => {
	expect(toIsoDate('Start', input, 'America/New_York')).toBe(EIGHT_UTC);
});

it.each([46356, '46356', 46356.375, 5, '5', 0, -1, 20261130, 2026, '2026', 1_795_939_200])(
	'toIsoDate rejects the number %j, which is not a date',
	(input) => {
		expect(() => toIsoDate('Start', input, BERLIN)).toThrow(
			`'Start' must be a date, not the number ${input}`,
		);
	},
);

it.each(['11/30/2026 9:00 AM', '03/04/2026', '3-4-2026 10:00', ' 1/2/26'])(
	'toIsoDate rejects %s, which is ambiguous',
	(input) => {
		const { message, advice } = errorFrom(() => toIsoDate('Start', input, BERLIN));
		expect(message).toBe(`'Start': it's unclear which number in "${input.trim()}" is the month`);
		expect(advice).toMatch(/^Write the year first/);
	},
);

it.each([
	'30.11.2026 noon',
	'31.13.2026',
	'30.02.2026',
	'2026-02-30',
	'2026-02-30 09:00',
	'2026-13-01',
	'Room 2026-11-30',
	'Room 30.11.2026',
	'Room 12 30.11.2026 09:00',
	'30.11.26',
	'soon',
	'Room 12',
	'Session 3',
	'  ',
	'Nov 30',
	true,
	[],
	{},
])('toIsoDate rejects %j, which is not a date', (input) => {
	const { message, advice } = errorFrom(() => toIsoDate('Start', input, BERLIN));
	expect(message).toMatch(/^'Start' must be a date, not ".*"$/s);
	expect(advice).toMatch(/^Use the date picker/);
});

it.each([NaN, Infinity])('toIsoDate rejects %d, which is not a date', (input) => {
	expect(errorFrom(() => toIsoDate('Start', input, BERLIN)).message).toMatch(
		/^'Start' must be a date, not /,
	);
});

it('toIsoDate reads numbers from 1973 on as milliseconds, and rejects smaller numbers with advice', () => {
	expect(toIsoDate('Start', 1e11, BERLIN)).toBe('1973-03-03T09:46:40.000Z');
	const { message, advice } = errorFrom(() => toIsoDate('Start', 1e11 - 1, BERLIN));
	expect(message).toBe("'Start' must be a date, not the number 99999999999");
	expect(advice).toContain('convert seconds, or the day number of a spreadsheet, to a date');
});

it('toIsoDate reads names of months and zones in any case, and trims numbers', () => {
	expect(toIsoDate('Start', 'NOV 30, 2026 9:00', BERLIN)).toBe(EIGHT_UTC);
	expect(toIsoDate('Start', 'nov 30, 2026 8:00 utc', BERLIN)).toBe(EIGHT_UTC);
	expect(toIsoDate('Start', ` ${Date.parse(EIGHT_UTC)} `, BERLIN)).toBe(EIGHT_UTC);
	expect(toIsoDate('Start', ' 20261130 ', BERLIN)).toBe('2026-11-29T23:00:00.000Z');
});

it.each([
	['25.11.2026', '2026-11-24T23:00:00.000Z'],
	['1.2.2026', '2026-01-31T23:00:00.000Z'],
	['1. 2. 2026', '2026-01-31T23:00:00.000Z'],
	['1.2.2026T09:00', '2026-02-01T08:00:00.000Z'],
	['12.2.2026T09:00', '2026-02-12T08:00:00.000Z'],
	['30.11.2026 09:00', EIGHT_UTC],
	['30.11.2026T08:00:00Z', EIGHT_UTC],
])('toIsoDate reads %s, with dots, as day, month and year', (input, iso) => {
	expect(toIsoDate('Start', input, BERLIN)).toBe(iso);
});

it.each([undefined, null, ''])('toIsoDate returns nothing for %j', (input) => {
	expect(toIsoDate('Start', input, BERLIN)).toBeUndefined();
});

describe('onLocalDate of toIsoDate', () => {
	it.each([
		['2026-11-30T09:00:00', true],
		['2026-11-30', true],
		['30.11.2026 09:00', true],
		['Nov 30, 2026 9:00', true],
		['2026-11-30T09:00:00Z', false],
		['2026-11-30T09:00:00+01:00', false],
		['Nov 30, 2026 9:00 GMT', false],
		[1_796_025_600_000, false],
		['', false],
	])('is called only for a date without a time zone: for %s, %s', (input, isLocal) => {
		const onLocalDate = jest.fn();
		toIsoDate('Start', input, BERLIN, onLocalDate);
		expect(onLocalDate).toHaveBeenCalledTimes(isLocal ? 1 : 0);
	});
});
