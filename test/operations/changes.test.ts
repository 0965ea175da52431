// Protects the proof that an operation changes only what it should: no added, removed or changed record is overlooked.
import { changesBetween, serializeRecords } from './changes';

const before = serializeRecords({
	rooms: { a: { name: 'Hall', seats: 10 }, b: { name: 'Attic' } },
	codes: { x: '123456' },
});
const changesTo = (records: Parameters<typeof serializeRecords>[0]) =>
	changesBetween(before, serializeRecords(records));
const rooms = { a: { name: 'Hall', seats: 10 }, b: { name: 'Attic' } };
const codes = { x: '123456' };

it('changesBetween returns no changes for equal records in another order', () => {
	const reorderedRooms = { b: { name: 'Attic' }, a: { seats: 10, name: 'Hall' } };
	expect(changesTo({ codes, rooms: reorderedRooms })).toStrictEqual({
		added: {},
		removed: {},
		changed: {},
	});
});

it('changesBetween returns added, removed and changed records', () => {
	const changed = { a: { name: 'Great Hall' }, c: { name: 'Yard' }, d: { name: 'Yard' } };
	expect(
		changesTo({ rooms: changed, codes: { x: '654321' }, phone: { m: { text: 'Hi' } } }),
	).toEqual({
		added: { rooms: [{ name: 'Yard' }, { name: 'Yard' }], phone: [{ text: 'Hi' }] },
		removed: { rooms: ['b'] },
		changed: {
			rooms: { a: { name: 'Great Hall', seats: undefined } },
			codes: { x: { value: '654321' } },
		},
	});
});

it('changesBetween finds a removed kind, and a record that was modified in place after the snapshot', () => {
	expect(changesTo({ rooms }).removed).toEqual({ codes: ['x'] });
	const storedRecords = { rooms: { a: { seats: 1 } } };
	const serializedBefore = serializeRecords(storedRecords);
	storedRecords.rooms.a.seats = 2;
	expect(changesBetween(serializedBefore, serializeRecords(storedRecords)).changed).toEqual({
		rooms: { a: { seats: 2 } },
	});
});
