import { BadInput } from '../engine/errors';
import { missingValueError } from '../engine/http/path';
import { findCallingCode, leadingCallingCode } from './countries';

/** Phone number in the service's form: digits only, the calling code separate. */
export interface PhoneNumber {
	countryCode: string;
	number: string;
}

/** Maximum of E.164, calling code included. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 3;

/** Countries whose numbers keep the leading zero in international calls. Everywhere else it is the trunk prefix. */
const KEEPS_ZERO = new Set(['39', '225', '229', '241', '242', '378']);

/** Trunk prefixes (dialed in national calls only) of countries where the prefix is not a zero. */
const TRUNK_PREFIX: Record<string, RegExp> = {
	'1': /^1(?=\d{10}$)/,
	'7': /^8(?=\d{10}$)/,
	'36': /^06/,
	'370': /^[08](?=\d{8}$)/,
	'375': /^(80|8|0)(?=\d{9}$)/,
	'993': /^8(?=\d{8}$)/,
};

/**
 * Reads a phone number as people write it: with spaces, dashes, parentheses and the trunk prefix. A number that starts with
 * a plus sign or 00 contains its country code; any other needs `country`. Throws BadInput if it is invalid.
 */
export function readPhone(raw: unknown, country: unknown): PhoneNumber {
	const text = stripFormatting(asText(raw).replace(/^\s*tel:/i, ''));
	if (text === '') throw missingValueError('Phone Number');
	if (!/^\+?\d+$/.test(text)) {
		throw new BadInput(
			"'Phone Number' is not valid",
			"Use digits, spaces, dashes, dots, parentheses and a leading plus sign, e.g. +49 151 2345678. Extensions aren't supported.",
		);
	}
	if (text.replace(/\D/g, '').length < MIN_DIGITS) throw tooShortError();
	const international = /^(?:\+|00)(\d*)$/.exec(text)?.[1];
	const countryCode =
		international === undefined ? readCallingCode(country) : requireCallingCode(international);
	const local = international === undefined ? text : international.slice(countryCode.length);
	const number = local.replace(trunkPrefix(countryCode), '');
	const isTooLong = countryCode.length + number.length > MAX_DIGITS;
	if (isTooLong) {
		throw new BadInput(
			"'Phone Number' is too long",
			`A phone number has at most ${MAX_DIGITS} digits with its country code: remove the extra digits. Nothing was sent.`,
		);
	}
	if (number.length < MIN_DIGITS) throw tooShortError();
	return { countryCode, number };
}

const tooShortError = () =>
	new BadInput(
		"'Phone Number' is too short",
		'Enter all digits of the number, e.g. +49 151 2345678. Nothing was sent.',
	);

/** Reads a country as its calling code: from the code with or without plus sign, the ISO code, or the name. */
export function readCallingCode(raw: unknown): string {
	const text = asText(raw).trim();
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

/** Removes separators, and invisible characters that copied numbers contain. */
const stripFormatting = (text: string) =>
	text.normalize('NFKC').replace(/[\s().·/\p{Pd}\p{Cf}]/gu, '');

function asText(raw: unknown): string {
	if (raw === undefined || raw === null) return '';
	if (typeof raw === 'string') return raw;
	const isNumber = typeof raw === 'number' && Number.isSafeInteger(raw);
	if (isNumber || typeof raw === 'bigint') return `${raw}`;
	throw new BadInput(
		"'Phone Number' and 'Country' must be text or whole numbers",
		'Check both fields.',
	);
}
