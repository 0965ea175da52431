import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { deriveEvents } from '../../../../nodes/engine/trigger/lists/core';
import type { ChangeSchema, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';
import { contentDigest, statusDigest } from '../../../../nodes/engine/trigger/lists/core/digest';
import { scaleRunCount } from '../../../support/scaleRunCount';
import { FollowerHarness, createList, MINUTE } from './listHarness';

/** A value of a record, independent of its spelling. */
type MeantValue =
	| { kind: 'time'; seconds: number; fraction: string }
	| { kind: 'number'; value: number }
	| { kind: 'plain'; value: string | boolean | null }
	| { kind: 'list'; entries: MeantValue[] }
	| { kind: 'object'; entries: Array<[string, MeantValue]> };

const time = fc.record({
	kind: fc.constant('time' as const),
	seconds: fc.integer({ min: Date.UTC(1970, 0) / 1000, max: Date.UTC(2099, 0) / 1000 }),
	fraction: fc.constantFrom('', '', '5', '25', '123', '0000007'),
});
const plain = fc.record({
	kind: fc.constant('plain' as const),
	value: fc.oneof(fc.string(), fc.boolean(), fc.constant(null)),
});
const number = fc.record({
	kind: fc.constant('number' as const),
	value: fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 0.5, 12.75)),
});
const { meant } = fc.letrec<{ meant: MeantValue }>((tie) => ({
	meant: fc.oneof(
		{ depthSize: 'small' },
		time,
		plain,
		number,
		fc.record({
			kind: fc.constant('list' as const),
			entries: fc.array(tie('meant'), { maxLength: 3 }),
		}),
		fc.record({ kind: fc.constant('object' as const), entries: entriesOf(tie('meant')) }),
	),
}));
function entriesOf(value: fc.Arbitrary<MeantValue>): fc.Arbitrary<Array<[string, MeantValue]>> {
	return fc.uniqueArray(fc.tuple(fc.string(), value), {
		selector: ([name]) => name,
		maxLength: 4,
	});
}
const record = entriesOf(meant).map((entries): MeantValue => ({
	kind: 'object',
	entries: entries.filter(([name]) => !['Made', 'Stamp', 'CheckIn', 'Status'].includes(name)),
}));

const digits = (value: number, count = 2) => `${value}`.padStart(count, '0');

/** Spells a moment in one of the ways that ISO 8601 and RFC 5322 allow. */
function spellTime({ seconds, fraction }: MeantValue & { kind: 'time' }, draw: Draw): string {
	const minutes = draw.pickFrom([0, 0, 60, 120, -300, 330, -210]);
	const local = new Date((seconds + 60 * minutes) * 1000);
	const offset = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) => digits(n));
	const sign = minutes < 0 ? '-' : '+';
	if (fraction === '' && draw.pickFrom([true, false, false])) {
		const [day, month, year] = local.toUTCString().slice(5, 16).split(' ') as [
			string,
			string,
			string,
		];
		const clock = local.toUTCString().slice(17, 25);
		const zone = minutes === 0 && draw.pickFrom([true, false]) ? 'GMT' : sign + offset.join('');
		const weekday = draw.pickFrom(['', local.toUTCString().slice(0, 5)]);
		return `${weekday}${day} ${month} ${year} ${clock} ${zone}`;
	}
	const zones = [sign + offset.join(':'), sign + offset.join('')];
	if (offset[1] === '00') zones.push(sign + offset[0]!);
	if (minutes === 0) zones.push('Z', 'z', '-00:00');
	const [day, clock] = local.toISOString().slice(0, 19).split('T') as [string, string];
	const zeros = draw.pickFrom(['', '0', '000']);
	const hasFraction = fraction + zeros !== '';
	const isWholeMinute = !hasFraction && clock.endsWith(':00') && draw.pickFrom([true, false]);
	return (
		day +
		draw.pickFrom(['T', 't', ' ']) +
		(isWholeMinute ? clock.slice(0, 5) : clock) +
		(hasFraction ? `${draw.pickFrom(['.', ','])}${fraction}${zeros}` : '') +
		draw.pickFrom(zones)
	);
}

/** Serializes a value as JSON, with random spellings of dates and numbers, key order and white space. */
function spell(meantValue: MeantValue, draw: Draw): string {
	switch (meantValue.kind) {
		case 'time':
			return JSON.stringify(spellTime(meantValue, draw));
		case 'plain':
			return JSON.stringify(meantValue.value);
		case 'number': {
			const text = JSON.stringify(meantValue.value);
			const suffixes = text.includes('.') ? ['0', 'e0'] : ['.0', '.000', 'e0', 'E+0'];
			return text + draw.pickFrom(['', ...suffixes]);
		}
		case 'list':
			return `[${meantValue.entries.map((entry) => spell(entry, draw)).join(draw.pickFrom([',', ' , ']))}]`;
		case 'object': {
			const entries = draw.shuffle(meantValue.entries);
			const texts = entries.map(([name, value]) => `${JSON.stringify(name)}:${spell(value, draw)}`);
			return `{${texts.join()}}`;
		}
	}
}

/** Makes random choices from a list of numbers that fast-check generated. */
class Draw {
	private next = 0;

	constructor(private readonly numbers: number[]) {}

	pickFrom<T>(choices: T[]): T {
		return choices[this.numbers[this.next++ % this.numbers.length]! % choices.length]!;
	}

	shuffle<T>(entries: T[]): T[] {
		const rest = [...entries];
		return entries.map(() => rest.splice(this.pickFrom([0, 1, 2, 3, 4, 5]) % rest.length, 1)[0]!);
	}
}
const anyDraw = fc
	.array(fc.nat(1000), { minLength: 20, maxLength: 60 })
	.map((numbers) => () => new Draw(numbers));
const toRecord = (meantValue: MeantValue, draw: () => Draw) =>
	JSON.parse(spell(meantValue, draw())) as IDataObject;

const changeSchema: ChangeSchema = {
	oneTimeEvents: [
		{ kind: 'created', dateFields: ['Made'], isCreation: true },
		{ kind: 'checkedIn', dateFields: ['CheckIn'] },
	],
	status: { kind: 'status', field: 'Status' },
	updated: 'updated',
	stamp: 'Stamp',
};
const stampedList = (isFiltered: boolean): ListDefinition => ({
	key: 'k',
	name: 'K',
	isFiltered,
	changeSchema,
	identify: ({ Id }) => Id,
});
const circumstances: PollCircumstances = {
	known: undefined,
	followedSince: -Infinity,
	isFirstPoll: false,
	areDatesInconclusive: false,
	includeExisting: false,
	intervalMs: 60_000,
	kinds: new Set(['created', 'checkedIn', 'status', 'updated']),
};

describe('the same record in another spelling', () => {
	test('has the same digests', () => {
		fc.assert(
			fc.property(record, meant, anyDraw, anyDraw, (meaning, status, firstDraw, secondDraw) => {
				expect(contentDigest(toRecord(meaning, firstDraw))).toBe(
					contentDigest(toRecord(meaning, secondDraw)),
				);
				expect(statusDigest(toRecord(status, firstDraw))).toBe(
					statusDigest(toRecord(status, secondDraw)),
				);
			}),
			{ numRuns: scaleRunCount(400) },
		);
	});

	test('is no change of a known record, and is the same change of an unknown one', () => {
		const whole = fc
			.tuple(record, time, time, fc.option(time), plain)
			.map(([rest, createdAt, stamp, checkIn, status]): MeantValue => {
				const datedFields: Array<[string, MeantValue]> = [
					['Made', createdAt],
					['Stamp', stamp],
					['Status', status],
					...(checkIn ? [['CheckIn', checkIn] as [string, MeantValue]] : []),
				];
				return {
					kind: 'object',
					entries: [...(rest as MeantValue & { kind: 'object' }).entries, ...datedFields],
				};
			});
		fc.assert(
			fc.property(
				whole,
				fc.boolean(),
				anyDraw,
				anyDraw,
				(meaning, isFiltered, firstDraw, secondDraw) => {
					const definition = stampedList(isFiltered);
					const first = deriveEvents(toRecord(meaning, firstDraw), definition, circumstances);
					const second = deriveEvents(toRecord(meaning, secondDraw), definition, circumstances);
					expect(second).toEqual(first);
					const again = deriveEvents(toRecord(meaning, secondDraw), definition, {
						...circumstances,
						known: first.after,
					});
					expect(again.events).toEqual([]);
				},
			),
			{ numRuns: scaleRunCount(400) },
		);
	});
});

describe('digests of dates and numbers', () => {
	test('another moment has another digest, however close it is', () => {
		const other = fc.tuple(time, time, anyDraw, anyDraw);
		fc.assert(
			fc.property(other, ([a, b, firstRecord, secondRecord]) => {
				fc.pre(a.seconds !== b.seconds || a.fraction !== b.fraction);
				const digest = (value: MeantValue, draw: () => Draw) =>
					contentDigest({ at: JSON.parse(spell(value, draw())) as string });
				expect(digest(a, firstRecord)).not.toBe(digest(b, secondRecord));
				const next: MeantValue = { ...a, seconds: a.seconds + 1 };
				expect(digest(a, firstRecord)).not.toBe(digest(next, secondRecord));
				const finer: MeantValue = { ...a, fraction: `${a.fraction}0000001` };
				expect(digest(a, firstRecord)).not.toBe(digest(finer, secondRecord));
			}),
		);
	});

	const differing: Array<[string, unknown, unknown]> = [
		['a time without a zone is that of no zone', '2026-10-25T02:30:00', '2026-10-25T02:30:00Z'],
		['another time without a zone', '2026-10-25T02:30:00', '2026-10-25T02:31:00'],
		['a day is no time', '2026-10-25', '2026-10-25T00:00:00Z'],
		['a date that the calendar lacks', '2026-02-30T10:00:00Z', '2026-03-02T10:00:00Z'],
		['an hour that the clock lacks', '2026-02-01T25:00:00Z', '2026-02-02T01:00:00Z'],
		['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
		['a date inside a sentence', 'at 2026-10-25T02:30:00Z', 'at 2026-10-25T04:30:00+02:00'],
		['a number in a text', '1.10', '1.1'],
		['a number and its text', 1, '1'],
		['the internal form of a date, as a text', '2026-10-25T02:30:00Z', '@1792895400Z'],
	];
	test.each(differing)('%s: the digests differ', (_, value, other) => {
		expect(contentDigest({ value } as IDataObject)).not.toBe(
			contentDigest({ value: other } as IDataObject),
		);
	});

	const equal: Array<[string, string, string]> = [
		['zeros of a time without a zone', '2026-10-25T02:30:00.000', '2026-10-25 02:30'],
		['the end of summer time', '2026-10-25T09:00:00+02:00', '2026-10-25T08:00:00+01:00'],
		['another day elsewhere', '2026-12-31T23:30:00-05:00', '2027-01-01T04:30:00Z'],
	];
	test.each(equal)('%s: both have the same digest', (_, value, other) => {
		expect(contentDigest({ value })).toBe(contentDigest({ value: other }));
	});
});

test('reformatted dates start nothing, and each real change starts the workflow once', async () => {
	const harness = new FollowerHarness({ listDefinitions: [createList({ isFiltered: false })] });
	const person = (index: number, zone: number, over: IDataObject = {}): IDataObject => {
		const local = (hour: number) =>
			`2026-10-20T${digits(hour + zone)}:00:00${zone === 2 ? '.000+02:00' : '+01:00'}`;
		const localTimes = { CreatedAt: local(5), Start: local(9), Visits: [{ At: local(12) }] };
		const values = { Id: `p${index}`, ...localTimes, Status: 'in', CheckIn: local(7), ...over };
		return zone === 2 ? values : Object.fromEntries(Object.entries(values).reverse());
	};
	for (let index = 0; index < 20; index++) harness.upsertRecord(person(index, 2));
	await harness.open();
	for (let index = 0; index < 20; index++) harness.upsertRecord(person(index, 1));
	await harness.time.advance(2 * MINUTE);
	expect(harness.startedChanges).toEqual([]);
	harness.upsertRecord(person(3, 1, { Status: 'out' }));
	harness.upsertRecord(person(4, 1, { Start: '2026-10-20T10:30:00+01:00' }));
	await harness.time.advance(2 * MINUTE);
	expect(harness.startedChanges).toEqual(['status p3', 'updated p4']);
	for (let index = 0; index < 20; index++) harness.upsertRecord(person(index, 2));
	await harness.time.advance(2 * MINUTE);
	expect(harness.startedChanges.slice(2)).toEqual(['status p3', 'updated p4']);
});
