// Protects the events that are read from a record: list triggers start for what is new or changed, and not for what is old.
import type { IDataObject } from 'n8n-workflow';

import { deriveEvents } from '../../../../nodes/engine/trigger/lists/core';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/recordAge';
import {
	HOUR,
	formatTime,
	formatWithoutZone,
	createList,
	filtered,
	compared,
	keepsAll,
	laterPoll,
	derive,
	deriveKinds,
	deriveState,
} from './derivedEventSamples';
import type { DeriveArguments } from './derivedEventSamples';

describe('an unknown record', () => {
	const createRecord = (Made: unknown, overrides: object = {}) =>
		({ Made, Stamp: formatTime(0), ...overrides }) as IDataObject;
	const firstPoll = { isFirstPoll: true };
	const updatesOnly = { kinds: new Set(['updated']) };
	const cases: Array<[string, IDataObject, Partial<PollCircumstances>, string[], string[]]> = [
		// Its description, record, circumstances, events in a filtered list, events in a compared list.
		[
			'that was created when following began',
			createRecord(formatTime(0)),
			{},
			['created'],
			['created'],
		],
		['that was created before', createRecord(formatTime(-1)), {}, ['updated'], []],
		[
			'that was created later, in the first poll,',
			createRecord(formatTime(5)),
			firstPoll,
			['created'],
			['created'],
		],
		[
			'that was created before, in the first poll,',
			createRecord(formatTime(-1), { Stamp: formatTime(-1) }),
			firstPoll,
			[],
			[],
		],
		[
			'that was changed later, in the first poll,',
			createRecord(formatTime(-1)),
			firstPoll,
			['updated'],
			[],
		],
		[
			'that was created in the second in which following began, in the first poll,',
			createRecord(formatTime(5)),
			{ isFirstPoll: true, areDatesInconclusive: true },
			[],
			[],
		],
		[
			'that was created in the second in which following began, in a later poll,',
			createRecord(formatTime(5)),
			{ areDatesInconclusive: true },
			['created'],
			['created'],
		],
		[
			'whose creation date without a zone may be later',
			createRecord(formatWithoutZone(-10 * HOUR)),
			{},
			['created'],
			['created'],
		],
		[
			'whose creation date without a zone is certainly before',
			createRecord(formatWithoutZone(-15 * HOUR)),
			{},
			['updated'],
			[],
		],
		[
			'whose creation date has no zone, in the first poll,',
			createRecord(formatWithoutZone(5), { Stamp: formatTime(-1) }),
			firstPoll,
			[],
			[],
		],
		['without a creation date', createRecord(undefined), {}, ['updated'], ['created']],
		['without a creation date, in the first poll,', { Stamp: formatTime(-1) }, firstPoll, [], []],
		['with an invalid creation date', createRecord('soon'), {}, ['updated'], ['created']],
		[
			'that is old, if existing records are included,',
			createRecord(formatTime(-HOUR)),
			{ includeExisting: true },
			['created'],
			['created'],
		],
		[
			'that is old, if existing records are included and only updates are selected,',
			createRecord(formatTime(-HOUR)),
			{ includeExisting: true, kinds: new Set(['updated']) },
			['updated'],
			['updated'],
		],
		[
			'that is new, if only updates are selected,',
			createRecord(formatTime(5)),
			updatesOnly,
			[],
			[],
		],
		[
			'that is new and changed within an interval, if only updates are selected,',
			createRecord(formatTime(5), { Stamp: formatTime(60_005) }),
			updatesOnly,
			[],
			[],
		],
		[
			'that is new and changed after an interval, if only updates are selected,',
			createRecord(formatTime(5), { Stamp: formatTime(60_006) }),
			updatesOnly,
			['updated'],
			[],
		],
		[
			'that is old, if only creations are selected,',
			createRecord(formatTime(-1)),
			{ kinds: new Set(['created']) },
			[],
			[],
		],
		[
			'that was checked in since following began',
			createRecord(formatTime(-1), { CheckIn: formatTime(1) }),
			{},
			['checkedIn'],
			['checkedIn'],
		],
		[
			'that was checked in before',
			createRecord(formatTime(-5), { CheckIn: formatTime(-1) }),
			{},
			['updated'],
			[],
		],
		[
			'that is new and checked in',
			createRecord(formatTime(1), { CheckIn: formatTime(1) }),
			{},
			['created', 'checkedIn'],
			['created', 'checkedIn'],
		],
	];

	const namedCases = cases.map(([description, record, circumstances, inFiltered, inCompared]) => ({
		description,
		record,
		circumstances,
		inFiltered,
		inCompared,
	}));
	test.each(namedCases)(
		'$description has the events $inFiltered, or $inCompared in a compared list',
		({ record, circumstances, inFiltered, inCompared }) => {
			expect(deriveKinds(record, filtered, circumstances)).toEqual(inFiltered);
			expect(deriveKinds(record, compared, circumstances)).toEqual(inCompared);
		},
	);

	test('has no event if it is old and the list keeps the state of all records', () => {
		expect(deriveKinds(createRecord(formatTime(-1)), keepsAll)).toEqual([]);
	});

	test('is new by the date of the second field if the first field is empty', () => {
		expect(deriveKinds({ Made: '', Added: formatTime(1) }, filtered)).toEqual(['created']);
	});

	test('is undated if it has no creation date in a filtered list', () => {
		const findUndatedFields = (...args: DeriveArguments) => derive(...args).undated;
		expect(findUndatedFields({ Id: 1 })).toEqual(['Made', 'Added']);
		expect(findUndatedFields({ Made: 'soon' })).toEqual(['Made', 'Added']);
		expect(findUndatedFields({ Made: formatTime(-1) })).toBeUndefined();
		expect(findUndatedFields({ Id: 1 }, compared)).toBeUndefined();
		expect(
			findUndatedFields({ Id: 1 }, filtered, { known: deriveState({ Id: 1 }) }),
		).toBeUndefined();
		expect(
			findUndatedFields({ Id: 1 }, createList({ changeSchema: { oneTimeEvents: [] } })),
		).toBeUndefined();
	});
});

describe('a known record', () => {
	const previousRecord = {
		Made: formatTime(-HOUR),
		Status: 'pending',
		Name: 'A',
		Stamp: formatTime(-HOUR),
	};
	const known = deriveState(previousRecord);
	const cases: Array<[string, object, string[], string[]]> = [
		// Its description, changed fields, events, events if the user did not select status changes.
		['that is unchanged', {}, [], []],
		['with another value of an ignored field', { Count: 5 }, [], []],
		['with another name', { Name: 'B' }, ['updated'], ['updated']],
		['with another status', { Status: 'confirmed' }, ['status'], ['updated']],
		['without its status', { Status: undefined }, ['status'], ['updated']],
		[
			'that was checked in, even long ago,',
			{ CheckIn: formatTime(-2 * HOUR) },
			['checkedIn'],
			['checkedIn'],
		],
		[
			'that was checked in and has another status',
			{ CheckIn: formatTime(1), Status: 'confirmed' },
			['checkedIn', 'status'],
			['checkedIn'],
		],
		['with a later creation date', { Made: formatTime(5) }, ['updated'], ['updated']],
	];

	const namedCases = cases.map(([description, change, kinds, kindsWithoutStatus]) => ({
		description,
		change,
		kinds,
		kindsWithoutStatus,
	}));
	test.each(namedCases)(
		'$description has the events $kinds',
		({ change, kinds, kindsWithoutStatus }) => {
			const record = { ...previousRecord, ...change };
			for (const definition of [filtered, compared, keepsAll]) {
				expect(deriveKinds(record, definition, { known })).toEqual(kinds);
				const otherKinds = new Set(['created', 'checkedIn', 'updated']);
				expect(deriveKinds(record, definition, { known, kinds: otherKinds })).toEqual(
					kindsWithoutStatus,
				);
			}
		},
	);

	test('is updated when it is checked out, and checked in when it is checked in again', () => {
		const checkedIn = { ...previousRecord, CheckIn: formatTime(1) };
		const checkedOut = deriveEvents(previousRecord, filtered, {
			...laterPoll,
			known: deriveState(checkedIn),
		});
		expect(checkedOut.events.map(({ kind }) => kind)).toEqual(['updated']);
		expect(
			deriveKinds({ ...checkedIn, CheckIn: formatTime(9) }, filtered, { known: checkedOut.after }),
		).toEqual(['checkedIn']);
		expect(deriveKinds(checkedIn, filtered, { known: deriveState(checkedIn) })).toEqual([]);
	});
});
