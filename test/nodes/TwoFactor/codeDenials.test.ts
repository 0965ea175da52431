// Protects logins from denied codes: a denial counts in any member or text of the response, and one level below.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { deniesCode } from '../../../nodes/TwoFactor/codeDenials';

const RESULT_NAMES = ['valid', 'is_valid', 'codeVerified', 'MATCH', 'result', 'status'];
const anyResultName = fc.constantFrom(...RESULT_NAMES);
/** Values that confirm nothing: neither true, 1, a success status nor a text. */
const anyNonConfirmation = fc.oneof(
	fc.constant(false),
	fc.integer().filter((number) => number !== 1 && (number < 200 || number > 299)),
	fc.constantFrom('', 'no', 'false', '0', 'rejected', 'not verified', 'unverified', 'is invalid'),
	fc.array(fc.jsonValue()),
);

it('a result that confirms nothing denies the code, in the body and one level deep', () => {
	fc.assert(
		fc.property(anyResultName, anyNonConfirmation, fc.string(), (name, result, wrapper) => {
			const inner = { [name]: result } as IDataObject;
			expect(deniesCode({ success: true, ...inner })).toBe(true);
			expect(deniesCode({ success: true, [`x ${wrapper}`]: inner })).toBe(true);
			expect(deniesCode({ success: true, [`x ${wrapper}`]: [inner] })).toBe(true);
		}),
	);
});

it('a denial in a text counts wherever it stands in the text', () => {
	const anyDenial = fc.constantFrom('INVALID', 'code_expired', 'notVerified', 'is not correct');
	fc.assert(
		fc.property(fc.string(), anyDenial, fc.string(), (before, denial, after) => {
			expect(deniesCode({ success: true, message: `${before} ${denial} ${after}` })).toBe(true);
		}),
	);
});

it.each([
	{ valid_code: false },
	{ ISVALID: false },
	{ verification: false },
	{ matchFound: false },
	{ invalid: 1 },
	{ errorCode: 60020 },
	{ fault: 'locked' },
	{ failed: true },
	{ message: 'Unknown code' },
	{ message: 'Code already used' },
	{ message: 'Too many attempts' },
])('%j denies a code', (member) => {
	expect(deniesCode({ success: true, ...(member as IDataObject) })).toBe(true);
});

it.each([{ invalid: false }, { isInvalid: false }, { mismatch: false }, { failed: false }])(
	'%j confirms a code',
	(member) => {
		expect(deniesCode({ success: true, ...(member as IDataObject) })).toBe(false);
	},
);

it('any JSON object is judged without an error, and only its own members matter for the device', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
			expect(typeof deniesCode(members as IDataObject)).toBe('boolean');
			expect(deniesCode({ success: true, device: members })).toBe(false);
		}),
	);
});

it('a text of a million characters is judged as a whole', () => {
	const longText = 'not a '.repeat(200_000);
	expect(deniesCode({ success: true, message: longText })).toBe(false);
	expect(deniesCode({ success: true, message: `${longText}valid code` })).toBe(true);
});
