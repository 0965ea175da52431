import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, canonicalDateTime, dateTimeToMs } from './dateTime';

const HAS_ZONE = /(Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*$/i;
/** A number below this counts seconds since 1970, any other milliseconds. */
const MIN_MS_TIMESTAMP = 1e11;
/** No time zone is further from UTC than this, in either direction: they range from -12 to +14 hours. */
export const MAX_UTC_OFFSET_MS = 14 * 3_600_000;

/** A time in a field of a record. */
export interface RecordTime {
	/**
	 * For comparisons. ISO 8601 and RFC 5322 date-times have a canonical form that is equal for the same moment; a number or
	 * other text is kept, trimmed.
	 */
	text: string;
	/** The moment, in milliseconds since 1970; without a zone an upper bound of it. `NaN` if it cannot be parsed. */
	latest: number;
	/** Whether the text names one moment. Without a zone it is taken for any moment within 14 hours before or after. */
	exact: boolean;
}

/** Returns the time in the first of these fields that has a value. */
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
	// Without ` Z` V8 would read it in n8n's time zone. The space keeps `PM` a word of its own.
	const inUtc = Date.parse(`${text} Z`);
	return { text, latest: inUtc + MAX_UTC_OFFSET_MS, exact: false };
}
