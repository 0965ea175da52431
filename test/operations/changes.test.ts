import { changesBetween, serializeRecords } from './changes';

const before = serializeRecords({
	rooms: { a: { name: 'Hall', seats: 10 }, b: { name: 'Attic' } },
	codes: { x: '123456' },
});
const after = (records: Parameters<typeof serializeRecords>[0]) =>
	changesBetween(before, serializeRecords(records));
const rooms = { a: { name: 'Hall', seats: 10 }, b: { name: 'Attic' } };
const codes = { x: '123456' };

it('changes are empty if nothing has changed, in any order', () => {
	const reversed = { b: { name: 'Attic' }, a: { seats: 10, name: 'Hall' } };
	expect(after({ codes, rooms: reversed })).toStrictEqual({ added: {}, removed: {}, changed: {} });
});

it('changes contain added, removed and different records', () => {
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

it('changes contain a removed kind, and records modified in place after the snapshot', () => {
	expect(after({ rooms }).removed).toEqual({ codes: ['x'] });
	const snapshot = { rooms: { a: { seats: 1 } } };
	const serializedBefore = serializeRecords(snapshot);
	snapshot.rooms.a.seats = 2;
	expect(changesBetween(serializedBefore, serializeRecords(snapshot)).changed).toEqual({
		rooms: { a: { seats: 2 } },
	});
});
