import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, eventTimeOf } from '../../../../nodes/engine/trigger/lists/core';
import type { ChangeSchema, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';
import { stillHolds } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';

const HOUR = 3_600_000;
const FOLLOWED_SINCE = Date.UTC(2026, 10, 15, 12);
const at = (afterMs: number) => new Date(FOLLOWED_SINCE + afterMs).toISOString();
/** The spelling by which moments are compared. */
const moment = (afterMs: number) => `@${(FOLLOWED_SINCE + afterMs) / 1000}Z`;
const zoneless = (afterMs: number) => at(afterMs).slice(0, -1);

const changeSchema: ChangeSchema = {
	oneTimeEvents: [
		{ kind: 'created', dateFields: ['Made', 'Added'], isCreation: true },
		{ kind: 'checkedIn', dateFields: ['CheckIn'] },
	],
	status: { kind: 'status', field: 'Status' },
	updated: 'updated',
	ignored: ['Count'],
	stamp: 'Stamp',
};
const source = (over: Partial<ListDefinition> = {}): ListDefinition => ({
	key: 'k',
	name: 'K',
	isFiltered: true,
	changeSchema,
	identify: ({ Id }) => Id,
	...over,
});
const filtered = source();
const whole = source({ isFiltered: false });
const keepsAll = source({ keepsAll: true });

const ALL = new Set(['created', 'checkedIn', 'status', 'updated']);
const later: PollCircumstances = {
	known: undefined,
	followedSince: FOLLOWED_SINCE,
	isFirstPoll: false,
	areDatesInconclusive: false,
	includeExisting: false,
	intervalMs: 60_000,
	kinds: ALL,
};
const kindsOf = (
	record: IDataObject,
	definition: ListDefinition,
	circumstances: Partial<PollCircumstances> = {},
) =>
	deriveEvents(record, definition, { ...later, ...circumstances }).events.map(({ kind }) => kind);
const after = (record: IDataObject, definition = filtered) =>
	deriveEvents(record, definition, later).after;

describe('an unknown record', () => {
	const made = (Made: unknown, over: object = {}) =>
		({ Made, Stamp: at(0), ...over }) as IDataObject;
	const cases: Array<[string, IDataObject, Partial<PollCircumstances>, string[], string[]]> = [
		// what, the record, the circumstances, what it is in a filtered list and in one that is compared
		['made at the beginning', made(at(0)), {}, ['created'], ['created']],
		['made before', made(at(-1)), {}, ['updated'], []],
		['made later, in the first poll', made(at(5)), { isFirstPoll: true }, ['created'], ['created']],
		[
			'made before, in the first poll',
			made(at(-1), { Stamp: at(-1) }),
			{ isFirstPoll: true },
			[],
			[],
		],
		['changed later, in the first poll', made(at(-1)), { isFirstPoll: true }, ['updated'], []],
		[
			'made in the very second',
			made(at(5)),
			{ isFirstPoll: true, areDatesInconclusive: true },
			[],
			[],
		],
		[
			'made in that second, seen later',
			made(at(5)),
			{ areDatesInconclusive: true },
			['created'],
			['created'],
		],
		['no zone, later', made(zoneless(-10 * HOUR)), {}, ['created'], ['created']],
		['no zone, surely before', made(zoneless(-15 * HOUR)), {}, ['updated'], []],
		[
			'no zone, in the first poll',
			made(zoneless(5), { Stamp: at(-1) }),
			{ isFirstPoll: true },
			[],
			[],
		],
		['no date', made(undefined), {}, ['updated'], ['created']],
		['no date, in the first poll', { Stamp: at(-1) }, { isFirstPoll: true }, [], []],
		['no readable date', made('soon'), {}, ['updated'], ['created']],
		[
			'old, but all is wanted',
			made(at(-HOUR)),
			{ includeExisting: true },
			['created'],
			['created'],
		],
		[
			'old, all is wanted, but no new ones',
			made(at(-HOUR)),
			{ includeExisting: true, kinds: new Set(['updated']) },
			['updated'],
			['updated'],
		],
		['new, but new ones are not wanted', made(at(5)), { kinds: new Set(['updated']) }, [], []],
		[
			'new, changed within an interval, and new ones are not wanted',
			made(at(5), { Stamp: at(60_005) }),
			{ kinds: new Set(['updated']) },
			[],
			[],
		],
		[
			'new, changed long after, and new ones are not wanted',
			made(at(5), { Stamp: at(60_006) }),
			{ kinds: new Set(['updated']) },
			['updated'],
			[],
		],
		['old, and changes are not wanted', made(at(-1)), { kinds: new Set(['created']) }, [], []],
		['checked in since', made(at(-1), { CheckIn: at(1) }), {}, ['checkedIn'], ['checkedIn']],
		['checked in before', made(at(-5), { CheckIn: at(-1) }), {}, ['updated'], []],
		[
			'new and checked in',
			made(at(1), { CheckIn: at(1) }),
			{},
			['created', 'checkedIn'],
			['created', 'checkedIn'],
		],
	];

	test.each(cases)('%s', (_, record, circumstances, inFiltered, inCompared) => {
		expect(kindsOf(record, filtered, circumstances)).toEqual(inFiltered);
		expect(kindsOf(record, whole, circumstances)).toEqual(inCompared);
	});

	test('has not changed if the list keeps the state of all records', () => {
		expect(kindsOf(made(at(-1)), keepsAll)).toEqual([]);
	});

	test('has the date of the second field if the first is empty', () => {
		expect(kindsOf({ Made: '', Added: at(1) }, filtered)).toEqual(['created']);
	});

	test('is undated if a filtered list does not return its creation date', () => {
		const undated = (
			record: IDataObject,
			definition = filtered,
			circumstances: Partial<PollCircumstances> = {},
		) => deriveEvents(record, definition, { ...later, ...circumstances }).undated;
		expect(undated({ Id: 1 })).toEqual(['Made', 'Added']);
		expect(undated({ Made: 'soon' })).toEqual(['Made', 'Added']);
		expect(undated({ Made: at(-1) })).toBeUndefined();
		expect(undated({ Id: 1 }, whole)).toBeUndefined();
		expect(undated({ Id: 1 }, filtered, { known: after({ Id: 1 }) })).toBeUndefined();
		expect(undated({ Id: 1 }, source({ changeSchema: { oneTimeEvents: [] } }))).toBeUndefined();
	});
});

describe('a known record', () => {
	const before = { Made: at(-HOUR), Status: 'pending', Name: 'A', Stamp: at(-HOUR) };
	const known = after(before);
	const cases: Array<[string, object, string[], string[]]> = [
		// what, what has changed, what it is, and what it is where changes of the status are not wanted
		['is as it was', {}, [], []],
		['only counts more', { Count: 5 }, [], []],
		['has another name', { Name: 'B' }, ['updated'], ['updated']],
		['has another status', { Status: 'confirmed' }, ['status'], ['updated']],
		['no longer has a status', { Status: undefined }, ['status'], ['updated']],
		['was checked in, even long ago', { CheckIn: at(-2 * HOUR) }, ['checkedIn'], ['checkedIn']],
		[
			'was checked in and has another status',
			{ CheckIn: at(1), Status: 'confirmed' },
			['checkedIn', 'status'],
			['checkedIn'],
		],
		['says that it was made later', { Made: at(5) }, ['updated'], ['updated']],
	];

	test.each(cases)('%s', (_, change, kinds, without) => {
		const record = { ...before, ...change };
		for (const definition of [filtered, whole, keepsAll]) {
			expect(kindsOf(record, definition, { known })).toEqual(kinds);
			const others = new Set(['created', 'checkedIn', 'updated']);
			expect(kindsOf(record, definition, { known, kinds: others })).toEqual(without);
		}
	});

	test('checks out and in again', () => {
		const inside = { ...before, CheckIn: at(1) };
		const outside = deriveEvents(before, filtered, { ...later, known: after(inside) });
		expect(outside.events.map(({ kind }) => kind)).toEqual(['updated']);
		expect(kindsOf({ ...inside, CheckIn: at(9) }, filtered, { known: outside.after })).toEqual([
			'checkedIn',
		]);
		expect(kindsOf(inside, filtered, { known: after(inside) })).toEqual([]);
	});
});

describe('the version of an event', () => {
	const versionsOf = (
		record: IDataObject,
		definition: ListDefinition,
		circumstances: Partial<PollCircumstances> = {},
	) =>
		deriveEvents(record, definition, { ...later, ...circumstances }).events.map(
			({ version }) => version,
		);

	test('is empty for a creation, and the date of a check-in', () => {
		expect(versionsOf({ Made: at(1), CheckIn: at(2) }, filtered)).toEqual([[], [moment(2)]]);
	});

	test('is the digest and the stamp of a change with a stamp', () => {
		const { content } = after({ Made: at(-1), Stamp: at(3) });
		expect(versionsOf({ Made: at(-1), Stamp: at(3) }, filtered)).toEqual([[content, moment(3)]]);
	});

	test('is the digest and the chain of earlier starts of a change without a stamp', () => {
		const known = { ...after({ Name: 'A', Status: 'x' }, whole), chain: 'chained1' };
		const now = after({ Name: 'B', Status: 'x' }, whole);
		expect(versionsOf({ Name: 'B', Status: 'x' }, whole, { known })).toEqual([
			['chained1', now.content],
		]);
		const other = after({ Name: 'A', Status: 'y' }, whole);
		expect(versionsOf({ Name: 'A', Status: 'y' }, keepsAll, { known })).toEqual([
			['chained1', other.status],
		]);
		expect(deriveEvents({ Name: 'B' }, whole, { ...later, known }).after.chain).toBe('chained1');
	});
});

describe('the state of a record', () => {
	test('must be kept if it would count as new, and always in a list that is not filtered', () => {
		const isKept = (
			record: IDataObject,
			definition = filtered,
			circumstances: Partial<PollCircumstances> = {},
		) => deriveEvents(record, definition, { ...later, ...circumstances }).after.isKept;
		expect(isKept({ Made: at(0) })).toBe(true);
		expect(isKept({ Made: at(-1) })).toBe(false);
		expect(isKept({ Made: at(-1), CheckIn: at(0) })).toBe(true);
		expect(isKept({ Made: zoneless(-13 * HOUR) })).toBe(true);
		expect(isKept({ Made: at(-1) }, whole)).toBe(true);
		expect(isKept({ Made: at(-1) }, keepsAll)).toBe(true);
		expect(isKept({ Made: at(-1) }, filtered, { known: after({ Made: at(0) }) })).toBe(true);
	});
});

test('stillHolds accepts a requested event as long as the record shows it', () => {
	const was = after({ Made: at(0), CheckIn: at(1), Status: 'x', Name: 'A' });
	const as = (record: IDataObject, kind: string, known: typeof was | undefined = was) =>
		stillHolds(kind, filtered, known, after({ Made: at(0), ...record }));
	expect(as({}, 'created')).toBe(true);
	expect(as({}, 'checkedIn')).toBe(false);
	expect(as({ CheckIn: at(7) }, 'checkedIn')).toBe(true);
	expect(as({ Status: 'x' }, 'status')).toBe(true);
	expect(as({ Status: 'y' }, 'status')).toBe(false);
	expect(as({ CheckIn: at(1), Status: 'x', Name: 'A' }, 'updated')).toBe(true);
	expect(as({ CheckIn: at(1), Status: 'x', Name: 'B' }, 'updated')).toBe(false);
	expect(stillHolds('updated', filtered, undefined, was)).toBe(true);
});

test('eventTimeOf returns the date of the event, or else the latest date of the record', () => {
	const record = { Made: at(1), CheckIn: at(2), Stamp: at(3) };
	expect(eventTimeOf(record, changeSchema, 'created')).toBe(FOLLOWED_SINCE + 1);
	expect(eventTimeOf(record, changeSchema, 'checkedIn')).toBe(FOLLOWED_SINCE + 2);
	expect(eventTimeOf(record, changeSchema, 'updated')).toBe(FOLLOWED_SINCE + 3);
	expect(eventTimeOf({ ...record, Stamp: 'soon' }, changeSchema, 'updated')).toBe(
		FOLLOWED_SINCE + 2,
	);
	expect(eventTimeOf(record, { oneTimeEvents: changeSchema.oneTimeEvents }, 'updated')).toBe(
		FOLLOWED_SINCE + 2,
	);
	expect(eventTimeOf({}, changeSchema, 'updated')).toBe(-Infinity);
});
