// Protects the known records of a list: they are the same after a restart, and malformed ones do not affect the others.
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
	happenedEvents: fc.integer({ min: 0, max: 2 ** MAX_ONE_TIME_EVENTS - 1 }),
	isKept: fc.boolean(),
	chain: fc.oneof(fc.constant(''), fc.string().map(chainDigest)),
});
/** Any text, including unpaired surrogates. */
const anyId = fc.oneof(
	fc.string({ unit: 'binary', minLength: 1 }),
	fc.constantFrom('a b', '100%', 'a:b', ' ', '%', '%20', '\ud800', ':'),
);

describe('the stored state of a record', () => {
	test('is the same after it was restored', () => {
		fc.assert(
			fc.property(anyState, (state) => expect(parseState(serializeState(state))).toEqual(state)),
		);
	});

	test('is not restored from text of another format', () => {
		const validText = serializeState({
			content: 'abcde',
			status: 'fghi',
			happenedEvents: 1,
			isKept: true,
			chain: '',
		});
		expect(validText).toBe('abcdefghih');
		for (const text of [
			'',
			validText.slice(1),
			`${validText}x`,
			`${validText}12345678x`,
			'abcd fghih',
			`\n${validText}`,
		]) {
			expect(parseState(text)).toBeUndefined();
		}
	});
});

describe('known records', () => {
	/** The saved form of the state below, and of the same state if it must be kept. */
	const STATE = 'abcdefghiA';
	const createState = (overrides: Partial<RecordState> = {}): RecordState => ({
		...parseState(STATE)!,
		...overrides,
	});

	test('are the same after they were restored, even with unusual IDs', () => {
		const anyRecords = fc.uniqueArray(fc.record({ id: anyId, state: anyState, seenAt: fc.nat() }), {
			selector: ({ id }) => id,
		});
		fc.assert(
			fc.property(anyRecords, (records) => {
				const knownRecords = new KnownRecords();
				for (const { id, state, seenAt } of records) knownRecords.set(id, state, seenAt);
				const restoredRecords = new KnownRecords();
				restoredRecords.restore(JSON.parse(JSON.stringify(knownRecords.toSaved())));
				expect(restoredRecords.size).toBe(records.length);
				for (const { id, state } of records) expect(restoredRecords.get(id)).toEqual(state);
				expect(restoredRecords.toSaved()).toEqual(knownRecords.toSaved());
			}),
		);
	});

	test('are restored without malformed ones', () => {
		fc.assert(
			fc.property(fc.string(), (malformed) => {
				const knownRecords = new KnownRecords();
				knownRecords.restore([[5, `${malformed} x:${STATE} %:${STATE} y:short :${STATE}`]]);
				expect(knownRecords.get('x')).toEqual(createState());
				expect(knownRecords.get('y')).toBeUndefined();
				expect(knownRecords.get('')).toBeUndefined();
				expect(knownRecords.toSaved()[0]![1]).toContain(`x:${STATE}`);
			}),
		);
	});

	test('are forgotten in the order in which they were last set, with the time at which the last was seen', () => {
		const knownRecords = new KnownRecords();
		for (const [id, seenAt] of [
			['a', 10],
			['b', 30],
			['c', 20],
			['a', 40],
			// The time at which a record was seen never moves back.
			['a', 5],
		] as const)
			knownRecords.set(id, createState(), seenAt);
		const seenTimes: number[] = [];
		expect(knownRecords.forget(({ seenAt }) => seenTimes.push(seenAt) === 0)).toBeUndefined();
		expect(seenTimes).toEqual([30, 20, 40]);
		expect(knownRecords.forget(() => knownRecords.size > 1)).toBe(30);
		expect(knownRecords.toSaved()).toEqual([[40, `a:${STATE}`]]);
	});

	test('are counted if they meet a condition', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('a', createState({ isKept: true }), 10);
		knownRecords.set('b', createState(), 10);
		expect(knownRecords.count(({ state }) => state.isKept)).toBe(1);
	});

	test('are saved in groups by the time at which they were seen', () => {
		const knownRecords = new KnownRecords();
		for (const id of ['a', 'b']) knownRecords.set(id, createState(), 10);
		for (const id of ['c', 'd']) knownRecords.set(id, createState(), 20);
		expect(knownRecords.toSaved()).toEqual([
			[10, `a:${STATE} b:${STATE}`],
			[20, `c:${STATE} d:${STATE}`],
		]);
		knownRecords.forget(({ seenAt }) => seenAt < 20);
		expect(knownRecords.toSaved()).toEqual([[20, `c:${STATE} d:${STATE}`]]);
		knownRecords.set('c', createState(), 30);
		expect(knownRecords.toSaved()).toHaveLength(2);
	});

	test('are serialized only once as long as none changes', () => {
		const knownRecords = new KnownRecords();
		knownRecords.set('a', createState(), 10);
		const serialized = knownRecords.toSaved();
		expect(knownRecords.toSaved()).toBe(serialized);
		knownRecords.set('a', createState({ isKept: true }), 10);
		expect(knownRecords.toSaved()).not.toBe(serialized);
	});
});
