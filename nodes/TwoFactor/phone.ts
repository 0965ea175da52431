import { BadInput } from '../engine/errors';
import { missing } from '../engine/http/path';
import { findCallingCode, leadingCallingCode } from './countries';

/** A phone number as the service wants it: digits only, the calling code apart. */
export interface PhoneNumber {
	countryCode: string;
	number: string;
}

/** The longest number that there is, calling code included. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 3;

/** Where a number keeps its leading zero when it is dialed from abroad; everywhere else the zero is for calls at home. */
const KEEPS_ZERO = new Set(['39', '225', '229', '241', '242', '378']);

/** What people dial at home before the number, where it is not simply a zero. */
const TRUNK_PREFIX: Record<string, RegExp> = {
	'1': /^1(?=\d{10}$)/,
	'7': /^8(?=\d{10}$)/,
	'36': /^06/,
	'370': /^[08](?=\d{8}$)/,
	'375': /^(80|8|0)(?=\d{9}$)/,
	'993': /^8(?=\d{8}$)/,
};

/**
 * Reads a phone number the way people write it: with blanks, dashes, brackets, with the zero that is dialed at home. One
 * that begins with a plus sign or 00 brings its own country code; any other needs the country.
 */
export function readPhone(given: unknown, country: unknown): PhoneNumber {
	const text = stripFormatting(asText(given).replace(/^\s*tel:/i, ''));
	if (text === '') throw missing('Phone Number');
	if (!/^\+?\d+$/.test(text)) {
		throw new BadInput(
			"'Phone Number' is not valid",
			"Use digits, spaces, dashes, dots, parentheses and a leading plus sign, e.g. +49 151 2345678. Extensions aren't supported.",
		);
	}
	const international = /^(?:\+|00)(\d*)$/.exec(text)?.[1];
	const countryCode =
		international === undefined ? readCountry(country) : requireCallingCode(international);
	const local = international === undefined ? text : international.slice(countryCode.length);
	const number = local.replace(trunkPrefix(countryCode), '');
	const tooLong = countryCode.length + number.length > MAX_DIGITS;
	if (tooLong || number.length < MIN_DIGITS) {
		throw new BadInput(
			`'Phone Number' is too ${tooLong ? 'long' : 'short'}`,
			`Check 'Phone Number': with its country code it has at most ${MAX_DIGITS} digits. Nothing was sent.`,
		);
	}
	return { countryCode, number };
}

/** Reads a country: its calling code with or without plus sign, its two letters, or its name. */
export function readCountry(given: unknown): string {
	const text = asText(given).trim();
	if (text === '') {
		throw new BadInput(
			"'Country' is missing",
			'Choose the country, or start the phone number with a plus sign and its country code, e.g. +49 151 2345678.',
		);
	}
	const digits = stripFormatting(text).replace(/^(\+|00)/, '');
	if (/^[1-9]\d{0,3}$/.test(digits)) return digits;
	const code = findCallingCode(text);
	if (code) return code;
	throw new BadInput(
		`"${text.slice(0, 40)}" is not a country or a country code`,
		'Choose the country from the list, or enter its calling code, e.g. 49.',
	);
}

function requireCallingCode(digits: string): string {
	const code = leadingCallingCode(digits);
	if (code) return code;
	throw new BadInput(
		`'Phone Number' starts with +${digits.slice(0, 3)}, which is not a country code`,
		"Check 'Phone Number': the country code follows the plus sign, e.g. +49 151 2345678.",
	);
}

const trunkPrefix = (code: string) => TRUNK_PREFIX[code] ?? (KEEPS_ZERO.has(code) ? /^(?!)/ : /^0/);

/** Drops what only makes a number easier to read, and what comes along unseen when one is copied. */
const stripFormatting = (text: string) =>
	text.normalize('NFKC').replace(/[\s().·/\p{Pd}\p{Cf}]/gu, '');

function asText(given: unknown): string {
	if (given === undefined || given === null) return '';
	if (typeof given === 'string') return given;
	const isNumber = typeof given === 'number' && Number.isSafeInteger(given);
	if (isNumber || typeof given === 'bigint') return `${given}`;
	throw new BadInput(
		"'Phone Number' and 'Country' must be text or whole numbers",
		'Check both fields.',
	);
}
