import { unlessBlank } from '../../../nodes/engine/values/texts';

it.each([[undefined], [null], [''], [' \t\n']])('%j is not read, since it is blank', (given) => {
	const read = jest.fn();
	expect(unlessBlank(read)(given)).toBeUndefined();
	expect(read).not.toHaveBeenCalled();
});

it.each([[0], [false], ['x'], [[]]])('%j is read', (given) => {
	expect(unlessBlank((value) => [value])(given)).toEqual([given]);
});
