import { tryToParseDateTime } from 'n8n-workflow';

import { BadInput } from '../errors';
import type { Read } from '../field';
import { shorten } from './convert';

/** Smallest number that is read as milliseconds since 1970 (March 1973). Spreadsheet day numbers and seconds are smaller. */
const MIN_TIMESTAMP_MS = 1e11;

/** Matches dates with the year first, or with a month name before the year: only these are unambiguous. */
const UNAMBIGUOUS =
	/^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|(?<![a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W.*\b\d{4}\b/i;
const DAY_OR_MONTH_FIRST = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/;
const ZONE = /(?<![a-z])(Z|UTC?|GMT|[ECMP][SD]T)(?![a-z])|:\d\d\S*\s*([ap]m)?\s*[+-]\d\d/i;

/** Reads a date as ISO 8601 in UTC. A date without a time zone is in the workflow's. */
export const isoDate: Read<string | undefined> = (given, { timezone }) =>
	toIsoDate(given, timezone);

/** Converts a date to ISO 8601 in UTC; undefined if blank. Throws BadInput for what is no date. */
export function toIsoDate(given: unknown, timezone: string): string | undefined {
	if (given === undefined || given === null || given === '') return undefined;
	const value = typeof given === 'string' ? given.trim() : given;
	const iso = parseDate(value, timezone)?.toUTC().toISO();
	if (iso) return iso;
	throw new BadInput(
		`"${shorten(given)}" is not a date`,
		'Use the date picker, or a date such as 2026-11-30 or 2026-11-30T09:00:00+01:00.',
	);
}

function parseDate(value: unknown, timezone: string) {
	const digits = typeof value === 'number' || /^[+-]?\d+(\.\d+)?$/.test(`${value}`);
	if (digits && !(typeof value === 'string' && /^\d{8}$/.test(value))) {
		return tryToParse(new Date(requireMilliseconds(Number(value))), timezone);
	}
	if (typeof value !== 'string' || !isGuessed(value)) return tryToParse(value, timezone);
	if (DAY_OR_MONTH_FIRST.test(value)) {
		throw new BadInput(
			`It's unclear which number in "${shorten(value)}" is the month`,
			'Write the year first, for example 2026-11-30 or 2026-11-30T09:00:00.',
		);
	}
	if (!UNAMBIGUOUS.test(value)) return undefined;
	if (ZONE.test(value)) return tryToParse(value, timezone);
	// Parses the local time as UTC first, which has no daylight saving time, and then applies the time zone.
	const localTime = tryToParse(`${value} UTC`, 'UTC')?.toISO({ includeOffset: false });
	return localTime ? tryToParse(localTime, timezone) : undefined;
}

function tryToParse(value: unknown, timezone: string) {
	try {
		return tryToParseDateTime(value, timezone);
	} catch {
		return undefined;
	}
}

function requireMilliseconds(given: number): number {
	if (given >= MIN_TIMESTAMP_MS) return given;
	throw new BadInput(
		`${given} is a number, not a date`,
		'Use a date such as 2026-11-30. A number must be milliseconds since 1970: convert seconds, or the day number of a spreadsheet, to a date first.',
	);
}

/**
 * Whether n8n parses a text only by its fallback, `Date.parse`, which guesses and uses the server's time zone
 * (n8n-workflow 2.41.0, `tryToParseDateTime`). Then the text has no zone of its own, and the zone passed to n8n has no effect.
 */
function isGuessed(text: string): boolean {
	const [west, east] = ['Etc/GMT+12', 'Etc/GMT-12'] as const;
	const moment = tryToParse(text, west);
	return moment?.zoneName === west && moment.toMillis() === tryToParse(text, east)?.toMillis();
}
