// Protects long IDs in requests: every digit is sent, and an ID that has lost digits is rejected.
import fc from 'fast-check';

import { toJson } from '../../../nodes/engine/http/json';
import { idNumberReader } from '../../../nodes/engine/values/convert';

describe('toJson', () => {
	it('returns the result of JSON.stringify for any JSON value', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(toJson(value)).toBe(JSON.stringify(value));
			}),
		);
	});

	it('keeps every digit of a long ID, and does not change other values', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }), (value, id) => {
				const text = toJson({
					value,
					list: [id, undefined, new Date(0)],
					gone: undefined,
					'a"b': id,
				});
				expect(text).toBe(
					`{"value":${JSON.stringify(value)},"list":[${id},null,"1970-01-01T00:00:00.000Z"],"a\\"b":${id}}`,
				);
			}),
		);
		expect(toJson(9007199254740993n)).toBe('9007199254740993');
	});
});

describe('idNumberReader', () => {
	const read = idNumberReader('Event');

	it('accepts a number or a string of digits', () => {
		expect(read(1004)).toBe(1004);
		expect(read(' 1004 ')).toBe(1004);
		expect(read('9007199254740993')).toBe(9007199254740993n);
	});

	it.each(['', 'abc', '1.5', -1, 1.5, '-4', null, undefined, {}, '1e3', '12345678901234567890'])(
		'rejects %p',
		(input) => {
			expect(() => read(input)).toThrow("'Event' must be a number");
		},
	);

	it('rejects a number that has lost digits', () => {
		expect(() => read(2 ** 53)).toThrow("'Event' is too long for a number");
	});
});
