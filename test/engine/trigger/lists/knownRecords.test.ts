import fc from 'fast-check';

import {
	chainDigest,
	contentDigest,
	statusDigest,
} from '../../../../nodes/engine/trigger/lists/core/digest';
import { KnownRecords } from '../../../../nodes/engine/trigger/lists/core/knownRecords';
import {
	parseState,
	MAX_ONE_TIME_EVENTS,
	serializeState,
} from '../../../../nodes/engine/trigger/lists/core/recordState';
import type { RecordState } from '../../../../nodes/engine/trigger/lists/core/recordState';

const entry: fc.Arbitrary<RecordState> = fc.record({
	content: fc.jsonValue().map((value) => contentDigest({ value })),
	status: fc.string().map(statusDigest),
	bits: fc.integer({ min: 0, max: 2 ** MAX_ONE_TIME_EVENTS - 1 }),
	isKept: fc.boolean(),
	chain: fc.oneof(fc.constant(''), fc.string().map(chainDigest)),
});
/** Any text at all, half characters among them. */
const anyId = fc.oneof(
	fc.string({ unit: 'binary', minLength: 1 }),
	fc.constantFrom('a b', '100%', 'a:b', ' ', '%', '%20', '\ud800', ':'),
);

describe('the stored state of a record', () => {
	test('is restored as it was saved', () => {
		fc.assert(fc.property(entry, (one) => expect(parseState(serializeState(one))).toEqual(one)));
	});

	test('is not restored from text of another format', () => {
		const whole = serializeState({
			content: 'abcde',
			status: 'fghi',
			bits: 1,
			isKept: true,
			chain: '',
		});
		expect(whole).toBe('abcdefghih');
		for (const text of [
			'',
			whole.slice(1),
			`${whole}x`,
			`${whole}12345678x`,
			'abcd fghih',
			`\n${whole}`,
		]) {
			expect(parseState(text)).toBeUndefined();
		}
	});
});

describe('KnownRecords', () => {
	const known = (over: Partial<RecordState> = {}): RecordState => ({
		...parseState('abcdefghiA')!,
		...over,
	});

	test('are restored as they were saved, whatever the IDs are', () => {
		const all = fc.uniqueArray(fc.record({ id: anyId, entry, seen: fc.nat() }), {
			selector: ({ id }) => id,
		});
		fc.assert(
			fc.property(all, (records) => {
				const memory = new KnownRecords();
				for (const { id, entry: one, seen } of records) memory.set(id, one, seen);
				const again = new KnownRecords();
				again.restore(JSON.parse(JSON.stringify(memory.toSaved())));
				expect(again.size).toBe(records.length);
				for (const { id, entry: one } of records) expect(again.get(id)).toEqual(one);
				expect(again.toSaved()).toEqual(memory.toSaved());
			}),
		);
	});

	test('restore the valid records among malformed ones', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (garbage) => {
				const memory = new KnownRecords();
				memory.restore(garbage);
				memory.restore([garbage, [5, 'x:abcdefghiA %:abcdefghiA y:short :abcdefghiA']]);
				expect(memory.get('x')).toEqual(known());
				expect(memory.get('y')).toBeUndefined();
				expect(memory.get('')).toBeUndefined();
				expect(memory.toSaved()).toContainEqual([5, 'x:abcdefghiA']);
				expect(memory.size).toBe(memory.toSaved().flatMap(([, text]) => text.split(' ')).length);
			}),
		);
	});

	test('drop records that the service will not return again, and keep those that would count as new', () => {
		const memory = new KnownRecords();
		memory.set('old', known(), 10);
		memory.set('kept', known({ isKept: true }), 10);
		memory.set('equal', known(), 20);
		memory.set('again', known(), 10);
		memory.set('again', known(), 30);
		memory.set('again', known(), 5);
		memory.forgetSeenBefore(20);
		expect(['old', 'kept', 'equal', 'again'].filter((id) => memory.get(id))).toEqual([
			'kept',
			'equal',
			'again',
		]);
		expect(memory.toSaved()).toEqual([
			[10, 'kept:abcdefghig'],
			[20, 'equal:abcdefghiA'],
			[30, 'again:abcdefghiA'],
		]);
	});

	test('retain a number of dropped records, not counting those that must be kept', () => {
		const memory = new KnownRecords();
		for (const id of ['k1', 'k2', 'k3']) memory.set(id, known({ isKept: true }), 10);
		for (const id of ['a', 'b', 'c']) memory.set(id, known(), 15);
		expect(memory.forgetSeenBefore(20, { from: 12, most: 3 })).toBeUndefined();
		expect(memory.size).toBe(6);
		expect(memory.forgetSeenBefore(20, { from: 12, most: 2 })).toBe(15);
		expect(['a', 'b', 'c'].filter((id) => memory.get(id))).toEqual(['b', 'c']);
	});

	test('are saved in groups by the time they were read, and saved again when one is dropped', () => {
		const memory = new KnownRecords();
		for (const id of ['a', 'b']) memory.set(id, known(), 10);
		for (const id of ['c', 'd']) memory.set(id, known(), 20);
		expect(memory.toSaved()).toEqual([
			[10, 'a:abcdefghiA b:abcdefghiA'],
			[20, 'c:abcdefghiA d:abcdefghiA'],
		]);
		memory.forgetSeenBefore(20);
		expect(memory.toSaved()).toEqual([[20, 'c:abcdefghiA d:abcdefghiA']]);
		memory.set('c', known(), 30);
		expect(memory.toSaved()).toHaveLength(2);
	});

	test('drop the records not read for longest, and return until when', () => {
		const memory = new KnownRecords();
		memory.set('a', known({ isKept: true }), 10);
		memory.set('b', known(), 30);
		memory.set('c', known(), 20);
		memory.set('a', known(), 40);
		expect(memory.forgetOldest(3)).toBeUndefined();
		expect(memory.forgetOldest(1)).toBe(30);
		expect(memory.size).toBe(1);
		expect(memory.get('a')).toBeDefined();
		expect(memory.toSaved()).toEqual([[40, 'a:abcdefghiA']]);
	});

	test('drop vanished records, even those that must be kept, and return when the last was read', () => {
		const memory = new KnownRecords();
		memory.set('a', known({ isKept: true }), 15);
		memory.set('b', known(), 10);
		memory.set('c', known(), 20);
		expect(memory.forgetVanished(10)).toBeUndefined();
		expect(memory.forgetVanished(20)).toBe(15);
		expect(memory.toSaved()).toEqual([[20, 'c:abcdefghiA']]);
	});

	test('retain dropped records from a time on, that time included', () => {
		const memory = new KnownRecords();
		memory.set('a', known(), 11);
		memory.set('b', known(), 12);
		expect(memory.forgetSeenBefore(20, { from: 12, most: 5 })).toBe(11);
		expect(memory.get('b')).toBeDefined();
	});

	test('are serialized only once as long as none changes', () => {
		const memory = new KnownRecords();
		memory.set('a', known(), 10);
		const first = memory.toSaved();
		expect(memory.toSaved()).toBe(first);
		memory.set('a', known({ isKept: true }), 10);
		expect(memory.toSaved()).not.toBe(first);
	});
});
