import fc from 'fast-check';

import {
	chainDigest,
	contentDigest,
	startKeyOf,
	statusDigest,
} from '../../../../nodes/engine/trigger/lists/core/digest';
import { KnownRecords } from '../../../../nodes/engine/trigger/lists/core/knownRecords';
import {
	parseState,
	MAX_ONE_TIME_EVENTS,
	serializeState,
} from '../../../../nodes/engine/trigger/lists/core/recordState';
import type { RecordState } from '../../../../nodes/engine/trigger/lists/core/recordState';
import { ServiceClock } from '../../../../nodes/engine/trigger/lists/core/serviceClock';
import { readRecordTime } from '../../../../nodes/engine/trigger/lists/core/time';

const HOUR = 3_600_000;

const entry: fc.Arbitrary<RecordState> = fc.record({
	content: fc.jsonValue().map((value) => contentDigest({ value })),
	status: fc.string().map(statusDigest),
	bits: fc.integer({ min: 0, max: 2 ** MAX_ONE_TIME_EVENTS - 1 }),
	kept: fc.boolean(),
	chain: fc.oneof(fc.constant(''), fc.string().map(chainDigest)),
});
/** Any text at all, half characters among them. */
const anyId = fc.oneof(
	fc.string({ unit: 'binary', minLength: 1 }),
	fc.constantFrom('a b', '100%', 'a:b', ' ', '%', '%20', '\ud800', ':'),
);

describe('digests', () => {
	test('the same content is the same, in whatever order its names come', () => {
		const record = { b: { y: 1, x: [2, { q: 1, p: 2 }] }, a: null };
		expect(contentDigest(record)).toBe(
			contentDigest({ a: null, b: { x: [2, { p: 2, q: 1 }], y: 1 } }),
		);
		expect(contentDigest(record)).not.toBe(contentDigest({ ...record, a: 1 }));
		expect(contentDigest({ list: [1, 2] })).not.toBe(contentDigest({ list: [2, 1] }));
		expect(contentDigest(record)).toMatch(/^[\w-]{5}$/);
	});

	test('what is ignored is no change', () => {
		expect(contentDigest({ a: 1, count: 2 }, ['count'])).toBe(contentDigest({ a: 1 }, ['count']));
		expect(contentDigest({ a: 1, count: 2 }, ['count'])).not.toBe(
			contentDigest({ a: 2 }, ['count']),
		);
	});

	test('no status at all is the same as none, and the usual ones differ', () => {
		expect(statusDigest(undefined)).toBe(statusDigest(null));
		const usual = ['', 'pending', 'confirmed', 'cancelled', 'canceled', 'registered', 'waitlisted'];
		expect(new Set(usual.map(statusDigest)).size).toBe(usual.length);
		expect(statusDigest('pending')).toMatch(/^[\w-]{4}$/);
	});

	test('a key depends on where one part ends and the next begins', () => {
		expect(startKeyOf('ab', 'c')).not.toBe(startKeyOf('a', 'bc'));
		expect(startKeyOf('a')).toMatch(/^[\w-]{43}$/);
		expect(chainDigest('a')).toMatch(/^[\w-]{8}$/);
	});
});

describe('what is kept of a record', () => {
	test('comes back as it was', () => {
		fc.assert(fc.property(entry, (one) => expect(parseState(serializeState(one))).toEqual(one)));
	});

	test('is nothing if it is not an entry', () => {
		const whole = serializeState({
			content: 'abcde',
			status: 'fghi',
			bits: 1,
			kept: true,
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

describe('the memory of a list', () => {
	const known = (over: Partial<RecordState> = {}): RecordState => ({
		...parseState('abcdefghiA')!,
		...over,
	});

	test('comes back as it was, whatever the ids are', () => {
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

	test('takes up what can be read of anything', () => {
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

	test('forgets what the service does not give again, and keeps what would count as new', () => {
		const memory = new KnownRecords();
		memory.set('old', known(), 10);
		memory.set('kept', known({ kept: true }), 10);
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

	test('retains so many of those, and what must be kept takes no room from them', () => {
		const memory = new KnownRecords();
		for (const id of ['k1', 'k2', 'k3']) memory.set(id, known({ kept: true }), 10);
		for (const id of ['a', 'b', 'c']) memory.set(id, known(), 15);
		expect(memory.forgetSeenBefore(20, { from: 12, most: 3 })).toBeUndefined();
		expect(memory.size).toBe(6);
		expect(memory.forgetSeenBefore(20, { from: 12, most: 2 })).toBe(15);
		expect(['a', 'b', 'c'].filter((id) => memory.get(id))).toEqual(['b', 'c']);
	});

	test('is written with those together that were seen at the same time, and anew when one is forgotten', () => {
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

	test('shrinks by those not seen for longest, and says until when', () => {
		const memory = new KnownRecords();
		memory.set('a', known({ kept: true }), 10);
		memory.set('b', known(), 30);
		memory.set('c', known(), 20);
		memory.set('a', known(), 40);
		expect(memory.forgetOldest(3)).toBeUndefined();
		expect(memory.forgetOldest(1)).toBe(30);
		expect(memory.size).toBe(1);
		expect(memory.get('a')).toBeDefined();
		expect(memory.toSaved()).toEqual([[40, 'a:abcdefghiA']]);
	});
});

describe("the service's clock", () => {
	test('is what the service says, and goes on by our steady clock', () => {
		const clock = new ServiceClock();
		expect(clock.timeAt(1000)).toBeUndefined();
		expect(clock.observe(5_000_000, 1000)).toBe(5_000_000);
		expect(clock.timeAt(3000)).toBe(5_002_000);
		expect(clock.observe(5_020_000, 3000)).toBe(5_020_000);
		expect(clock.timeAt(3000)).toBe(5_020_000);
	});

	test('of two dates that do not fit the earlier counts, until the later one is confirmed', () => {
		const clock = new ServiceClock();
		clock.observe(5_000_000, 0);
		expect(clock.observe(5_000_000 + HOUR, 1000)).toBe(5_001_000);
		expect(clock.observe(5_002_000, 2000)).toBe(5_002_000);
		expect(clock.observe(5_000_000 + HOUR, 3000)).toBe(5_003_000);
		expect(clock.observe(5_001_000 + HOUR, 4000)).toBe(5_001_000 + HOUR);
		expect(clock.observe(5_002_000 + HOUR, 5000)).toBe(5_002_000 + HOUR);
	});

	test('one that went back counts at once', () => {
		const clock = new ServiceClock();
		clock.observe(5_000_000, 0);
		expect(clock.observe(4_000_000, 1000)).toBe(4_000_000);
		expect(clock.timeAt(1000)).toBe(5_001_000);
		clock.observe(4_001_000, 2000);
		expect(clock.timeAt(2000)).toBe(4_001_000);
	});

	test('a date is believed within half a minute, and not beyond', () => {
		const heard = (off: number) => {
			const clock = new ServiceClock();
			clock.observe(0, 0);
			return clock.observe(1000 + off, 1000);
		};
		expect(heard(30_000)).toBe(31_000);
		expect(heard(30_001)).toBe(1000);
		expect(heard(-30_000)).toBe(-29_000);
	});
});

describe('times that records name', () => {
	const at = Date.UTC(2026, 10, 15, 12, 30);
	const second = at / 1000;
	const table: Array<[unknown, number, boolean, string?]> = [
		['2026-11-15T12:30:00Z', at, true, `@${second}Z`],
		['2026-11-15T12:30:00.000z ', at, true, `@${second}Z`],
		['2026-11-15T14:30:00+02:00', at, true, `@${second}Z`],
		['2026-11-15T07:30:00-0500', at, true, `@${second}Z`],
		['Sun, 15 Nov 2026 12:30:00 GMT', at, true, `@${second}Z`],
		['2026-11-15 12:30 UTC', at, true, `@${second}Z`],
		['2026-11-15T12:30:00', at + 14 * HOUR, false, `@${second}`],
		['2026-11-15 12:30', at + 14 * HOUR, false, `@${second}`],
		['2026-11-15T12:30:00.0123456Z', at + 12, true, `@${second}.0123456Z`],
		['2026-11-15T13:30+01', at, true, `@${second}Z`],
		['11/15/2026 12:30 GMT', at, true],
		['2026-11-15', at - 12.5 * HOUR + 14 * HOUR, false],
		[at, at, true],
		[at / 1000, at, true],
		['soon', NaN, false],
	];

	test.each(table)('%p', (value, latest, exact, spelled = String(value)) => {
		expect(readRecordTime({ at: value as string }, ['at'])).toEqual({
			text: spelled,
			latest,
			exact,
		});
	});

	test('the first field that holds anything counts', () => {
		const record = { none: null, empty: '', a: '2026-11-15T12:30:00Z', b: 5 };
		expect(readRecordTime(record, ['missing', 'none', 'empty', 'a', 'b'])?.latest).toBe(at);
		expect(readRecordTime(record, ['missing', 'none', 'empty'])).toBeUndefined();
		expect(readRecordTime({ a: true, b: {} }, ['a'])).toBeUndefined();
		expect(readRecordTime({ a: 1e11 }, ['a'])?.latest).toBe(1e11);
		expect(readRecordTime({ a: 1e11 - 1 }, ['a'])?.latest).toBe((1e11 - 1) * 1000);
	});
});
