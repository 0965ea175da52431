/** A date-time of ISO 8601, as RFC 3339 and its relatives write it. Seconds, fraction and zone may be missing. */
const ISO_8601 =
	/^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
/** A date-time of RFC 5322, as HTTP and mail write it. */
const RFC_5322 =
	/^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|Z|[+-]\d{4})$/i;
const OFFSET = /^([+-])(\d\d):?(\d\d)?$/;

/** A moment that a text names, to any precision. */
export interface ParsedDateTime {
	/** Whole seconds since 1970, and the digits after them, without zeros at the end. */
	seconds: number;
	fraction: string;
	/** Whether the text names a zone. If not, the seconds are those of UTC. */
	hasZone: boolean;
}

/** Returns the moment that a text names; nothing unless the whole text is a date-time that exists. */
export function parseDateTime(text: string): ParsedDateTime | undefined {
	const parts = ISO_8601.exec(text);
	if (!parts) {
		const ms = RFC_5322.test(text) ? Date.parse(text) : NaN;
		return Number.isNaN(ms) ? undefined : { seconds: ms / 1000, fraction: '', hasZone: true };
	}
	const [year, month, day, hour, minute, second] = parts
		.slice(1, 7)
		.map((part: string | undefined) => Number(part ?? 0)) as [
		number,
		number,
		number,
		number,
		number,
		number,
	];
	if (hour > 23 || minute > 59 || second > 59) return undefined;
	const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
	// A day that the calendar lacks would become one of the next month.
	if (date.getUTCMonth() !== month - 1) return undefined;
	const zone = parts[8];
	return {
		seconds: date.getTime() / 1000 - utcOffsetOf(zone),
		fraction: (parts[7] ?? '').replace(/0+$/, ''),
		hasZone: zone !== undefined,
	};
}

/** How far a zone is ahead of UTC, in seconds. */
function utcOffsetOf(zone = ''): number {
	const [, sign, hours = 0, minutes = 0] = OFFSET.exec(zone) ?? [];
	const ahead = 3600 * Number(hours) + 60 * Number(minutes);
	return sign === '-' ? -ahead : ahead;
}

/** The one spelling of a moment that is compared; no JSON text looks like it. */
export const canonicalDateTime = ({ seconds, fraction, hasZone }: ParsedDateTime): string =>
	`@${seconds}${fraction && `.${fraction}`}${hasZone ? 'Z' : ''}`;

/** A moment in milliseconds; what is finer is cut off. */
export const dateTimeToMs = ({ seconds, fraction }: ParsedDateTime): number =>
	1000 * seconds + Number(fraction.slice(0, 3).padEnd(3, '0'));
