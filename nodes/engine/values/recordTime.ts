import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, canonicalDateTime, dateTimeToMs } from './dateTime';

const HAS_ZONE = /(Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*$/i;
/** A number below this limit counts seconds since 1970; any other number counts milliseconds. */
const MIN_MS_TIMESTAMP = 1e11;
/** No time zone is further from UTC than this, in either direction: time zones range from -12 to +14 hours. */
export const MAX_UTC_OFFSET_MS = 14 * 3_600_000;

/** A time in a field of a record. */
export interface RecordTime {
	/**
	 * The time in a form for comparisons. ISO 8601 and RFC 5322 date-times have a canonical form that is equal for the same
	 * moment; a number or any other text is kept and trimmed.
	 */
	text: string;
	/** The moment, in milliseconds since 1970; without a zone, its upper bound. `NaN` if the text cannot be parsed. */
	latest: number;
	/** Whether the text names one moment. A text without a zone can mean any moment within 14 hours before or after. */
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
	// The text has another format, which V8's `Date.parse` may be able to read.
	if (HAS_ZONE.test(text)) return { text, latest: Date.parse(text), exact: true };
	// Without ` Z`, V8 would read the text in n8n's time zone. The space keeps `PM` a separate word.
	const inUtc = Date.parse(`${text} Z`);
	return { text, latest: inUtc + MAX_UTC_OFFSET_MS, exact: false };
}
