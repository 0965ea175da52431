// Protects readers of errors about many items: rows are counted as in a table, and named by their email address.
import { describeRow, listRows } from '../../../nodes/engine/run/rows';

it.each([
	['the only item', {}, 0, 1, undefined],
	['an item without an address', { name: 'Ada' }, 1, 3, 'Row 2 of 3'],
	[
		'an item with an address',
		{ id: 7, 'E-Mail': ' ada@example.com\n' },
		0,
		2,
		'Row 1 of 2 (ada@example.com)',
	],
	['a blank address before another', { email: ' ', Email2: 'x@y' }, 0, 2, 'Row 1 of 2 (x@y)'],
	['an address that is no text', { email: { a: 1 } }, 0, 2, 'Row 1 of 2'],
	['a long address', { email: 'x'.repeat(99) }, 0, 2, `Row 1 of 2 (${'x'.repeat(57)}…)`],
])('the name of %s', (_, input, index, count, expected) => {
	expect(describeRow(input, index, count)).toBe(expected);
});

it('a list of rows is cut off after twenty', () => {
	expect(listRows([4])).toBe('row 5');
	expect(listRows([4, 17])).toBe('rows 5, 18');
	expect(listRows(Array.from({ length: 21 }, (_, index) => index))).toMatch(
		/^rows 1, .* 20 and more$/,
	);
});
