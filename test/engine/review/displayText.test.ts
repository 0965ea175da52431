import fc from 'fast-check';

import { BadInput } from '../../../nodes/engine/errors';
import { toDisplayText } from '../../../nodes/engine/review/displayText';
import { ARGUMENT_MARK, toolCallRows } from '../../../nodes/engine/review/toolCallRows';
import { scaleRunCount } from '../../support/scaleRunCount';

/** Everything that a person would not see, character by character, in words of this test. */
const HIDDEN_POINTS = [
	...range(0x00, 0x1f),
	...range(0x7f, 0xa0),
	0xad,
	0x34f,
	0x61c,
	0x115f,
	0x1160,
	0x17b4,
	0x17b5,
	0x1680,
	...range(0x180b, 0x180f),
	...range(0x2000, 0x200f),
	...range(0x2028, 0x202f),
	...range(0x205f, 0x206f),
	...range(0x20d0, 0x20ff),
	0x2022,
	0x25c7,
	0x2800,
	0x3000,
	0x3164,
	...range(0xfe00, 0xfe0f),
	0xfeff,
	0xffa0,
	...range(0xfff9, 0xfffb),
	0x1d159,
	...range(0x1d173, 0x1d17a),
	...range(0xe0000, 0xe007f),
	...range(0xe0100, 0xe01ef),
];
function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
const hiddenPoint = fc.constantFrom(...HIDDEN_POINTS).map((point) => String.fromCodePoint(point));
const HIDDEN = new Set(HIDDEN_POINTS);
const hasNoHiddenCharacter = (text: string) =>
	[...text].every((character) => !HIDDEN.has(character.codePointAt(0)!));

/** Ordinary texts, and texts of an author who wants to hide something. */
const anyText = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.oneof(hiddenPoint, fc.constantFrom('a', ' ', '"', '\\', '1', 'u')) }),
	fc.string({ unit: fc.constantFrom('א', 'ب', '٥', '5', '0', ' ', ',', '"', '\u2066', '\u2069') }),
	fc.constantFrom('', ' ', 'null', '250', '"250"', '{"a":1}', '\\u202e', 'true', ' Tool', '• a'),
);
const anyValue = fc.letrec((tie) => ({
	any: fc.oneof(
		{ maxDepth: 3 },
		anyText,
		fc.integer(),
		fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
		fc.boolean(),
		fc.constant(null),
		fc.array(tie('any'), { maxLength: 3 }),
		fc.dictionary(anyText, tie('any'), { maxKeys: 3 }),
	),
})).any;
/** The isolates are ours alone: those in a value are shown as escapes. */
const withoutIsolates = (text: string) => text.replace(/[\u2066\u2067\u2069]/g, '');
const asJson = (any: unknown): unknown => JSON.parse(JSON.stringify(any));

describe('displayText', () => {
	it('every character stays visible', () => {
		fc.assert(
			fc.property(anyValue, (any) => {
				expect(hasNoHiddenCharacter(withoutIsolates(toDisplayText(any)))).toBe(true);
			}),
			{ numRuns: scaleRunCount(250) },
		);
	});

	it('the text is unambiguous: it is the JSON of the value, or the string itself', () => {
		fc.assert(
			fc.property(anyValue, (any) => {
				const text = withoutIsolates(toDisplayText(any));
				let read: unknown;
				try {
					read = JSON.parse(text);
				} catch {
					read = text;
				}
				expect(read).toEqual(asJson(any));
			}),
			{ numRuns: scaleRunCount(250) },
		);
	});

	it.each<[unknown, string]>([
		['Ada Lovelace', 'Ada Lovelace'],
		[250, '250'],
		['250', '"250"'],
		[true, 'true'],
		[null, 'null'],
		['', '""'],
		[' a ', '" a "'],
		['C:\\temp', 'C:\\temp'],
		['gnp\u202e.exe', '"gnp\\u202e.exe"'],
		['one\ntwo', '"one\\ntwo"'],
		['a\u00a0b', '"a\\u00a0b"'],
		['\u{e0041}', '"\\udb40\\udc41"'],
		[`ok${' '.repeat(5)}!`, '"ok   \\u0020\\u0020!"'],
		['2\u03365\u03360', '"2\\u03365\\u03360"'],
		['2\u20d25\u20e50\u20eb', '"2\\u20d25\\u20e50\\u20eb"'],
		['a\u{1d159}b', '"a\\ud834\\udd59b"'],
		['5 • Amount 900', '"5 \\u2022 Amount 900"'],
		['5 ◇ Amount 900', '"5 \\u25c7 Amount 900"'],
		['Grüße, 東京 🎉', 'Grüße, 東京 🎉'],
		['שלום, עולם', '\u2066\u2067שלום, עולם\u2069\u2069'],
		['5א00', '\u20665\u2067א\u206900\u2069'],
		[['אב', 900, 5], '\u2066[ "\u2067אב\u2069", 900, 5 ]\u2069'],
		[['אב', 'גד'], '\u2066[ "\u2067אב\u2069", "\u2067גד\u2069" ]\u2069'],
		['\u2067א\u2069', '\u2066"\\u2067\u2067א\u2069\\u2069"\u2069'],
		[{ name: 'Ada', tags: ['a', 2] }, '{ "name": "Ada", "tags": [ "a", 2 ] }'],
		[[], '[]'],
	])('the text of %j is %s', (any, text) => {
		expect(toDisplayText(any)).toBe(text);
	});
});

const RTL = /[\u0590-\u08ff]/;
describe('right-to-left characters', () => {
	it('right-to-left characters are always inside an isolate of their own, and European digits never are', () => {
		const texts = fc.string({ unit: fc.constantFrom('א', 'ب', '٥', '5', '0', ' ', ',', 'a', '"') });
		fc.assert(
			fc.property(fc.oneof(texts, fc.array(texts)), (any) => {
				let depth = 0;
				for (const character of toDisplayText(any)) {
					if (character === '\u2066' || character === '\u2067') depth++;
					else if (character === '\u2069') depth--;
					else if (RTL.test(character)) expect(depth).toBe(2);
					else if (/[0-9a"]/.test(character)) expect(depth).toBeLessThan(2);
				}
				expect(depth).toBe(0);
			}),
			{ numRuns: scaleRunCount(250) },
		);
	});
});

describe('the rows of a tool call', () => {
	const OWN_ROWS = ['Tool', 'Agent', 'Workflow', 'Arguments'];
	const names = fc.oneof(anyText, fc.constantFrom(...OWN_ROWS, '__proto__', 'constructor', '1'));
	const anyArguments = fc.uniqueArray(fc.tuple(names, anyValue), {
		maxLength: 40,
		selector: ([name]) => name,
	});
	const long = fc.integer({ min: 1900, max: 9000 }).map((length) => 'x'.repeat(length));
	const some = fc.oneof(
		anyArguments,
		fc.uniqueArray(fc.tuple(names, long), { maxLength: 5, selector: ([name]) => name }),
	);
	const where = { tool: 'Refund', agent: 'Agent 1' };
	const rows = (args: Array<[string, unknown]>, shortens = false, data: typeof args = []) => {
		try {
			return toolCallRows(
				{ ...where, arguments: args, workflowData: data },
				{ workflow: 'Flow', shortens },
			);
		} catch (error) {
			expect(error).toBeInstanceOf(BadInput);
			return undefined;
		}
	};

	it('contain every argument completely, or the call is rejected', () => {
		fc.assert(
			fc.property(some, (args) => {
				const displayedRows = rows(args);
				if (!displayedRows) return;
				for (const [name, any] of args)
					expect(displayedRows[`${ARGUMENT_MARK} ${toDisplayText(name)}`]).toBe(toDisplayText(any));
				expect(Object.keys(displayedRows)).toHaveLength(OWN_ROWS.length + args.length);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it("an argument cannot imitate the pack's own rows, which come first", () => {
		fc.assert(
			fc.property(some, fc.boolean(), (args, shortens) => {
				const displayedRows = rows(args, shortens);
				if (!displayedRows) return;
				const keys = Object.keys(displayedRows);
				expect(keys.slice(0, OWN_ROWS.length)).toEqual(OWN_ROWS);
				expect(
					keys.slice(OWN_ROWS.length).every((key) => key.startsWith(`${ARGUMENT_MARK} `)),
				).toBe(true);
				expect(displayedRows).toMatchObject({ Tool: 'Refund', Agent: 'Agent 1' });
				expect(displayedRows.Arguments).toBe(
					args.length === 0 ? 'none' : `${args.length}, marked ${ARGUMENT_MARK}`,
				);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('shortened rows give the number of hidden characters, and no row is omitted', () => {
		fc.assert(
			fc.property(some, (args) => {
				const displayedRows = rows(args, true);
				if (!displayedRows) return;
				for (const [name, any] of args) {
					const whole = [...toDisplayText(any)];
					const row = displayedRows[`${ARGUMENT_MARK} ${toDisplayText(name)}`]!;
					const cut = / \[…([\d,]+) characters hidden…\] /.exec(row);
					if (row === whole.join('')) continue;
					const hidden = Number(cut![1]!.replace(',', ''));
					const [head, tail] = [row.slice(0, cut!.index), row.slice(cut!.index + cut![0].length)];
					expect(whole.join('').startsWith(head)).toBe(true);
					expect(whole.join('').endsWith(tail)).toBe(true);
					expect([...head].length + [...tail].length + hidden).toBe(whole.length);
				}
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it.each([
		['30 arguments', 30, 10, true],
		['31 arguments', 31, 10, false],
		['2,000 characters', 1, 2000, true],
		['2,001 characters', 1, 2001, false],
		['6,000 characters in all', 3, 2000, true],
		['more than 6,000 characters in all', 4, 1501, false],
	])('the limits apply to %s', (_, count, length, fits) => {
		const args = Array.from({ length: count }, (__, index): [string, string] => [
			`a${index}`,
			'x'.repeat(length),
		]);
		expect(rows(args) !== undefined).toBe(fits);
		expect(rows(args, true) !== undefined).toBe(count <= 30);
	});

	it('a name that is too long is rejected', () => {
		expect(rows([['n'.repeat(101), 1]])).toBeUndefined();
		expect(rows([['n'.repeat(101), 1]], true)).toBeUndefined();
	});
});
