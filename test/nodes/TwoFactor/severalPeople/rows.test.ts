// Protects people who decide as one of several: the row of their level is readable, and no message or detail can imitate it.
import { BadInput } from '../../../../nodes/engine/errors';
import {
	levelRows,
	rejectImitatedRows,
} from '../../../../nodes/TwoFactor/approvalRequest/severalPeople/rows';

const level = { name: 'Finance', people: ['1', '2', '3'], needed: 2, deputies: ['4'] };

test('the row shows how many people must approve, without deputies, and names the requester', () => {
	expect(levelRows(level, '1', undefined)).toEqual({ Level: 'Finance (2 of 3 must approve)' });
	expect(levelRows(level, '1', '7')).toEqual({
		Level: 'Finance (2 of 3 must approve)',
		'Requester (does not decide)': '7',
	});
});

test('a deputy is told so', () => {
	expect(levelRows(level, '4', undefined)).toEqual({
		Level: 'Finance (2 of 3 must approve)',
		'Your Role': 'You are asked as deputy',
	});
});

test('the row escapes invisible characters of a name, isolates right-to-left text, and cuts names after 60 characters', () => {
	const getRow = (name: string) => levelRows({ ...level, name }, '1', undefined).Level;
	expect(getRow('Fin\u200bance')).toBe('"Fin\\u200bance" (2 of 3 must approve)');
	expect(getRow('\u05d0\u05d1')).toBe('\u2066\u2067\u05d0\u05d1\u2069\u2069 (2 of 3 must approve)');
	expect(getRow('x'.repeat(60))).toBe(`${'x'.repeat(60)} (2 of 3 must approve)`);
	expect(getRow('x'.repeat(61))).toBe(`${'x'.repeat(60)}… (2 of 3 must approve)`);
});

test.each([
	['unchanged', 'Level'],
	['in capitals, with spaces', ' L E V E L '],
	['with a zero-width space', 'Le\u200bvel'],
	['with a Hangul filler', 'Level\u3164'],
	['with a combining grapheme joiner', 'Lev\u034fel'],
	['with a Braille blank', 'Level\u2800'],
	['in full width', 'Ｌｅｖｅｌ'],
	['in mathematical letters', '𝐋𝐞𝐯𝐞𝐥'],
	['with Cyrillic letters', 'L\u0435v\u0435l'],
	['all in Cyrillic and Greek letters', '\u04c0\u0435\u03bd\u03b5\u04cf'],
	['in Cherokee letters', '\u13de\u13ac\u13d9\u13ac\u13de'],
	['with a capital i', 'LeveI'],
	['with a digit', 'Leve1'],
	['with a line', 'Leve|'],
	['with an accent', 'Le\u0301vel'],
	['with a stroke', '\u0141evel'],
	['with punctuation', '• Level:'],
	['the requester', 'requester  (does not decide)'],
	['the requester in other brackets', 'Requester [d\u043ees not decide]'],
])('a detail whose name imitates a row of the node is rejected: %s', (_, name) => {
	expect(() => rejectImitatedRows({ details: { Amount: '5', [name]: 'x' } })).toThrow(BadInput);
});

test.each(['Levels', 'Level 2', 'Risk level', 'Requester', 'Amount', 'Сумма', '级别', '•'])(
	'a detail with the name %j is accepted',
	(name) => {
		expect(() => rejectImitatedRows({ details: { [name]: 'x' } })).not.toThrow();
	},
);

test.each([
	'Anyone (1 of 1 must approve)',
	'Amount 5\n\nLevel: Anyone (10 of 10 MUST APPROVE)',
	'Anyone (1 of 1 rnust \u0430ppr\u043eve)',
	'x\nRequester (does not decide): 7',
])(
	'a text that imitates a row of the node is rejected in the message and in the details: %j',
	(text) => {
		expect(() => rejectImitatedRows({ message: text })).toThrow("'Message' has a text that could");
		const inDetails = "'Details' has a text that could";
		expect(() => rejectImitatedRows({ details: { Note: text } })).toThrow(inDetails);
		expect(() => rejectImitatedRows({ details: { [text]: '' } })).toThrow(inDetails);
	},
);

test.each(['The manager must approve this', 'One of the sales people must approve', 'Level: high'])(
	'the text %j is accepted in the message and in the details',
	(text) => {
		expect(() => rejectImitatedRows({ message: text, details: { Note: text } })).not.toThrow();
	},
);
