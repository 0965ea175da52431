import { unlessBlank } from '../../../nodes/engine/values/texts';

it.each([[undefined], [null], [''], [' \t\n']])(
	'unlessBlank does not read %j, since it is blank',
	(given) => {
		const read = jest.fn();
		expect(unlessBlank(read)(given)).toBeUndefined();
		expect(read).not.toHaveBeenCalled();
	},
);

it.each([[0], [false], ['x'], [[]]])('unlessBlank reads %j', (given) => {
	expect(unlessBlank((value) => [value])(given)).toEqual([given]);
});
