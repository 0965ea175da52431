// Protects reviewers of tool calls: no character of an argument is invisible, and no argument is omitted or cut unnoticed.
import fc from 'fast-check';

import { BadInput } from '../../../nodes/engine/errors';
import { toDisplayText } from '../../../nodes/engine/review/displayText';
import { ARGUMENT_MARK, toolCallRows } from '../../../nodes/engine/review/toolCallRows';
import { scaleRunCount } from '../../support/scaleRunCount';

/**
 * Characters that a person would not see or could mistake for a mark of the pack, such as • and ◇. The list is independent of
 * the implementation.
 */
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
/** Returns the code points from `from` to `to`, both included. */
function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
const hiddenCharacter = fc
	.constantFrom(...HIDDEN_POINTS)
	.map((point) => String.fromCodePoint(point));
const HIDDEN = new Set(HIDDEN_POINTS);
const isVisible = (text: string) =>
	[...text].every((character) => !HIDDEN.has(character.codePointAt(0)!));

/** Ordinary texts, and texts of an author who wants to hide something. */
const anyText = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.oneof(hiddenCharacter, fc.constantFrom('a', ' ', '"', '\\', '1', 'u')) }),
	fc.string({ unit: fc.constantFrom('א', 'ب', '٥', '5', '0', ' ', ',', '"', '\u2066', '\u2069') }),
	fc.constantFrom('', ' ', 'null', '250', '"250"', '{"a":1}', '\\u202e', 'true', ' Tool', '• a'),
);
const anyValue = fc.letrec((tie) => ({
	any: fc.oneof(
		{ maxDepth: 3 },
		anyText,
		fc.integer(),
		// Adding 0 turns -0 into 0, as JSON.stringify does.
		fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
		fc.boolean(),
		fc.constant(null),
		fc.array(tie('any'), { maxLength: 3 }),
		fc.dictionary(anyText, tie('any'), { maxKeys: 3 }),
	),
})).any;
/** Removes the isolates around right-to-left text. All of them are added: isolates in a value are shown as escapes. */
const removeIsolates = (text: string) => text.replace(/[\u2066\u2067\u2069]/g, '');
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the text of a value', () => {
	it('every character of the text is visible', () => {
		fc.assert(
			fc.property(anyValue, (value) => {
				expect(isVisible(removeIsolates(toDisplayText(value)))).toBe(true);
			}),
			{ numRuns: scaleRunCount(250) },
		);
	});

	it('the value can be read from the text, which is its JSON or the string itself', () => {
		fc.assert(
			fc.property(anyValue, (value) => {
				const text = removeIsolates(toDisplayText(value));
				let readValue: unknown;
				try {
					readValue = JSON.parse(text);
				} catch {
					readValue = text;
				}
				expect(readValue).toEqual(throughJson(value));
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
	])('the text of %j is %s', (value, text) => {
		expect(toDisplayText(value)).toBe(text);
	});
});

/** Hebrew and Arabic characters. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
describe('right-to-left characters', () => {
	it('every right-to-left character is inside an isolate of its direction, and no Latin letter, digit or quote is', () => {
		const anyMixedText = fc.string({
			unit: fc.constantFrom('א', 'ب', '٥', '5', '0', ' ', ',', 'a', '"'),
		});
		fc.assert(
			fc.property(fc.oneof(anyMixedText, fc.array(anyMixedText)), (value) => {
				// One isolate is around the whole text, and one inside it around right-to-left characters.
				let isolateDepth = 0;
				for (const character of toDisplayText(value)) {
					if (character === '\u2066' || character === '\u2067') isolateDepth++;
					else if (character === '\u2069') isolateDepth--;
					else if (RIGHT_TO_LEFT.test(character)) expect(isolateDepth).toBe(2);
					else if (/[0-9a"]/.test(character)) expect(isolateDepth).toBeLessThan(2);
				}
				expect(isolateDepth).toBe(0);
			}),
			{ numRuns: scaleRunCount(250) },
		);
	});
});

describe('the rows of a tool call', () => {
	/** Rows that come before those of the arguments. */
	const FIRST_ROWS = ['Tool', 'Agent', 'Workflow', 'Arguments'];
	const anyName = fc.oneof(
		anyText,
		fc.constantFrom(...FIRST_ROWS, '__proto__', 'constructor', '1'),
	);
	const shortArguments = fc.uniqueArray(fc.tuple(anyName, anyValue), {
		maxLength: 40,
		selector: ([name]) => name,
	});
	const longText = fc.integer({ min: 1900, max: 9000 }).map((length) => 'x'.repeat(length));
	const anyArguments = fc.oneof(
		shortArguments,
		fc.uniqueArray(fc.tuple(anyName, longText), { maxLength: 5, selector: ([name]) => name }),
	);
	const toolCall = { tool: 'Refund', agent: 'Agent 1' };
	/** Returns the rows that the phone shows, or undefined if the call is rejected. */
	const buildRows = (args: Array<[string, unknown]>, shortens = false) => {
		try {
			return toolCallRows(
				{ ...toolCall, arguments: args, workflowData: [] },
				{ workflow: 'Flow', shortens },
			);
		} catch (error) {
			expect(error).toBeInstanceOf(BadInput);
			return undefined;
		}
	};

	it('the rows contain every argument completely, or the call is rejected', () => {
		fc.assert(
			fc.property(anyArguments, (args) => {
				const displayedRows = buildRows(args);
				if (!displayedRows) return;
				for (const [name, value] of args)
					expect(displayedRows[`${ARGUMENT_MARK} ${toDisplayText(name)}`]).toBe(
						toDisplayText(value),
					);
				expect(Object.keys(displayedRows)).toHaveLength(FIRST_ROWS.length + args.length);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('the rows about the call come first, and every row of an argument has its mark', () => {
		fc.assert(
			fc.property(anyArguments, fc.boolean(), (args, shortens) => {
				const displayedRows = buildRows(args, shortens);
				if (!displayedRows) return;
				const keys = Object.keys(displayedRows);
				expect(keys.slice(0, FIRST_ROWS.length)).toEqual(FIRST_ROWS);
				expect(
					keys.slice(FIRST_ROWS.length).every((key) => key.startsWith(`${ARGUMENT_MARK} `)),
				).toBe(true);
				expect(displayedRows).toMatchObject({ Tool: 'Refund', Agent: 'Agent 1' });
				expect(displayedRows.Arguments).toBe(
					args.length === 0 ? 'none' : `${args.length}, marked ${ARGUMENT_MARK}`,
				);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('a shortened row says how many characters are hidden, and no row is omitted', () => {
		fc.assert(
			fc.property(anyArguments, (args) => {
				const displayedRows = buildRows(args, true);
				if (!displayedRows) return;
				for (const [name, value] of args) {
					const wholeText = toDisplayText(value);
					const row = displayedRows[`${ARGUMENT_MARK} ${toDisplayText(name)}`]!;
					const cut = / \[…([\d,]+) characters hidden…\] /.exec(row);
					if (row === wholeText) continue;
					const hiddenCount = Number(cut![1]!.replace(',', ''));
					const [head, tail] = [row.slice(0, cut!.index), row.slice(cut!.index + cut![0].length)];
					expect(wholeText.startsWith(head)).toBe(true);
					expect(wholeText.endsWith(tail)).toBe(true);
					expect([...head].length + [...tail].length + hiddenCount).toBe([...wholeText].length);
				}
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it.each([
		['30 arguments are accepted', 30, 10, true],
		['31 arguments are rejected', 31, 10, false],
		['an argument of 2,000 characters is accepted', 1, 2000, true],
		['an argument of 2,001 characters is rejected unless it may be shortened', 1, 2001, false],
		['6,000 characters in all are accepted', 3, 2000, true],
		['more than 6,000 characters in all are rejected unless they may be shortened', 4, 1501, false],
	])('%s', (_, count, length, isAccepted) => {
		const args = Array.from({ length: count }, (__, index): [string, string] => [
			`a${index}`,
			'x'.repeat(length),
		]);
		expect(buildRows(args) !== undefined).toBe(isAccepted);
		expect(buildRows(args, true) !== undefined).toBe(count <= 30);
	});

	it('an argument whose name has more than 100 characters is rejected', () => {
		expect(buildRows([['n'.repeat(101), 1]])).toBeUndefined();
		expect(buildRows([['n'.repeat(101), 1]], true)).toBeUndefined();
	});
});
