import { tryToParseDateTime } from 'n8n-workflow';

import { BadInput } from '../errors';
import type { ReadField } from '../field';
import { shorten } from './convert';

/** Smallest number that is read as milliseconds since 1970 (March 1973). Spreadsheet day numbers and seconds are smaller. */
const MIN_TIMESTAMP_MS = 1e11;

/** Matches dates with the year first, or with a month name before the year: only these are unambiguous. */
const UNAMBIGUOUS =
	/^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|(?<![a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W.*\b\d{4}\b/i;
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/;
const DAY_OR_MONTH_FIRST = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/;
/** Matches dates with dots and a year of four digits: in every country that writes dates with dots, the day comes first. */
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)(.*)$/s;
const ZONE = /(?<![a-z])(Z|UTC?|GMT|[ECMP][SD]T)(?![a-z])|:\d\d\S*\s*([ap]m)?\s*[+-]\d\d/i;

/** A zone that no place uses. A date without a zone therefore means another moment in this zone than in the workflow's. */
const UNUSED_ZONE = 'Etc/GMT+12';

/** Hint about dates without a time zone, which the pack reads in the workflow's time zone. */
export const localDateHint = (timezone: string): string =>
	`Dates and times without a time zone were read in ${timezone}, the time zone of this workflow. To use another one, write it with the time (2026-11-30T09:00:00+01:00), or change 'Timezone' in the settings of the workflow.`;

/** Reads a date as ISO 8601 in UTC. A date without a time zone is read in the workflow's time zone. */
export const readIsoDate: ReadField<string | undefined> = (raw, { timezone, onLocalDate }, label) =>
	toIsoDate(label, raw, timezone, onLocalDate);

/**
 * Converts a date to ISO 8601 in UTC; undefined if blank. Throws BadInput, with the field's label, for a value that is not a
 * date. Calls `onLocalDate` if the date has no time zone, so that the result depends on `timezone`.
 */
export function toIsoDate(
	label: string,
	raw: unknown,
	timezone: string,
	onLocalDate?: () => void,
): string | undefined {
	if (raw === undefined || raw === null || raw === '') return undefined;
	const value = typeof raw === 'string' ? raw.trim() : raw;
	const moment = parseDate(label, value, timezone);
	const iso = moment?.toUTC().toISO();
	if (moment && iso) {
		if (onLocalDate && parseDate(label, value, UNUSED_ZONE)?.toMillis() !== moment.toMillis())
			onLocalDate();
		return iso;
	}
	throw new BadInput(
		`'${label}' must be a date, not "${shorten(raw)}"`,
		'Use the date picker, or a date such as 2026-11-30 or 2026-11-30T09:00:00+01:00.',
	);
}

function parseDate(label: string, value: unknown, timezone: string) {
	const digits = typeof value === 'number' || /^[+-]?\d+(\.\d+)?$/.test(`${value}`);
	if (digits && !(typeof value === 'string' && /^\d{8}$/.test(value))) {
		return tryToParse(new Date(requireMilliseconds(label, Number(value))), timezone);
	}
	if (typeof value !== 'string') return tryToParse(value, timezone);
	const dotted = DOTTED.exec(value);
	if (dotted) return parseDate(label, dottedToIso(dotted), timezone);
	if (!hasRealDay(value)) return undefined;
	if (!isGuessed(value)) return tryToParse(value, timezone);
	if (DAY_OR_MONTH_FIRST.test(value)) {
		throw new BadInput(
			`'${label}': it's unclear which number in "${shorten(value)}" is the month`,
			'Write the year first, for example 2026-11-30 or 2026-11-30T09:00:00.',
		);
	}
	if (!UNAMBIGUOUS.test(value)) return undefined;
	if (ZONE.test(value)) return tryToParse(value, timezone);
	// Parses the local time as UTC first, because UTC has no daylight saving time, and then applies the time zone.
	const localTime = tryToParse(`${value} UTC`, 'UTC')?.toISO({ includeOffset: false });
	return localTime ? tryToParse(localTime, timezone) : undefined;
}

/** Whether a date with the year first names a day that exists. `Date.parse` reads 2026-02-30 as the second of March. */
function hasRealDay(text: string): boolean {
	const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
	if (year === undefined) return true;
	const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

const dottedToIso = ([, day, month, year, rest]: RegExpExecArray) =>
	`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}${rest}`;

function tryToParse(value: unknown, timezone: string) {
	try {
		return tryToParseDateTime(value, timezone);
	} catch {
		return undefined;
	}
}

function requireMilliseconds(label: string, timestamp: number): number {
	if (timestamp >= MIN_TIMESTAMP_MS) return timestamp;
	throw new BadInput(
		`'${label}' must be a date, not the number ${timestamp}`,
		'Use a date such as 2026-11-30. A number must be milliseconds since 1970: convert seconds, or the day number of a spreadsheet, to a date first.',
	);
}

/**
 * Whether n8n parses a text only by its fallback, `Date.parse`, which guesses and uses the server's time zone (n8n-workflow
 * 2.41.0, `tryToParseDateTime`). In that case the text has no zone of its own, and the zone passed to n8n has no effect.
 */
function isGuessed(text: string): boolean {
	const [west, east] = ['Etc/GMT+12', 'Etc/GMT-12'] as const;
	const moment = tryToParse(text, west);
	return moment?.zoneName === west && moment.toMillis() === tryToParse(text, east)?.toMillis();
}
