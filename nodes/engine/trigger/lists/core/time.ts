import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, spelling, toMs } from './dateTime';

const ZONED = /(Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*$/i;
const CLOCK = /\d:\d\d/;
/** A number below this counts seconds since 1970, any other milliseconds. */
const LEAST_MS = 1e11;
/** No zone on Earth is further from UTC. */
export const FURTHEST_ZONE_MS = 14 * 3_600_000;

/** A time that a record names. */
export interface NamedTime {
	/** Equal for the same moment, however the record spells it. */
	text: string;
	/** The latest moment that it can mean, in milliseconds; `NaN` if nobody can read it. */
	latest: number;
	/** Whether it can mean one moment only. */
	exact: boolean;
}

/** The time in the first of these fields that holds anything. Without a zone it may be that of any place on Earth. */
export function namedTime(record: IDataObject, fields: readonly string[]): NamedTime | undefined {
	const value = fields
		.map((name) => record[name])
		.find((held) => held !== undefined && held !== null && held !== '');
	if (typeof value === 'number') {
		return { text: `${value}`, latest: value < LEAST_MS ? value * 1000 : value, exact: true };
	}
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const moment = parseDateTime(text);
	if (moment) {
		const latest = toMs(moment) + (moment.zoned ? 0 : FURTHEST_ZONE_MS);
		return { text: spelling(moment), latest, exact: moment.zoned };
	}
	// Other spellings, as far as V8 reads them.
	if (ZONED.test(text)) return { text, latest: Date.parse(text), exact: true };
	const inUtc = Date.parse(CLOCK.test(text) ? `${text}Z` : text);
	return { text, latest: inUtc + FURTHEST_ZONE_MS, exact: false };
}
