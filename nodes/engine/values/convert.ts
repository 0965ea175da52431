import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isRecord } from './isRecord';

export { isRecord } from './isRecord';

/** The largest whole number that is surely exact has sixteen digits. */
const SHORT_NUMBER = /^(0|[1-9]\d{0,15})$/;

/** As many digits as the longest whole number of a service. */
const ID_NUMBER = /^0*[1-9]\d{0,18}$/;

/** A whole number, from a number or a text of digits. */
export const integer =
	(label: string) =>
	(given: unknown): number => {
		const number = typeof given === 'string' && given.trim() !== '' ? Number(given.trim()) : given;
		if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
		throw new BadInput(
			`'${label}' must be a whole number, not "${shorten(given)}"`,
			`Check '${label}'.`,
		);
	};

/** A number, from a number or a text that is one. */
export const number =
	(label: string) =>
	(given: unknown): number => {
		const written = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
		if (typeof written === 'number' && Number.isFinite(written)) return written;
		throw new BadInput(`'${label}' must be a number, not "${shorten(given)}"`, `Check '${label}'.`);
	};

/** Yes or no, from a switch, or from what an expression gives for one. */
export const boolean =
	(label: string) =>
	(given: unknown): boolean => {
		if (typeof given === 'boolean') return given;
		const word = typeof given === 'object' ? '' : `${given}`.trim().toLowerCase();
		if (['true', 'yes', '1'].includes(word)) return true;
		if (['false', 'no', '0'].includes(word)) return false;
		throw new BadInput(
			`'${label}' must be true or false, not "${shorten(given)}"`,
			`Check '${label}'.`,
		);
	};

/** Whether a switch is on; one that an expression gave anything else for is not. */
export const isOn = (given: unknown): boolean => given === true;

/** A number that the user may have left open, kept within its bounds. What is blank or no number counts as left open. */
export function within(least: number, given: unknown, most: number, fallback: number): number {
	const written = typeof given === 'string' && given.trim() !== '';
	const number = written || typeof given === 'number' ? Number(given) : NaN;
	return Number.isNaN(number) ? fallback : Math.min(most, Math.max(least, number));
}

/** The number of an ID, kept exactly however long it is: from a number, or from a text of digits. */
export const idNumber =
	(label: string) =>
	(given: unknown): number | bigint => {
		const text = typeof given === 'string' ? given.trim() : `${given}`;
		const exact = typeof given !== 'number' || Number.isSafeInteger(given);
		if (exact && ID_NUMBER.test(text)) {
			return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
		}
		if (!exact && Number.isInteger(given)) throw digitsLostError(label);
		throw new BadInput(
			`'${label}' must be a number, not "${shorten(given)}"`,
			`Check '${label}': use the number that the service shows for it. Nothing was sent.`,
		);
	};

/** The complaint about an ID that came as a number too long for one. */
export const digitsLostError = (label: string) =>
	new BadInput(
		`'${label}' is too long for a number`,
		`Pass '${label}' as text: a number with more than 15 digits loses its last digits.`,
	);

/**
 * An ID as it comes out of every operation: a number where it is one that a number holds exactly, and otherwise a text. So
 * what somebody typed compares with what a service answered.
 */
export function normalizeId(id: string | number | bigint): string | number {
	const text = `${id}`.trim();
	const number = SHORT_NUMBER.test(text) ? Number(text) : NaN;
	return Number.isSafeInteger(number) ? number : text;
}

/** The members of an object by their names; none of what is no object. */
export const membersOf = (value: unknown): Record<string, unknown> =>
	isRecord(value) ? value : {};

/** A JSON object, typed in as a text or given by an expression. */
export const jsonObject =
	(label: string) =>
	(given: unknown): IDataObject => {
		const value = parseJson(given, label);
		if (isRecord(value)) return value;
		throw new BadInput(
			`'${label}' must be a JSON object`,
			`Write '${label}' as names and values in braces, for example {"name": "value"}.`,
		);
	};

function parseJson(given: unknown, label: string): unknown {
	if (typeof given !== 'string') return given;
	const invalid = {};
	const value = jsonParse<unknown>(given, { fallbackValue: invalid });
	if (value !== invalid) return value;
	throw new BadInput(
		`'${label}' is not valid JSON`,
		`Check '${label}': quotes, commas and braces must match.`,
	);
}

/** A value as messages quote it. */
export function shorten(given: unknown): string {
	const text = typeof given === 'string' ? given : String(JSON.stringify(given));
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The first of the named properties that holds words, for reading errors wherever a service puts them. */
export function firstText(body: unknown, names: readonly string[]): string | undefined {
	const record = membersOf(body);
	const found = names
		.map((name) => record[name])
		.find((value) => ['string', 'number'].includes(typeof value) && value !== '');
	return found === undefined ? undefined : `${found}`;
}
