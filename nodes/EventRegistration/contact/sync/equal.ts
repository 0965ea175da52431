import type { FieldKind } from '../../form/kinds';

const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;
const YES = /^(true|yes|y|1|on)$/i;
const NO = /^(false|no|n|0|off)$/i;
/** A day, alone or at midnight. Another time of the day may be another day in the service's time zone. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Whether the service's value is the one that would be sent. Texts are compared without surrounding white space. A type of the
 * form makes different spellings equal; a spelling that does not fit the type is compared as text.
 */
export function isSameValue(kind: FieldKind, sent: string, stored: string): boolean {
	const [one, other] = [sent.trim(), stored.trim()];
	if (one === other) return true;
	const meaning = meaningOf(kind, one);
	return meaning !== undefined && meaning === meaningOf(kind, other);
}

/** Returns a text that is equal for all spellings of a value; undefined if the text does not fit the kind. */
function meaningOf(kind: FieldKind, text: string): string | undefined {
	switch (kind) {
		case 'number':
			return canonicalDecimal(text);
		case 'boolean':
			return YES.test(text) ? 'yes' : NO.test(text) ? 'no' : undefined;
		case 'date':
			return DAY.exec(text)?.[1];
		case 'dateTime':
			return momentOf(text);
		case 'choices':
			return text === '' ? undefined : canonicalChoices(text);
		default:
			return undefined;
	}
}

/** Compares digits and not floating-point numbers, which would make long numbers equal. */
function canonicalDecimal(text: string): string | undefined {
	const [, sign, whole = '', fraction = ''] = /\d/.test(text) ? (DECIMAL.exec(text) ?? []) : [];
	if (sign === undefined) return undefined;
	const digits = `${whole || '0'}.${fraction}`;
	return digits === '0.' ? digits : `${sign === '-' ? '-' : ''}${digits}`;
}

/** Returns a date with a time in milliseconds. One without an offset is in UTC, in which the node sends it. */
function momentOf(text: string): string | undefined {
	const [, day, time, zone = 'Z'] = MOMENT.exec(text) ?? [];
	const ms = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(ms) ? undefined : `${ms}`;
}

/** Several answers are one text with separators; services differ in the separator and the order. */
const canonicalChoices = (text: string): string =>
	JSON.stringify(
		text
			.split(/[,;|\n]/)
			.map((choice) => choice.trim())
			.filter((choice) => choice !== '')
			.sort(),
	);
