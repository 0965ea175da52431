import { BadInput } from '../errors';
import { digitsLostError } from './convert';

/**
 * Converts a value of an expression to text: numbers without exponent, dates (Date and Luxon) as ISO 8601. Returns undefined for
 * values that are not a single text, such as lists, other objects and invalid dates.
 */
export function plainText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return Number.isFinite(value) ? withoutExponent(value) : undefined;
	if (typeof value === 'boolean' || typeof value === 'bigint') return `${value}`;
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	if (typeof value !== 'object' || value === null || !('toISO' in value)) return undefined;
	const moment: unknown = typeof value.toISO === 'function' ? value.toISO() : undefined;
	return typeof moment === 'string' ? moment : undefined;
}

/** Writes a number without an exponent, because services do not recognize 1e21 as an order number. */
function withoutExponent(number: number): string {
	const short = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(`${number}`);
	if (!short) return `${number}`;
	const [, sign = '', integer = '', fraction = '', exponent] = short;
	const power = Number(exponent);
	return power < 0
		? `${sign}0.${'0'.repeat(-power - 1)}${integer}${fraction}`
		: `${sign}${integer}${fraction.padEnd(power, '0')}`;
}

/** Whether a value is undefined, null or only white space. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Wraps a reader so that a blank value is omitted, even if the user added the field explicitly. */
export const unlessBlank =
	<Value>(read: (raw: unknown) => Value) =>
	(raw: unknown): Value | undefined =>
		isBlank(raw) ? undefined : read(raw);

/** Whether a value is an object or array, and neither a Date nor a Luxon DateTime. */
export const isNonDateObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !(value instanceof Date) && !('toISO' in value);

/** Reads a text; undefined for undefined and null. Throws BadInput for values that are not a single text. */
export function readText(raw: unknown, label: string): string | undefined {
	if (raw === undefined || raw === null) return undefined;
	const written = plainText(raw);
	if (written !== undefined) return written;
	throw notTextError(raw, label);
}

/** Creates the error for a value that is not a single text. The message omits the value, which may be secret. */
function notTextError(raw: unknown, label: string): BadInput {
	if (Array.isArray(raw)) {
		return new BadInput(
			`'${label}' must be text, not a list`,
			`Check the expression in '${label}': pick one entry, for example {{ $json.names[0] }}, or join them, for example {{ $json.names.join(", ") }}.`,
		);
	}
	return isNonDateObject(raw)
		? new BadInput(
				`'${label}' must be text, not an object`,
				`Check the expression in '${label}': pick one property of the object, for example {{ $json.address.city }}.`,
			)
		: new BadInput(
				`'${label}' must be text, and its value can't be read`,
				`Check the expression in '${label}': its number or date is not valid.`,
			);
}

/** Reads an ID as text. Throws BadInput for numbers above Number.MAX_SAFE_INTEGER, which have lost digits. */
export function readIdText(raw: unknown, label: string): string | undefined {
	const inexact = Number.isInteger(raw) && !Number.isSafeInteger(raw);
	if (!inexact) return readText(raw, label);
	throw digitsLostError(label);
}

/** Reads a text without surrounding white space; a `read` function for fields. */
export const readTrimmedText = (
	raw: unknown,
	_context: unknown,
	label: string,
): string | undefined => readText(raw, label)?.trim();
