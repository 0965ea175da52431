import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import type { CountryCode } from 'libphonenumber-js/max';

import { findCountries, listCountries } from '../../../nodes/TwoFactor/countries';
import { readCountry, readPhone } from '../../../nodes/TwoFactor/phone';
import { scaleRunCount } from '../../support/scaleRunCount';

const regions = getCountries();
const example = (region: CountryCode) => getExampleNumber(region, examples)!;

/** Compares the small table with a maintained phone library. */
describe('the countries', () => {
	it('are those of the phone library, with the same calling codes', () => {
		const ours = Object.fromEntries(listCountries().map(({ region, code }) => [region, code]));
		const theirs = Object.fromEntries(
			regions.map((region) => [region, `${getCountryCallingCode(region)}`]),
		);
		expect(ours).toEqual(theirs);
	});

	it('all countries have a name, and are in order', () => {
		const names = listCountries().map(({ name }) => name);
		expect(names.filter((name) => name.length < 3)).toEqual([]);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	});

	it.each([
		['germ', 'DE'],
		['+49', 'DE'],
		['uk', 'GB'],
		['usa', 'US'],
		['ivory', 'CI'],
		['cote d', 'CI'],
		['turkey', 'TR'],
		['turkiye', 'TR'],
	])('countries are found by "%s"', (text, region) => {
		expect(findCountries(text).map((country) => country.region)).toContain(region);
	});
});

describe('a phone number of any country', () => {
	it.each(regions)('a number of %s is read as the phone library reads it', (region) => {
		const number = example(region);
		const expected = {
			countryCode: `${number.countryCallingCode}`,
			number: `${number.nationalNumber}`,
		};
		expect(readPhone(number.formatInternational(), '')).toEqual(expected);
		expect(readPhone(`00${expected.countryCode}${expected.number}`, '')).toEqual(expected);
		expect(readPhone(expected.number, region)).toEqual(expected);
		expect(readPhone(expected.number, expected.countryCode)).toEqual(expected);
		// In Argentina mobile numbers are written with other digits at home than abroad; that is left to the service.
		if (region !== 'AR') expect(readPhone(number.formatNational(), region)).toEqual(expected);
	});
});

describe('a typed phone number', () => {
	const german = { countryCode: '49', number: '15112345678' };
	it.each([
		['+49 151 12345678', ''],
		['+49 (0)151 / 1234-5678', ''],
		['+49-151-1234-5678', 'US'],
		['0049 151 12345678', ''],
		['0151 12345678', 'DE'],
		['0151.1234.5678', '49'],
		['(0151) 1234–5678', '+49'],
		['151 12345678', '0049'],
		['15112345678', 49],
		[15112345678, 'de'],
		['0151 12345678', 'Germany'],
		['tel:+49-151-12345678', ''],
		['\u202a+49 151 12345678\u202c', ''],
		['＋４９ 151 12345678', ''],
	])('the number "%s" with country "%s" is read', (number, country) => {
		expect(readPhone(number, country)).toEqual(german);
	});

	it('a leading zero that belongs to the number is kept', () => {
		expect(readPhone('06 1234 5678', 'IT')).toEqual({ countryCode: '39', number: '0612345678' });
		expect(readPhone('+39 06 1234 5678', '')).toEqual({ countryCode: '39', number: '0612345678' });
	});

	it('digits can be grouped in any way', () => {
		const gap = fc.constantFrom('', ' ', '-', '.', '/', '(', ')', '\u00a0', '\u2011', '\u200e');
		const digits = [...'4915112345678'];
		fc.assert(
			fc.property(fc.array(gap, { minLength: 13, maxLength: 13 }), (gaps) => {
				const typed = `+${digits.map((digit, index) => gaps[index] + digit).join('')}`;
				expect(readPhone(typed, '')).toEqual(german);
			}),
		);
	});

	it('is sent as the contract requires, or rejected', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (number, country) => {
				try {
					const read = readPhone(number, country);
					expect(read.number).toMatch(/^\d{3,14}$/);
					expect(read.countryCode).toMatch(/^[1-9]\d{0,3}$/);
				} catch (error) {
					expect((error as Error).name).toBe('BadInput');
				}
			}),
			{ numRuns: scaleRunCount(700) },
		);
	});
});

describe('an invalid phone number', () => {
	it.each([
		['', 'DE', "'Phone Number' is missing"],
		['   ', 'DE', "'Phone Number' is missing"],
		[null, 'DE', "'Phone Number' is missing"],
		['0151 12345678', '', "'Country' is missing"],
		['0151 12345678', null, "'Country' is missing"],
		['+999 12345678', '', 'starts with +999, which is not a country code'],
		['+', '', "'Phone Number' is not valid"],
		['0151 1234 ext. 5', 'DE', "'Phone Number' is not valid"],
		['one two three', 'DE', "'Phone Number' is not valid"],
		['1+49151', 'DE', "'Phone Number' is not valid"],
		['12', 'DE', 'too short'],
		['9'.repeat(300), 'DE', 'too long'],
		['+49', '', 'too short'],
		['0151 12345678', 'Atlantis', '"Atlantis" is not a country'],
		['0151 12345678', '00000', 'is not a country'],
		[{ number: 1 }, 'DE', 'text or whole numbers'],
		[1.5, 'DE', 'text or whole numbers'],
	])('the number %p with country %p is rejected', (number, country, message) => {
		expect(() => readPhone(number, country)).toThrow(message);
	});

	it('the error does not repeat the number', () => {
		const message = (() => {
			try {
				readPhone('0151 12345678 x', 'DE');
			} catch (error) {
				return `${(error as Error).message} ${(error as { advice?: string }).advice}`;
			}
			return '';
		})();
		expect(message).not.toBe('');
		expect(message).not.toContain('12345678 x');
	});
});

describe('a country', () => {
	it.each([
		['US', '1'],
		['ca', '1'],
		['+44', '44'],
		['1684', '1684'],
		['Côte d’Ivoire', '225'],
		["cote d'ivoire", '225'],
	])('the country %s has the code %s', (given, code) => expect(readCountry(given)).toBe(code));
});
