import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, canonicalDateTime, dateTimeToMs } from './dateTime';

const HAS_ZONE = /(Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*$/i;
const HAS_TIME_OF_DAY = /\d:\d\d/;
/** A number below this counts seconds since 1970, any other milliseconds. */
const MIN_MS_TIMESTAMP = 1e11;
/** The largest UTC offset of any time zone. */
export const MAX_UTC_OFFSET_MS = 14 * 3_600_000;

/** A time in a field of a record. */
export interface RecordTime {
	/** Canonical form: equal for the same moment, whatever format the record uses. */
	text: string;
	/** The latest moment that the text can mean, in milliseconds since 1970; `NaN` if it cannot be parsed. */
	latest: number;
	/** Whether it is unambiguous: a text without a zone can mean 28 hours of moments. */
	exact: boolean;
}

/**
 * Returns the time in the first of these fields that has a value. A text without a zone may mean the local time of any zone.
 */
export function readRecordTime(
	record: IDataObject,
	fields: readonly string[],
): RecordTime | undefined {
	const value = fields
		.map((name) => record[name])
		.find((candidate) => candidate !== undefined && candidate !== null && candidate !== '');
	if (typeof value === 'number') {
		return {
			text: `${value}`,
			latest: value < MIN_MS_TIMESTAMP ? value * 1000 : value,
			exact: true,
		};
	}
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const moment = parseDateTime(text);
	if (moment) {
		const latest = dateTimeToMs(moment) + (moment.hasZone ? 0 : MAX_UTC_OFFSET_MS);
		return { text: canonicalDateTime(moment), latest, exact: moment.hasZone };
	}
	// Other formats, as far as V8's `Date.parse` reads them.
	if (HAS_ZONE.test(text)) return { text, latest: Date.parse(text), exact: true };
	const inUtc = Date.parse(HAS_TIME_OF_DAY.test(text) ? `${text}Z` : text);
	return { text, latest: inUtc + MAX_UTC_OFFSET_MS, exact: false };
}
