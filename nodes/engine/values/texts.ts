import { BadInput } from '../errors';
import { digitsLostError } from './convert';

/**
 * Converts a value of an expression to text: numbers without exponent, dates (Date and Luxon) as ISO 8601. Returns undefined for
 * values that are no single text, such as lists, other objects and invalid dates.
 */
export function plainText(given: unknown): string | undefined {
	if (typeof given === 'string') return given;
	if (typeof given === 'number') return Number.isFinite(given) ? withoutExponent(given) : undefined;
	if (typeof given === 'boolean' || typeof given === 'bigint') return `${given}`;
	if (given instanceof Date) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	if (typeof given !== 'object' || given === null || !('toISO' in given)) return undefined;
	const moment: unknown = typeof given.toISO === 'function' ? given.toISO() : undefined;
	return typeof moment === 'string' ? moment : undefined;
}

/** Writes a number without an exponent: services do not recognize 1e21 as an order number. */
function withoutExponent(number: number): string {
	const short = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(`${number}`);
	if (!short) return `${number}`;
	const [, sign = '', whole = '', fraction = '', exponent] = short;
	const power = Number(exponent);
	return power < 0
		? `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`
		: `${sign}${whole}${fraction.padEnd(power, '0')}`;
}

/** Whether a value is undefined, null or only white space. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Wraps a reader so that a blank value is omitted, even if the user added the field explicitly. */
export const unlessBlank =
	<Value>(read: (given: unknown) => Value) =>
	(given: unknown): Value | undefined =>
		isBlank(given) ? undefined : read(given);

/** Whether a value is an object or array, and neither a Date nor a Luxon DateTime. */
export const isNonDateObject = (given: unknown): given is object =>
	typeof given === 'object' && given !== null && !(given instanceof Date) && !('toISO' in given);

/** Reads a text; undefined for undefined and null. Throws BadInput for values that are no single text. */
export function text(given: unknown, label: string): string | undefined {
	if (given === undefined || given === null) return undefined;
	const written = plainText(given);
	if (written !== undefined) return written;
	throw notTextError(given, label);
}

/** Creates the error for a value that is no single text. The message omits the value, which may be secret. */
function notTextError(given: unknown, label: string): BadInput {
	if (Array.isArray(given)) {
		return new BadInput(
			`'${label}' must be text, not a list`,
			`Check the expression in '${label}': pick one entry, for example {{ $json.names[0] }}, or join them, for example {{ $json.names.join(", ") }}.`,
		);
	}
	return isNonDateObject(given)
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
export function idText(given: unknown, label: string): string | undefined {
	const inexact = Number.isInteger(given) && !Number.isSafeInteger(given);
	if (!inexact) return text(given, label);
	throw digitsLostError(label);
}

/** Reads a text without surrounding white space; a `read` function for fields. */
export const trimmed = (given: unknown, _call: unknown, label: string): string | undefined =>
	text(given, label)?.trim();
