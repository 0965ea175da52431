import { tryToParseDateTime } from 'n8n-workflow';

import { BadInput } from '../errors';
import type { Read } from '../field';
import { shorten } from './convert';

/** A number from here on is the milliseconds since 1970, of 1973 or later; a day of a spreadsheet or seconds are less. */
const MIN_TIMESTAMP_MS = 1e11;

/** Year first, or with the name of the month before the year: only then it is clear which number is what. */
const UNAMBIGUOUS =
	/^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|(?<![a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W.*\b\d{4}\b/i;
const DAY_OR_MONTH_FIRST = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/;
const ZONE = /(?<![a-z])(Z|UTC?|GMT|[ECMP][SD]T)(?![a-z])|:\d\d\S*\s*([ap]m)?\s*[+-]\d\d/i;

/** A date as an ISO text in UTC. One without a time zone is taken to be in the user's. */
export const isoDate: Read<string | undefined> = (given, { timezone }) =>
	toIsoDate(given, timezone);

/** Same, where the time zone is at hand. */
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
	// What a clock on the wall shows, in UTC for a moment, since that is never put forward or back.
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
 * Whether n8n takes a text for a date only because JavaScript does: by guessing, and in the time zone of the server. Then
 * the text brings no zone of its own, and the zone that n8n is told makes no difference.
 */
function isGuessed(text: string): boolean {
	const [west, east] = ['Etc/GMT+12', 'Etc/GMT-12'] as const;
	const moment = tryToParse(text, west);
	return moment?.zoneName === west && moment.toMillis() === tryToParse(text, east)?.toMillis();
}
