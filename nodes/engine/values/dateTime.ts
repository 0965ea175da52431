/** An ISO 8601 date-time, including RFC 3339 and common variants. Seconds, fraction and zone may be missing. */
const ISO_8601 =
	/^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
/** An RFC 5322 date-time, as in HTTP headers and mail. */
const RFC_5322 =
	/^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|Z|[+-]\d{4})$/i;
const OFFSET = /^([+-])(\d\d):?(\d\d)?$/;

/** A parsed date-time, without loss of precision. */
export interface ParsedDateTime {
	/** Whole seconds since 1970; `fraction` has the digits after them, without trailing zeros. */
	seconds: number;
	fraction: string;
	/** Whether the text names a zone. Without a zone, `seconds` is the time read as UTC. */
	hasZone: boolean;
}

/**
 * Parses a date-time. Returns `undefined` if the text is not a date-time, or is an ISO 8601 date-time with a day that does
 * not exist.
 */
export function parseDateTime(text: string): ParsedDateTime | undefined {
	const parts = ISO_8601.exec(text);
	if (!parts) {
		const ms = RFC_5322.test(text) ? Date.parse(text) : NaN;
		return Number.isNaN(ms) ? undefined : { seconds: ms / 1000, fraction: '', hasZone: true };
	}
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
		.slice(1, 7)
		.map((part: string | undefined) => Number(part ?? 0));
	if (hour > 23 || minute > 59 || second > 59) return undefined;
	const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
	// `Date.UTC` turns a day that does not exist, such as 31 April, into one of the next month.
	if (date.getUTCMonth() !== month - 1) return undefined;
	const zone = parts[8];
	return {
		seconds: date.getTime() / 1000 - utcOffsetOf(zone),
		fraction: (parts[7] ?? '').replace(/0+$/, ''),
		hasZone: zone !== undefined,
	};
}

/** Returns the offset of a zone from UTC, in seconds. */
function utcOffsetOf(zone = ''): number {
	const [, sign, hours = 0, minutes = 0] = OFFSET.exec(zone) ?? [];
	const ahead = 3600 * Number(hours) + 60 * Number(minutes);
	return sign === '-' ? -ahead : ahead;
}

/**
 * Returns the canonical form for comparisons and digests. The form starts with `@`. The canonical form of any other value is
 * JSON text, which never starts with `@`.
 */
export const canonicalDateTime = ({ seconds, fraction, hasZone }: ParsedDateTime): string =>
	`@${seconds}${fraction && `.${fraction}`}${hasZone ? 'Z' : ''}`;

/** Returns milliseconds since 1970; finer digits are truncated. */
export const dateTimeToMs = ({ seconds, fraction }: ParsedDateTime): number =>
	1000 * seconds + Number(fraction.slice(0, 3).padEnd(3, '0'));
