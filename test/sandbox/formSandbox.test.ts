// Protects tests with form-encoded requests: the sandbox reads back every form, and no form changes a prototype.
import fc from 'fast-check';

import { convertFormValue, parseForm } from '../../sandbox/parseForm';

type Nested = { [name: string]: string | Nested };

/** Encodes nested texts as a form, independently of the parser. */
function encodeForm(value: Nested, prefix = ''): string[] {
	return Object.entries(value).flatMap(([key, inner]) => {
		const name = prefix ? `${prefix}[${key}]` : key;
		return typeof inner === 'string'
			? [`${encodeURIComponent(name)}=${encodeURIComponent(inner)}`]
			: encodeForm(inner, name);
	});
}

/** Removes prototypes, so that objects without a prototype equal plain ones. */
const toPlainObject = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('the form parser reads back every form with names of up to five levels', () => {
	const name = fc.oneof(
		fc.stringMatching(/^[^[\]]{1,8}$/),
		fc.constantFrom('__proto__', 'constructor', 'toString', '0'),
	);
	const text = fc.string({ unit: 'grapheme' });
	const level = (depth: number): fc.Arbitrary<Nested> =>
		fc.dictionary(name, depth === 1 ? text : fc.oneof(text, level(depth - 1)), {
			minKeys: 1,
			maxKeys: 4,
			noNullPrototype: false,
		});
	fc.assert(
		fc.property(level(5), (value) => {
			expect(toPlainObject(parseForm(encodeForm(value).join('&')))).toEqual(toPlainObject(value));
		}),
	);
});

it('the form parser never throws and never changes a prototype', () => {
	const part = fc.constantFrom('a', '[', ']', '[]', '=', '&', '%', '%5B', '__proto__', '[b]', '+');
	fc.assert(
		fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
			parseForm(parts.join(''));
			expect(({} as { b?: unknown }).b).toBeUndefined();
		}),
	);
});

it.each([
	['a=1&a=2', { a: '2' }],
	['a=1&a[b]=2', { a: { b: '2' } }],
	['a[b]=2&a=1', { a: '1' }],
	['a[=1', { 'a[': '1' }],
	['l[][res]=low&l[][url]=u', { l: { '': { res: 'low', url: 'u' } } }],
	['', {}],
])('the form parser reads %j as %j', (text, expected) =>
	expect(toPlainObject(parseForm(text))).toEqual(expected),
);

it.each([
	['120', ['integer'], 120],
	['-1', ['integer', 'null'], -1],
	['1.5', ['integer'], '1.5'],
	['1.5', ['number'], 1.5],
	['', ['integer'], ''],
	['9'.repeat(40), ['integer'], '9'.repeat(40)],
	['true', ['boolean'], true],
	['false', ['boolean'], false],
	['yes', ['boolean'], 'yes'],
	[{ 0: 'a', 1: 'b' }, ['array'], ['a', 'b']],
	[{ a: 'b' }, ['string'], { a: 'b' }],
	['a', ['array'], 'a'],
])('the form parser converts %j with the types %j to %j', (value, types, expected) =>
	expect(convertFormValue(value, types)).toEqual(expected),
);
