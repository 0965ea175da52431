import { BadInput } from '../../../../nodes/engine/errors';
import {
	levelRows,
	rejectImitatedRows,
} from '../../../../nodes/TwoFactor/approvalRequest/severalPeople/rows';

const level = { name: 'Finance', people: ['1', '2', '3'], needed: 2, deputies: ['4'] };

test('the phone shows how it is decided; deputies do not count', () => {
	expect(levelRows(level, undefined)).toEqual({ Level: 'Finance (2 of 3 must approve)' });
	expect(levelRows(level, '7')).toEqual({
		Level: 'Finance (2 of 3 must approve)',
		'Requester (does not decide)': '7',
	});
});

test('a name shows what is invisible, isolates what is written from right to left, and is shortened', () => {
	const rowOf = (name: string) => levelRows({ ...level, name }, undefined).Level;
	expect(rowOf('Fin\u200bance')).toBe('"Fin\\u200bance" (2 of 3 must approve)');
	expect(rowOf('\u05d0\u05d1')).toBe('\u2066\u2067\u05d0\u05d1\u2069\u2069 (2 of 3 must approve)');
	expect(rowOf('x'.repeat(60))).toBe(`${'x'.repeat(60)} (2 of 3 must approve)`);
	expect(rowOf('x'.repeat(61))).toBe(`${'x'.repeat(60)}… (2 of 3 must approve)`);
});

test.each(['Level', 'LEVEL ', 'Le\u200bvel', 'Ｌｅｖｅｌ', 'requester (does  not decide)'])(
	'a row called %j is rejected',
	(name) => {
		expect(() => rejectImitatedRows({ Amount: '5', [name]: 'x' })).toThrow(BadInput);
	},
);

test.each(['Levels', 'Requester', 'Amount'])('a row called %j is accepted', (name) => {
	expect(() => rejectImitatedRows({ [name]: 'x' })).not.toThrow();
});
