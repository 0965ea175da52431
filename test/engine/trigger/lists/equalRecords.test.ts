// Protects list triggers from reformatted records: another spelling of dates and numbers starts nothing, a real change does.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { deriveEvents } from '../../../../nodes/engine/trigger/lists/core';
import type { ChangeSchema, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { contentDigest, statusDigest } from '../../../../nodes/engine/trigger/lists/core/digest';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/recordAge';
import { scaleRunCount } from '../../../support/scaleRunCount';
import { FollowerHarness, createList, MINUTE } from './listHarness';
import {
	anyTime,
	anyPlain,
	anyRecord,
	toTwoDigits,
	anyDraw,
	toRecord,
	spell,
	anyValue,
} from './recordSpelling';
import type { Draw, MeantValue } from './recordSpelling';

const changeSchema: ChangeSchema = {
	oneTimeEvents: [
		{ kind: 'created', dateFields: ['Made'], isCreation: true },
		{ kind: 'checkedIn', dateFields: ['CheckIn'] },
	],
	status: { kind: 'status', field: 'Status' },
	updated: 'updated',
	stamp: 'Stamp',
};
const createStampedList = (isFiltered: boolean): ListDefinition => ({
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

describe('a record in another spelling', () => {
	test('has equal digests', () => {
		fc.assert(
			fc.property(
				anyRecord,
				anyValue,
				anyDraw,
				anyDraw,
				(meaning, status, firstDraw, secondDraw) => {
					expect(contentDigest(toRecord(meaning, firstDraw))).toBe(
						contentDigest(toRecord(meaning, secondDraw)),
					);
					expect(statusDigest(toRecord(status, firstDraw))).toBe(
						statusDigest(toRecord(status, secondDraw)),
					);
				},
			),
			{ numRuns: scaleRunCount(400) },
		);
	});

	test('has no event if it is known, and has the events of the first spelling if it is unknown', () => {
		const anyCompleteRecord = fc
			.tuple(anyRecord, anyTime, anyTime, fc.option(anyTime), anyPlain)
			.map(([otherFields, createdAt, stamp, checkIn, status]): MeantValue => {
				const schemaFields: Array<[string, MeantValue]> = [
					['Made', createdAt],
					['Stamp', stamp],
					['Status', status],
					...(checkIn ? [['CheckIn', checkIn] as [string, MeantValue]] : []),
				];
				return {
					kind: 'object',
					entries: [...(otherFields as MeantValue & { kind: 'object' }).entries, ...schemaFields],
				};
			});
		fc.assert(
			fc.property(
				anyCompleteRecord,
				fc.boolean(),
				anyDraw,
				anyDraw,
				(meaning, isFiltered, firstDraw, secondDraw) => {
					const definition = createStampedList(isFiltered);
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
	test('two different moments have different digests, however close they are', () => {
		const anyTwoTimes = fc.tuple(anyTime, anyTime, anyDraw, anyDraw);
		fc.assert(
			fc.property(anyTwoTimes, ([a, b, firstDraw, secondDraw]) => {
				fc.pre(a.seconds !== b.seconds || a.fraction !== b.fraction);
				const digest = (value: MeantValue, draw: () => Draw) =>
					contentDigest({ at: JSON.parse(spell(value, draw())) as string });
				expect(digest(a, firstDraw)).not.toBe(digest(b, secondDraw));
				const next: MeantValue = { ...a, seconds: a.seconds + 1 };
				expect(digest(a, firstDraw)).not.toBe(digest(next, secondDraw));
				const finer: MeantValue = { ...a, fraction: `${a.fraction}0000001` };
				expect(digest(a, firstDraw)).not.toBe(digest(finer, secondDraw));
			}),
		);
	});

	const differing: Array<[string, unknown, unknown]> = [
		[
			'a time without a zone and the same time in UTC',
			'2026-10-25T02:30:00',
			'2026-10-25T02:30:00Z',
		],
		['two times without a zone', '2026-10-25T02:30:00', '2026-10-25T02:31:00'],
		['a day and its midnight', '2026-10-25', '2026-10-25T00:00:00Z'],
		[
			'a date that does not exist and the date after it',
			'2026-02-30T10:00:00Z',
			'2026-03-02T10:00:00Z',
		],
		[
			'an hour that does not exist and the hour after it',
			'2026-02-01T25:00:00Z',
			'2026-02-02T01:00:00Z',
		],
		['a leap second and the second after it', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
		['one moment inside two sentences', 'at 2026-10-25T02:30:00Z', 'at 2026-10-25T04:30:00+02:00'],
		['two texts of one number', '1.10', '1.1'],
		['a number and its text', 1, '1'],
		['a date and its internal form as a text', '2026-10-25T02:30:00Z', '@1792895400Z'],
	];
	test.each(differing)('%s have different digests', (_, value, other) => {
		expect(contentDigest({ value } as IDataObject)).not.toBe(
			contentDigest({ value: other } as IDataObject),
		);
	});

	const equal: Array<[string, string, string]> = [
		['a time without a zone with and without zeros', '2026-10-25T02:30:00.000', '2026-10-25 02:30'],
		[
			'one moment in summer time and in winter time',
			'2026-10-25T09:00:00+02:00',
			'2026-10-25T08:00:00+01:00',
		],
		['one moment on two days, in two zones,', '2026-12-31T23:30:00-05:00', '2027-01-01T04:30:00Z'],
	];
	test.each(equal)('%s have equal digests', (_, value, other) => {
		expect(contentDigest({ value })).toBe(contentDigest({ value: other }));
	});
});

test('reformatted dates start nothing, and a real change starts the workflow once', async () => {
	const harness = new FollowerHarness({ listDefinitions: [createList({ isFiltered: false })] });
	/** Creates a record whose dates have the UTC offset of 1 or 2 hours, with its fields in another order for each. */
	const createPerson = (
		index: number,
		utcOffset: 1 | 2,
		overrides: IDataObject = {},
	): IDataObject => {
		const formatHour = (utcHour: number) =>
			`2026-10-20T${toTwoDigits(utcHour + utcOffset)}:00:00${utcOffset === 2 ? '.000+02:00' : '+01:00'}`;
		const fields = {
			Id: `p${index}`,
			CreatedAt: formatHour(5),
			Start: formatHour(9),
			Visits: [{ At: formatHour(12) }],
			Status: 'in',
			CheckIn: formatHour(7),
			...overrides,
		};
		return utcOffset === 2 ? fields : Object.fromEntries(Object.entries(fields).reverse());
	};
	for (let index = 0; index < 20; index++) harness.upsertRecord(createPerson(index, 2));
	await harness.open();
	for (let index = 0; index < 20; index++) harness.upsertRecord(createPerson(index, 1));
	await harness.time.advance(2 * MINUTE);
	expect(harness.startedChanges).toEqual([]);
	harness.upsertRecord(createPerson(3, 1, { Status: 'out' }));
	harness.upsertRecord(createPerson(4, 1, { Start: '2026-10-20T10:30:00+01:00' }));
	await harness.time.advance(2 * MINUTE);
	expect(harness.startedChanges).toEqual(['status p3', 'updated p4']);
	for (let index = 0; index < 20; index++) harness.upsertRecord(createPerson(index, 2));
	await harness.time.advance(2 * MINUTE);
	expect(harness.startedChanges.slice(2)).toEqual(['status p3', 'updated p4']);
});
