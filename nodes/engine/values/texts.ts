import { BadInput } from '../errors';
import { digitsLostError } from './convert';

/**
 * How a value reads that an expression gave where a text belongs: numbers in plain digits, moments as ISO. Nothing
 * where it does not read as one text, as a list or an object.
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

/** A number without an exponent, which nobody reads as a room or an order. */
function withoutExponent(number: number): string {
	const short = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(`${number}`);
	if (!short) return `${number}`;
	const [, sign = '', whole = '', fraction = '', exponent] = short;
	const power = Number(exponent);
	return power < 0
		? `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`
		: `${sign}${whole}${fraction.padEnd(power, '0')}`;
}

/** Whether a value was not filled in. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A reader that leaves out what was not filled in, even where the field was added on purpose. */
export const unlessBlank =
	<Value>(read: (given: unknown) => Value) =>
	(given: unknown): Value | undefined =>
		isBlank(given) ? undefined : read(given);

/** Whether a value has parts of its own and is no moment. */
export const isNonDateObject = (given: unknown): given is object =>
	typeof given === 'object' && given !== null && !(given instanceof Date) && !('toISO' in given);

/** The text of a field; nothing where it was left blank. */
export function text(given: unknown, label: string): string | undefined {
	if (given === undefined || given === null) return undefined;
	const written = plainText(given);
	if (written !== undefined) return written;
	throw notTextError(given, label);
}

/** The complaint about a value that does not read as one text. It does not show the value, which may be secret. */
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

/** The text of an ID, which a number beyond 15 digits has lost. */
export function idText(given: unknown, label: string): string | undefined {
	const inexact = Number.isInteger(given) && !Number.isSafeInteger(given);
	if (!inexact) return text(given, label);
	throw digitsLostError(label);
}

/** The text of a field without the blanks around it, as a converter of fields. */
export const trimmed = (given: unknown, _call: unknown, label: string): string | undefined =>
	text(given, label)?.trim();
