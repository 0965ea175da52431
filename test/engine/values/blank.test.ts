// Protects fields that are left empty: a blank value counts as no value, and 0, false and an empty list count as values.
import { unlessBlank } from '../../../nodes/engine/values/texts';

it.each([[undefined], [null], [''], [' \t\n']])(
	'unlessBlank returns undefined for %j and does not call the reader',
	(input) => {
		const read = jest.fn();
		expect(unlessBlank(read)(input)).toBeUndefined();
		expect(read).not.toHaveBeenCalled();
	},
);

it.each([[0], [false], ['x'], [[]]])('unlessBlank passes %j to the reader', (input) => {
	expect(unlessBlank((value) => [value])(input)).toEqual([input]);
});
