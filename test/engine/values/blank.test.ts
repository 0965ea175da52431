import { unlessBlank } from '../../../nodes/engine/values/texts';

it.each([[undefined], [null], [''], [' \t\n']])(
	'unlessBlank does not read %j, since it is blank',
	(input) => {
		const read = jest.fn();
		expect(unlessBlank(read)(input)).toBeUndefined();
		expect(read).not.toHaveBeenCalled();
	},
);

it.each([[0], [false], ['x'], [[]]])('unlessBlank reads %j', (input) => {
	expect(unlessBlank((value) => [value])(input)).toEqual([input]);
});
