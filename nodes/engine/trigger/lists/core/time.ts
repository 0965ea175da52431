import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, canonicalDateTime, dateTimeToMs } from './dateTime';

const HAS_ZONE = /(Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*$/i;
const HAS_TIME_OF_DAY = /\d:\d\d/;
/** A number below this counts seconds since 1970, any other milliseconds. */
const MIN_MS_TIMESTAMP = 1e11;
/** No zone on Earth is further from UTC. */
export const MAX_UTC_OFFSET_MS = 14 * 3_600_000;

/** A time that a record names. */
export interface RecordTime {
	/** Equal for the same moment, however the record spells it. */
	text: string;
	/** The latest moment that it can mean, in milliseconds; `NaN` if nobody can read it. */
	latest: number;
	/** Whether it can mean one moment only. */
	exact: boolean;
}

/** The time in the first of these fields that holds anything. Without a zone it may be that of any place on Earth. */
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
	// Other spellings, as far as V8 reads them.
	if (HAS_ZONE.test(text)) return { text, latest: Date.parse(text), exact: true };
	const inUtc = Date.parse(HAS_TIME_OF_DAY.test(text) ? `${text}Z` : text);
	return { text, latest: inUtc + MAX_UTC_OFFSET_MS, exact: false };
}
