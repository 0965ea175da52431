import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isRecord } from './isRecord';

/** A whole number with at most 16 digits, as Number.MAX_SAFE_INTEGER has. */
const SHORT_NUMBER = /^(0|[1-9]\d{0,15})$/;

/** A positive whole number with at most 19 digits, the length of the largest 64-bit integer. */
const ID_NUMBER = /^0*[1-9]\d{0,18}$/;

/** Creates a reader of whole numbers, from a number or its text. */
export const integerReader =
	(label: string) =>
	(raw: unknown): number => {
		const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw.trim()) : raw;
		if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
		throw new BadInput(
			`'${label}' must be a whole number, not "${shorten(raw)}"`,
			`Check '${label}'.`,
		);
	};

/** Creates a reader of finite numbers, from a number or its text. */
export const numberReader =
	(label: string) =>
	(raw: unknown): number => {
		const written = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
		if (typeof written === 'number' && Number.isFinite(written)) return written;
		throw new BadInput(`'${label}' must be a number, not "${shorten(raw)}"`, `Check '${label}'.`);
	};

/** Creates a reader of booleans, from a toggle or from an expression's true/false, yes/no or 1/0. */
export const booleanReader =
	(label: string) =>
	(raw: unknown): boolean => {
		if (typeof raw === 'boolean') return raw;
		const word = typeof raw === 'object' ? '' : `${raw}`.trim().toLowerCase();
		if (['true', 'yes', '1'].includes(word)) return true;
		if (['false', 'no', '0'].includes(word)) return false;
		throw new BadInput(
			`'${label}' must be true or false, not "${shorten(raw)}"`,
			`Check '${label}'.`,
		);
	};

/** Whether a toggle is on. Any other value that an expression returns counts as off. */
export const isOn = (raw: unknown): boolean => raw === true;

/** Clamps a number to `min` and `max`. Returns `fallback` if the value is blank or not a number. */
export function clampNumber(
	raw: unknown,
	{ min, max, fallback }: Record<'min' | 'max' | 'fallback', number>,
): number {
	const isFilledText = typeof raw === 'string' && raw.trim() !== '';
	const number = isFilledText || typeof raw === 'number' ? Number(raw) : NaN;
	return Number.isNaN(number) ? fallback : Math.min(max, Math.max(min, number));
}

/**
 * Creates a reader of numeric IDs, from a number or a text of digits. Large IDs become a bigint, so that no digit is lost.
 * `advice` says where the user finds a valid ID.
 */
export const idNumberReader =
	(
		label: string,
		advice: (text: string) => string = () =>
			'Choose it from the list, or take the number from the output of an earlier node.',
	) =>
	(raw: unknown): number | bigint => {
		const text = typeof raw === 'string' ? raw.trim() : `${raw}`;
		const exact = typeof raw !== 'number' || Number.isSafeInteger(raw);
		if (exact && ID_NUMBER.test(text)) {
			return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
		}
		if (!exact && Number.isInteger(raw)) throw digitsLostError(label);
		throw new BadInput(
			`'${label}' must be a number, not "${shorten(raw)}"`,
			`${advice(text)} Nothing was sent.`,
		);
	};

/** Creates the error for an ID given as a number above Number.MAX_SAFE_INTEGER. */
export const digitsLostError = (label: string) =>
	new BadInput(
		`'${label}' is too long for a number`,
		`Pass '${label}' as text: a number with more than 15 digits loses its last digits.`,
	);

/**
 * Normalizes an ID for output. Returns a number if a number can represent the ID exactly, otherwise a text. IDs that the
 * user typed and IDs from a service thus compare as equal.
 */
export function normalizeId(id: string | number | bigint): string | number {
	const text = `${id}`.trim();
	const number = SHORT_NUMBER.test(text) ? Number(text) : NaN;
	return Number.isSafeInteger(number) ? number : text;
}

/** Whether two IDs name the same record: services return IDs such as UUIDs in capitals and in small letters. */
export const isSameId = (a: unknown, b: unknown): boolean => comparableId(a) === comparableId(b);

const comparableId = (id: unknown): string => `${id}`.trim().toLowerCase();

/** Returns the object, or an empty one if the value is not an object. */
export const membersOf = (value: unknown): Record<string, unknown> =>
	isRecord(value) ? value : {};

/** Creates a reader of JSON objects, from JSON text or from an expression that returns an object. */
export const jsonObjectReader =
	(label: string) =>
	(raw: unknown): IDataObject => {
		const value = parseJson(raw, label);
		if (isRecord(value)) return value;
		throw new BadInput(
			`'${label}' must be a JSON object`,
			`Write '${label}' as names and values in braces, for example {"name": "value"}.`,
		);
	};

function parseJson(raw: unknown, label: string): unknown {
	if (typeof raw !== 'string') return raw;
	const invalid = {};
	const value = jsonParse<unknown>(raw, { fallbackValue: invalid });
	if (value !== invalid) return value;
	throw new BadInput(
		`'${label}' is not valid JSON`,
		`Check '${label}': quotes, commas and braces must match.`,
	);
}

/** Returns a value as text for a message, at most 60 characters. */
export function shorten(value: unknown): string {
	const isPlain = typeof value === 'string' || typeof value === 'bigint';
	const text = isPlain ? `${value}` : String(JSON.stringify(value));
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/**
 * Returns the first named member that is a non-empty string or a number, as text. Used for error bodies, because services
 * differ in how they name the member with the message.
 */
export function firstText(body: unknown, names: readonly string[]): string | undefined {
	const record = membersOf(body);
	const firstValue = names
		.map((name) => record[name])
		.find((value) => ['string', 'number'].includes(typeof value) && value !== '');
	return firstValue === undefined ? undefined : `${firstValue}`;
}
