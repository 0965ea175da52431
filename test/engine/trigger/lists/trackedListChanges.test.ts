import type { IDataObject } from 'n8n-workflow';

import type { FollowOptions, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { startKeyOf } from '../../../../nodes/engine/trigger/lists/core/digest';
import type { SavedStart } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { TrackedList } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
const followed = { key: 'people', cursor: NOON, followedSince: NOON, known: [] };

interface Given {
	definition?: ListDefinition;
	from?: ReturnType<TrackedList<ListDefinition>['toSaved']>;
	starts?: SavedStart[];
	options?: Partial<FollowOptions>;
}
const track = ({ definition = compared, from = followed, starts, options }: Given = {}) => {
	const kinds = new Set(['created', 'updated', 'status', 'checkedIn']);
	return new TrackedList(
		definition,
		{ ...FOLLOW_DEFAULTS, kinds, startKeyPrefix: 'w:n', ...options },
		from,
		starts,
	);
};
const page = { now: NOON + MINUTE, at: 0, isFurtherPass: false };
const read = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	tracked.processRecord(record, page, () => undefined);
const kindsOf = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	read(tracked, record).wantedChanges.map(({ change }) => change.kind);
const requestAll = (tracked: TrackedList<ListDefinition>, record: IDataObject) => {
	const { wantedChanges } = read(tracked, record);
	for (const { markRequested } of wantedChanges) markRequested();
	return wantedChanges.map(({ key }) => key);
};
/** Changes that another process finds in a record after it restores the state saved now. */
const kindsAfterRestart = (
	tracked: TrackedList<ListDefinition>,
	record: IDataObject,
	definition = compared,
) => kindsOf(track({ definition, from: tracked.toSaved() }), record);
const fresh = { Id: 'a', CreatedAt: formatTime(1) };

describe('records are processed', () => {
	test('one at least, and until the turn is over or the page ends', () => {
		const records = ['a', 'b', 'c', 'd'].map((Id) => ({ ...fresh, Id }));
		const some = (from: number, most: number) => {
			let asked = 0;
			const isOver = () => ++asked >= most;
			return track()
				.processSome(records, from, page, () => undefined, isOver)
				.map(({ wantedChanges }) => wantedChanges[0]!.change.id);
		};
		expect(some(0, 1)).toEqual(['a']);
		expect(some(1, 2)).toEqual(['b', 'c']);
		expect(some(1, 9)).toEqual(['b', 'c', 'd']);
		expect(some(3, 9)).toEqual(['d']);
	});

	test.each([undefined, null, true, { a: 1 }])('not without an ID: %p', (Id) => {
		const tracked = track();
		const processed = read(tracked, { ...fresh, Id: Id });
		expect(processed).toEqual({ repeated: [], wantedChanges: [], isChanged: false });
		expect(tracked.size).toBe(0);
	});

	test('with a number as an ID, too', () => {
		expect(read(track(), { ...fresh, Id: 7 }).wantedChanges[0]!.change.id).toBe('7');
	});

	test('with a change in their contents, or as changed if they are unknown', () => {
		const tracked = track();
		expect(read(tracked, { Id: 'a', Name: 'A' }).isChanged).toBe(true);
		expect(read(tracked, { Id: 'a', Name: 'A' }).isChanged).toBe(false);
		expect(read(tracked, { Id: 'a', Name: 'B' }).isChanged).toBe(true);
	});

	test('and fields without a date that would decide are passed on', () => {
		const undated: Array<readonly string[]> = [];
		const tracked = track({ definition: createList() });
		tracked.processRecord({ Id: 'a' }, page, (fields) => void undated.push(fields));
		tracked.processRecord({ ...fresh, Id: 'b' }, page, (fields) => void undated.push(fields));
		expect(undated).toStrictEqual([['CreatedAt']]);
	});

	test('and known as seen at the latest known time if no answer has a Date header', () => {
		const tracked = track({
			definition: createList(),
			from: { ...followed, cursor: NOON - 2 * HOUR },
		});
		const { wantedChanges } = tracked.processRecord(
			{ Id: 'a', Stamp: formatTime(-HOUR) },
			{ ...page, now: undefined },
			() => undefined,
		);
		wantedChanges[0]!.markRequested();
		expect(tracked.toSaved().known.map(([seenAt]) => seenAt)).toEqual([NOON - HOUR]);
	});

	test('without starts if the filters of the user exclude them, but they become known', () => {
		const definition = createList({ isFiltered: false, matches: ({ Name }) => Name === 'A' });
		const tracked = track({ definition });
		expect(kindsOf(tracked, { ...fresh, Name: 'B' })).toEqual([]);
		expect(tracked.size).toBe(1);
		expect(kindsOf(tracked, { ...fresh, Name: 'A' })).toEqual(['updated']);
	});
});

describe('the state of a record becomes known', () => {
	const both = { ...fresh, CheckIn: formatTime(2) };

	test('event by event, as their starts are requested', () => {
		const tracked = track();
		const { wantedChanges } = read(tracked, both);
		expect(wantedChanges.map(({ change }) => change.kind)).toEqual(['created', 'checkedIn']);
		expect(kindsAfterRestart(tracked, both)).toEqual(['created', 'checkedIn']);
		wantedChanges[0]!.markRequested();
		expect(kindsOf(tracked, both)).toEqual([]);
		expect(kindsAfterRestart(tracked, both)).toEqual(['checkedIn']);
		wantedChanges[1]!.markRequested();
		expect(kindsOf(tracked, both)).toEqual([]);
		expect(kindsAfterRestart(tracked, both)).toEqual([]);
	});

	test('at once if it shows no event, also after an event was requested', () => {
		const options = { kinds: new Set(['created']) };
		const tracked = track({ options });
		requestAll(tracked, fresh);
		expect(read(tracked, { ...fresh, Name: 'A' }).wantedChanges).toEqual([]);
		expect(kindsAfterRestart(tracked, { ...fresh, Name: 'A' })).toEqual([]);
	});

	test('not before an earlier event of it is requested', () => {
		const definition = createList({ isFiltered: false, matches: ({ Name }) => Name !== 'B' });
		const tracked = track({ definition });
		read(tracked, fresh);
		expect(read(tracked, { ...fresh, Name: 'B' }).wantedChanges).toEqual([]);
		expect(tracked.size).toBe(0);
	});

	test('without losing a newer state that was read before the start was requested', () => {
		const tracked = track();
		const { wantedChanges } = read(tracked, fresh);
		const newer = read(tracked, { ...fresh, Name: 'B' }).wantedChanges;
		expect(newer.map(({ change }) => change.kind)).toEqual(['updated']);
		wantedChanges[0]!.markRequested();
		expect(kindsOf(tracked, { ...fresh, Name: 'B' })).toEqual([]);
		expect(kindsAfterRestart(tracked, { ...fresh, Name: 'B' })).toEqual(['updated']);
	});
});

describe('the keys of starts', () => {
	test('differ each time that a record of a compared list changes to and fro', () => {
		const tracked = track();
		requestAll(tracked, { ...fresh, Name: 'A' });
		const keys = ['B', 'A', 'B', 'A'].flatMap((Name) => requestAll(tracked, { ...fresh, Name }));
		expect(new Set(keys).size).toBe(4);
	});

	test.each([
		['ten characters of a filtered list, whose stamps make keys differ', createList(), fresh, 10],
		[
			'ten characters of a compared list before the first reported change',
			compared,
			{ CreatedAt: formatTime(-HOUR * 9) },
			10,
		],
		['eighteen characters of a compared list after it', compared, fresh, 18],
	])('need a saved state of %s', (_, definition, record, length) => {
		const tracked = track({ definition });
		requestAll(tracked, { ...record, Id: 'a' });
		expect(tracked.toSaved().known[0]![1]).toHaveLength('a:'.length + length);
	});
});

describe('a start from before the last restart, whose record is read again', () => {
	const start = (key: string, kind: string): SavedStart => ({
		key,
		changes: [['people', kind, 'a']],
		requestedAt: NOON,
	});
	const record = { ...fresh, Name: 'A', Status: 'x' };
	const restored = (starts: SavedStart[], definition = compared) => {
		const before = track();
		requestAll(before, record);
		return track({ definition, from: before.toSaved(), starts });
	};
	const repeated = (starts: SavedStart[], now: IDataObject, of = compared) =>
		read(restored(starts, of), now).repeated.map(({ key, wantedChange: wanted }) => [
			key,
			wanted?.change.kind,
		]);

	test('is repeated once, as long as the record shows its change', () => {
		expect(repeated([start('k', 'updated')], record)).toEqual([['k', 'updated']]);
		expect(repeated([start('k', 'updated')], { ...record, Name: 'B' })).toEqual([['k', undefined]]);
		const tracked = restored([start('k', 'updated')]);
		expect(read(tracked, record).repeated).toHaveLength(1);
		expect(read(tracked, record).repeated).toHaveLength(0);
	});

	test('is no longer wanted if a later start of the same kind follows', () => {
		const starts = [start('k', 'status'), start('l', 'updated'), start('m', 'status')];
		expect(repeated(starts, record)).toEqual([
			['k', undefined],
			['l', 'updated'],
			['m', 'status'],
		]);
	});

	test('is no longer wanted if the filters of the user exclude the record now', () => {
		const of = createList({ isFiltered: false, matches: () => false });
		expect(repeated([start('k', 'updated')], record, of)).toEqual([['k', undefined]]);
	});

	test('is not repeated beside a present event with the same key', () => {
		const key = startKeyOf('w:n', 'people', 'created', 'a');
		const { repeated: again, wantedChanges } = read(
			track({ starts: [start(key, 'created')] }),
			fresh,
		);
		expect(again).toEqual([]);
		expect(wantedChanges.map((one) => one.key)).toEqual([key]);
	});
});

describe('the saved cursor', () => {
	test('does not pass a change whose start is not confirmed', () => {
		const tracked = track({ definition: createList() });
		tracked.beginPoll(NOON, 0);
		const { wantedChanges } = read(tracked, { ...fresh, Stamp: formatTime(30_000) });
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		tracked.completePoll(NOON + MINUTE);
		expect(tracked.toSaved().cursor).toBe(NOON);
		wantedChanges[0]!.markRequested();
		expect(tracked.toSaved().cursor).toBe(NOON);
		wantedChanges[0]!.markConfirmed();
		expect(tracked.toSaved().cursor).toBe(NOON + 30_000);
	});

	test('repeats the first poll as long as one of its changes is not confirmed', () => {
		const tracked = track({ definition: createList(), from: { ...followed, cursor: undefined } });
		tracked.beginPoll(NOON, 0);
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		const { wantedChanges } = read(tracked, { ...fresh, Stamp: formatTime(1) });
		tracked.completePoll(NOON + MINUTE);
		expect(tracked.toSaved().cursor).toBe(NOON - 28 * HOUR);
		wantedChanges[0]!.markConfirmed();
		expect(tracked.toSaved().cursor).toBe(NOON + 1);
	});
});
