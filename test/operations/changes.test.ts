import { changesBetween, writtenDown } from './changes';

const before = writtenDown({
	rooms: { a: { name: 'Hall', seats: 10 }, b: { name: 'Attic' } },
	codes: { x: '123456' },
});
const after = (records: Parameters<typeof writtenDown>[0]) =>
	changesBetween(before, writtenDown(records));
const rooms = { a: { name: 'Hall', seats: 10 }, b: { name: 'Attic' } };
const codes = { x: '123456' };

it('sees nothing where nothing has changed, in whatever order it is told', () => {
	const turned = { b: { name: 'Attic' }, a: { seats: 10, name: 'Hall' } };
	expect(after({ codes, rooms: turned })).toStrictEqual({ added: {}, removed: {}, changed: {} });
});

it('sees what came, what went and what is different', () => {
	const changed = { a: { name: 'Great Hall' }, c: { name: 'Yard' }, d: { name: 'Yard' } };
	expect(after({ rooms: changed, codes: { x: '654321' }, phone: { m: { text: 'Hi' } } })).toEqual({
		added: { rooms: [{ name: 'Yard' }, { name: 'Yard' }], phone: [{ text: 'Hi' }] },
		removed: { rooms: ['b'] },
		changed: {
			rooms: { a: { name: 'Great Hall', seats: undefined } },
			codes: { x: { value: '654321' } },
		},
	});
});

it('sees that a kind is gone, and what is changed in place after a look', () => {
	expect(after({ rooms }).removed).toEqual({ codes: ['x'] });
	const kept = { rooms: { a: { seats: 1 } } };
	const seen = writtenDown(kept);
	kept.rooms.a.seats = 2;
	expect(changesBetween(seen, writtenDown(kept)).changed).toEqual({ rooms: { a: { seats: 2 } } });
});
