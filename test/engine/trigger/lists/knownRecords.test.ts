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

const anyState: fc.Arbitrary<RecordState> = fc.record({
	content: fc.jsonValue().map((value) => contentDigest({ value })),
	status: fc.string().map(statusDigest),
	bits: fc.integer({ min: 0, max: 2 ** MAX_ONE_TIME_EVENTS - 1 }),
	isKept: fc.boolean(),
	chain: fc.oneof(fc.constant(''), fc.string().map(chainDigest)),
});
/** Any text, including unpaired surrogates. */
const anyId = fc.oneof(
	fc.string({ unit: 'binary', minLength: 1 }),
	fc.constantFrom('a b', '100%', 'a:b', ' ', '%', '%20', '\ud800', ':'),
);

describe('the stored state of a record', () => {
	test('is restored as it was saved', () => {
		fc.assert(
			fc.property(anyState, (state) => expect(parseState(serializeState(state))).toEqual(state)),
		);
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
	const createState = (overrides: Partial<RecordState> = {}): RecordState => ({
		...parseState('abcdefghiA')!,
		...overrides,
	});

	test('are restored as they were saved, whatever the IDs are', () => {
		const uniqueRecords = fc.uniqueArray(
			fc.record({ id: anyId, entry: anyState, seen: fc.nat() }),
			{
				selector: ({ id }) => id,
			},
		);
		fc.assert(
			fc.property(uniqueRecords, (records) => {
				const knownRecords = new KnownRecords();
				for (const { id, entry, seen } of records) knownRecords.set(id, entry, seen);
				const restored = new KnownRecords();
				restored.restore(JSON.parse(JSON.stringify(knownRecords.toSaved())));
				expect(restored.size).toBe(records.length);
				for (const { id, entry } of records) expect(restored.get(id)).toEqual(entry);
				expect(restored.toSaved()).toEqual(knownRecords.toSaved());
			}),
		);
	});

	test('restore the valid records among malformed ones', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (garbage) => {
				const knownRecords = new KnownRecords();
				knownRecords.restore(garbage);
				knownRecords.restore([garbage, [5, 'x:abcdefghiA %:abcdefghiA y:short :abcdefghiA']]);
				expect(knownRecords.get('x')).toEqual(createState());
				expect(knownRecords.get('y')).toBeUndefined();
				expect(knownRecords.get('')).toBeUndefined();
				expect(knownRecords.toSaved()).toContainEqual([5, 'x:abcdefghiA']);
				expect(knownRecords.size).toBe(
					knownRecords.toSaved().flatMap(([, text]) => text.split(' ')).length,
				);
			}),
		);
	});

	test('drop records that the service will not return again, and keep those that would count as new', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('old', createState(), 10);
		knownRecords.set('kept', createState({ isKept: true }), 10);
		knownRecords.set('equal', createState(), 20);
		knownRecords.set('again', createState(), 10);
		knownRecords.set('again', createState(), 30);
		knownRecords.set('again', createState(), 5);
		knownRecords.forgetSeenBefore(20);
		expect(['old', 'kept', 'equal', 'again'].filter((id) => knownRecords.get(id))).toEqual([
			'kept',
			'equal',
			'again',
		]);
		expect(knownRecords.toSaved()).toEqual([
			[10, 'kept:abcdefghig'],
			[20, 'equal:abcdefghiA'],
			[30, 'again:abcdefghiA'],
		]);
	});

	test('retain a number of dropped records, not counting those that must be kept', () => {
		const knownRecords = new KnownRecords();
		for (const id of ['k1', 'k2', 'k3']) knownRecords.set(id, createState({ isKept: true }), 10);
		for (const id of ['a', 'b', 'c']) knownRecords.set(id, createState(), 15);
		expect(knownRecords.forgetSeenBefore(20, { from: 12, most: 3 })).toBeUndefined();
		expect(knownRecords.size).toBe(6);
		expect(knownRecords.forgetSeenBefore(20, { from: 12, most: 2 })).toBe(15);
		expect(['a', 'b', 'c'].filter((id) => knownRecords.get(id))).toEqual(['b', 'c']);
	});

	test('are saved in groups by the time they were read, and saved again when one is dropped', () => {
		const knownRecords = new KnownRecords();
		for (const id of ['a', 'b']) knownRecords.set(id, createState(), 10);
		for (const id of ['c', 'd']) knownRecords.set(id, createState(), 20);
		expect(knownRecords.toSaved()).toEqual([
			[10, 'a:abcdefghiA b:abcdefghiA'],
			[20, 'c:abcdefghiA d:abcdefghiA'],
		]);
		knownRecords.forgetSeenBefore(20);
		expect(knownRecords.toSaved()).toEqual([[20, 'c:abcdefghiA d:abcdefghiA']]);
		knownRecords.set('c', createState(), 30);
		expect(knownRecords.toSaved()).toHaveLength(2);
	});

	test('drop the records not read for longest, and return until when', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('a', createState({ isKept: true }), 10);
		knownRecords.set('b', createState(), 30);
		knownRecords.set('c', createState(), 20);
		knownRecords.set('a', createState(), 40);
		expect(knownRecords.forgetOldest(3)).toBeUndefined();
		expect(knownRecords.forgetOldest(1)).toBe(30);
		expect(knownRecords.size).toBe(1);
		expect(knownRecords.get('a')).toBeDefined();
		expect(knownRecords.toSaved()).toEqual([[40, 'a:abcdefghiA']]);
	});

	test('drop vanished records, even those that must be kept, and return when the last was read', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('a', createState({ isKept: true }), 15);
		knownRecords.set('b', createState(), 10);
		knownRecords.set('c', createState(), 20);
		expect(knownRecords.forgetVanished(10)).toBeUndefined();
		expect(knownRecords.forgetVanished(20)).toBe(15);
		expect(knownRecords.toSaved()).toEqual([[20, 'c:abcdefghiA']]);
	});

	test('retain dropped records from a time on, that time included', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('a', createState(), 11);
		knownRecords.set('b', createState(), 12);
		expect(knownRecords.forgetSeenBefore(20, { from: 12, most: 5 })).toBe(11);
		expect(knownRecords.get('b')).toBeDefined();
	});

	test('are serialized only once as long as none changes', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('a', createState(), 10);
		const first = knownRecords.toSaved();
		expect(knownRecords.toSaved()).toBe(first);
		knownRecords.set('a', createState({ isKept: true }), 10);
		expect(knownRecords.toSaved()).not.toBe(first);
	});
});
