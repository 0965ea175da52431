// Protects phone numbers: one of any country, in any usual notation, is read correctly or rejected, and no error shows it.
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import type { CountryCode } from 'libphonenumber-js/max';

import { findCountries, listCountries } from '../../../nodes/TwoFactor/countries';
import { readCallingCode, readPhone } from '../../../nodes/TwoFactor/phone';
import { scaleRunCount } from '../../support/scaleRunCount';

const regions = getCountries();
const getExample = (region: CountryCode) => getExampleNumber(region, examples)!;

// The table of countries is compared with a maintained phone library.
describe('the table of countries', () => {
	it('has the countries and calling codes of the phone library', () => {
		const tableCodes = Object.fromEntries(
			listCountries().map(({ region, code }) => [region, code]),
		);
		const libraryCodes = Object.fromEntries(
			regions.map((region) => [region, `${getCountryCallingCode(region)}`]),
		);
		expect(tableCodes).toEqual(libraryCodes);
	});

	it('has a name for each country, in alphabetical order', () => {
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
	])('finds by "%s" the country %s', (text, region) => {
		expect(findCountries(text).map((country) => country.region)).toContain(region);
	});
});

describe('a phone number of any country', () => {
	it.each(regions)('a number of %s is read as the phone library reads it', (region) => {
		const number = getExample(region);
		const expected = {
			countryCode: `${number.countryCallingCode}`,
			number: `${number.nationalNumber}`,
		};
		expect(readPhone(number.formatInternational(), '')).toEqual(expected);
		expect(readPhone(`00${expected.countryCode}${expected.number}`, '')).toEqual(expected);
		expect(readPhone(expected.number, region)).toEqual(expected);
		expect(readPhone(expected.number, expected.countryCode)).toEqual(expected);
		// Argentine mobile numbers have other digits in the national form than in the international one. The service handles that.
		if (region !== 'AR') expect(readPhone(number.formatNational(), region)).toEqual(expected);
	});
});

describe('a typed phone number', () => {
	const expectedPhone = { countryCode: '49', number: '15112345678' };
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
	])('the number "%s" with country "%s" is read as +49 15112345678', (number, country) => {
		expect(readPhone(number, country)).toEqual(expectedPhone);
	});

	it('a leading zero that is part of an Italian number is kept', () => {
		expect(readPhone('06 1234 5678', 'IT')).toEqual({ countryCode: '39', number: '0612345678' });
		expect(readPhone('+39 06 1234 5678', '')).toEqual({ countryCode: '39', number: '0612345678' });
	});

	it('digits can have any separators between them', () => {
		const separator = fc.constantFrom(
			'',
			' ',
			'-',
			'.',
			'/',
			'(',
			')',
			'\u00a0',
			'\u2011',
			'\u200e',
		);
		const digits = [...'4915112345678'];
		fc.assert(
			fc.property(fc.array(separator, { minLength: 13, maxLength: 13 }), (separators) => {
				const typed = `+${digits.map((digit, index) => separators[index] + digit).join('')}`;
				expect(readPhone(typed, '')).toEqual(expectedPhone);
			}),
		);
	});

	it('any text is read as a number in the format of the contract, or rejected as bad input', () => {
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
	])('the number %p with country %p is rejected: %s', (number, country, expectedMessage) => {
		expect(() => readPhone(number, country)).toThrow(expectedMessage);
	});

	it('the error does not contain the number', () => {
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
	])('the text %s is read as the calling code %s', (text, code) =>
		expect(readCallingCode(text)).toBe(code),
	);
});
