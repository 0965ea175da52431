import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, eventTimeOf } from '../../../../nodes/engine/trigger/lists/core';
import type { ChangeSchema, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';
import { stillHolds } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';

const HOUR = 3_600_000;
const FOLLOWED_SINCE = Date.UTC(2026, 10, 15, 12);
const timeAt = (afterMs: number) => new Date(FOLLOWED_SINCE + afterMs).toISOString();
/** Canonical form in which the digest compares times. */
const canonical = (afterMs: number) => `@${(FOLLOWED_SINCE + afterMs) / 1000}Z`;
const timeWithoutZone = (afterMs: number) => timeAt(afterMs).slice(0, -1);

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
const createList = (overrides: Partial<ListDefinition> = {}): ListDefinition => ({
	key: 'k',
	name: 'K',
	isFiltered: true,
	changeSchema,
	identify: ({ Id }) => Id,
	...overrides,
});
const filtered = createList();
const compared = createList({ isFiltered: false });
const keepsAll = createList({ keepsAll: true });

const ALL = new Set(['created', 'checkedIn', 'status', 'updated']);
const laterPoll: PollCircumstances = {
	known: undefined,
	followedSince: FOLLOWED_SINCE,
	isFirstPoll: false,
	areDatesInconclusive: false,
	includeExisting: false,
	intervalMs: 60_000,
	kinds: ALL,
};
type DeriveArguments = [IDataObject, ListDefinition?, Partial<PollCircumstances>?];
const derive = (...[record, definition = filtered, circumstances]: DeriveArguments) =>
	deriveEvents(record, definition, { ...laterPoll, ...circumstances });
const kindsOf = (...args: DeriveArguments) => derive(...args).events.map(({ kind }) => kind);
const stateOf = (record: IDataObject, definition = filtered) =>
	deriveEvents(record, definition, laterPoll).after;

describe('an unknown record', () => {
	const recordOf = (Made: unknown, overrides: object = {}) =>
		({ Made, Stamp: timeAt(0), ...overrides }) as IDataObject;
	const firstPoll = { isFirstPoll: true };
	const updatesOnly = { kinds: new Set(['updated']) };
	const cases: Array<[string, IDataObject, Partial<PollCircumstances>, string[], string[]]> = [
		// title, record, circumstances, events in a filtered list, events in a compared list
		['created at the beginning', recordOf(timeAt(0)), {}, ['created'], ['created']],
		['created before', recordOf(timeAt(-1)), {}, ['updated'], []],
		['created later, in the first poll', recordOf(timeAt(5)), firstPoll, ['created'], ['created']],
		[
			'created before, in the first poll',
			recordOf(timeAt(-1), { Stamp: timeAt(-1) }),
			firstPoll,
			[],
			[],
		],
		['changed later, in the first poll', recordOf(timeAt(-1)), firstPoll, ['updated'], []],
		[
			'created in that second',
			recordOf(timeAt(5)),
			{ isFirstPoll: true, areDatesInconclusive: true },
			[],
			[],
		],
		[
			'created in that second, read later',
			recordOf(timeAt(5)),
			{ areDatesInconclusive: true },
			['created'],
			['created'],
		],
		['no zone, later', recordOf(timeWithoutZone(-10 * HOUR)), {}, ['created'], ['created']],
		['no zone, certainly before', recordOf(timeWithoutZone(-15 * HOUR)), {}, ['updated'], []],
		[
			'no zone, in the first poll',
			recordOf(timeWithoutZone(5), { Stamp: timeAt(-1) }),
			firstPoll,
			[],
			[],
		],
		['no date', recordOf(undefined), {}, ['updated'], ['created']],
		['no date, in the first poll', { Stamp: timeAt(-1) }, firstPoll, [], []],
		['invalid date', recordOf('soon'), {}, ['updated'], ['created']],
		[
			'old, existing included',
			recordOf(timeAt(-HOUR)),
			{ includeExisting: true },
			['created'],
			['created'],
		],
		[
			'old, existing included, only updates selected',
			recordOf(timeAt(-HOUR)),
			{ includeExisting: true, kinds: new Set(['updated']) },
			['updated'],
			['updated'],
		],
		['new, only updates selected', recordOf(timeAt(5)), updatesOnly, [], []],
		[
			'new, changed within an interval, only updates selected',
			recordOf(timeAt(5), { Stamp: timeAt(60_005) }),
			updatesOnly,
			[],
			[],
		],
		[
			'new, changed long after, only updates selected',
			recordOf(timeAt(5), { Stamp: timeAt(60_006) }),
			updatesOnly,
			['updated'],
			[],
		],
		['old, only creations selected', recordOf(timeAt(-1)), { kinds: new Set(['created']) }, [], []],
		[
			'checked in since',
			recordOf(timeAt(-1), { CheckIn: timeAt(1) }),
			{},
			['checkedIn'],
			['checkedIn'],
		],
		['checked in before', recordOf(timeAt(-5), { CheckIn: timeAt(-1) }), {}, ['updated'], []],
		[
			'new and checked in',
			recordOf(timeAt(1), { CheckIn: timeAt(1) }),
			{},
			['created', 'checkedIn'],
			['created', 'checkedIn'],
		],
	];

	test.each(cases)('%s', (_, record, circumstances, inFiltered, inCompared) => {
		expect(kindsOf(record, filtered, circumstances)).toEqual(inFiltered);
		expect(kindsOf(record, compared, circumstances)).toEqual(inCompared);
	});

	test('has not changed if the list keeps the state of all records', () => {
		expect(kindsOf(recordOf(timeAt(-1)), keepsAll)).toEqual([]);
	});

	test('has the date of the second field if the first is empty', () => {
		expect(kindsOf({ Made: '', Added: timeAt(1) }, filtered)).toEqual(['created']);
	});

	test('is undated if a filtered list does not return its creation date', () => {
		const undatedFieldsOf = (...args: DeriveArguments) => derive(...args).undated;
		expect(undatedFieldsOf({ Id: 1 })).toEqual(['Made', 'Added']);
		expect(undatedFieldsOf({ Made: 'soon' })).toEqual(['Made', 'Added']);
		expect(undatedFieldsOf({ Made: timeAt(-1) })).toBeUndefined();
		expect(undatedFieldsOf({ Id: 1 }, compared)).toBeUndefined();
		expect(undatedFieldsOf({ Id: 1 }, filtered, { known: stateOf({ Id: 1 }) })).toBeUndefined();
		expect(
			undatedFieldsOf({ Id: 1 }, createList({ changeSchema: { oneTimeEvents: [] } })),
		).toBeUndefined();
	});
});

describe('a known record', () => {
	const previousRecord = {
		Made: timeAt(-HOUR),
		Status: 'pending',
		Name: 'A',
		Stamp: timeAt(-HOUR),
	};
	const known = stateOf(previousRecord);
	const cases: Array<[string, object, string[], string[]]> = [
		// title, changed fields, events, events if the user did not select status changes
		['is unchanged', {}, [], []],
		['has another ignored count', { Count: 5 }, [], []],
		['has another name', { Name: 'B' }, ['updated'], ['updated']],
		['has another status', { Status: 'confirmed' }, ['status'], ['updated']],
		['no longer has a status', { Status: undefined }, ['status'], ['updated']],
		['was checked in, even long ago', { CheckIn: timeAt(-2 * HOUR) }, ['checkedIn'], ['checkedIn']],
		[
			'was checked in and has another status',
			{ CheckIn: timeAt(1), Status: 'confirmed' },
			['checkedIn', 'status'],
			['checkedIn'],
		],
		['has a later creation date', { Made: timeAt(5) }, ['updated'], ['updated']],
	];

	test.each(cases)('%s', (_, change, kinds, kindsWithoutStatus) => {
		const record = { ...previousRecord, ...change };
		for (const definition of [filtered, compared, keepsAll]) {
			expect(kindsOf(record, definition, { known })).toEqual(kinds);
			const otherKinds = new Set(['created', 'checkedIn', 'updated']);
			expect(kindsOf(record, definition, { known, kinds: otherKinds })).toEqual(kindsWithoutStatus);
		}
	});

	test('checks out and in again', () => {
		const checkedIn = { ...previousRecord, CheckIn: timeAt(1) };
		const checkedOut = deriveEvents(previousRecord, filtered, {
			...laterPoll,
			known: stateOf(checkedIn),
		});
		expect(checkedOut.events.map(({ kind }) => kind)).toEqual(['updated']);
		expect(
			kindsOf({ ...checkedIn, CheckIn: timeAt(9) }, filtered, { known: checkedOut.after }),
		).toEqual(['checkedIn']);
		expect(kindsOf(checkedIn, filtered, { known: stateOf(checkedIn) })).toEqual([]);
	});
});

describe('the version of an event', () => {
	const versionsOf = (...args: DeriveArguments) =>
		derive(...args).events.map(({ version }) => version);

	test('is empty for a creation, and the date of a check-in', () => {
		expect(versionsOf({ Made: timeAt(1), CheckIn: timeAt(2) }, filtered)).toEqual([
			[],
			[canonical(2)],
		]);
	});

	test('is the digest and the stamp of a change with a stamp', () => {
		const { content } = stateOf({ Made: timeAt(-1), Stamp: timeAt(3) });
		expect(versionsOf({ Made: timeAt(-1), Stamp: timeAt(3) }, filtered)).toEqual([
			[content, canonical(3)],
		]);
	});

	test('is the digest and the chain of earlier starts of a change without a stamp', () => {
		const known = { ...stateOf({ Name: 'A', Status: 'x' }, compared), chain: 'chained1' };
		const renamed = stateOf({ Name: 'B', Status: 'x' }, compared);
		expect(versionsOf({ Name: 'B', Status: 'x' }, compared, { known })).toEqual([
			['chained1', renamed.content],
		]);
		const withOtherStatus = stateOf({ Name: 'A', Status: 'y' }, compared);
		expect(versionsOf({ Name: 'A', Status: 'y' }, keepsAll, { known })).toEqual([
			['chained1', withOtherStatus.status],
		]);
		expect(deriveEvents({ Name: 'B' }, compared, { ...laterPoll, known }).after.chain).toBe(
			'chained1',
		);
	});
});

describe('the state of a record', () => {
	test('must be kept if it would count as new, and always in a list that is not filtered', () => {
		const isKept = (...args: DeriveArguments) => derive(...args).after.isKept;
		expect(isKept({ Made: timeAt(0) })).toBe(true);
		expect(isKept({ Made: timeAt(-1) })).toBe(false);
		expect(isKept({ Made: timeAt(-1), CheckIn: timeAt(0) })).toBe(true);
		expect(isKept({ Made: timeWithoutZone(-13 * HOUR) })).toBe(true);
		expect(isKept({ Made: timeAt(-1) }, compared)).toBe(true);
		expect(isKept({ Made: timeAt(-1) }, keepsAll)).toBe(true);
		expect(isKept({ Made: timeAt(-1) }, filtered, { known: stateOf({ Made: timeAt(0) }) })).toBe(
			true,
		);
	});
});

test('stillHolds accepts a requested event as long as the record shows it', () => {
	const previousState = stateOf({ Made: timeAt(0), CheckIn: timeAt(1), Status: 'x', Name: 'A' });
	const eventHolds = (
		record: IDataObject,
		kind: string,
		known: typeof previousState | undefined = previousState,
	) => stillHolds(kind, filtered, known, stateOf({ Made: timeAt(0), ...record }));
	expect(eventHolds({}, 'created')).toBe(true);
	expect(eventHolds({}, 'checkedIn')).toBe(false);
	expect(eventHolds({ CheckIn: timeAt(7) }, 'checkedIn')).toBe(true);
	expect(eventHolds({ Status: 'x' }, 'status')).toBe(true);
	expect(eventHolds({ Status: 'y' }, 'status')).toBe(false);
	expect(eventHolds({ CheckIn: timeAt(1), Status: 'x', Name: 'A' }, 'updated')).toBe(true);
	expect(eventHolds({ CheckIn: timeAt(1), Status: 'x', Name: 'B' }, 'updated')).toBe(false);
	expect(stillHolds('updated', filtered, undefined, previousState)).toBe(true);
});

test('eventTimeOf returns the date of the event, or else the latest date of the record', () => {
	const record = { Made: timeAt(1), CheckIn: timeAt(2), Stamp: timeAt(3) };
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
