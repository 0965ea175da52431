import type { IDataObject } from 'n8n-workflow';

import type { ListSnapshot } from '../../../../nodes/engine/trigger/lists/core';
import type { ScriptedRead } from './followerRig';
import { FollowerRig } from './followerRig';
import { createRecord, HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const old = (...ids: string[]) => ids.map((id) => createRecord(id, -HOUR));
const compared = createList({ isFiltered: false });

/** A rig that answers the requests for its list in this order; the last answer is repeated. */
function rigThatReturns(...answers: ScriptedRead[]): FollowerRig {
	const rig = new FollowerRig();
	rig.respondToRead = (_, earlier) => answers[Math.min(earlier, answers.length - 1)]!;
	return rig;
}

describe('a list is read in several passes, since records can move between pages', () => {
	test('until a pass shows no change', async () => {
		const two: ScriptedRead = { pages: [old('a'), old('b')] };
		const rig = await rigThatReturns(two).run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE]);
	});

	test('if any record of any page has changed', async () => {
		const first: ScriptedRead = { pages: [old('a', 'b'), old('c')] };
		const changed: ScriptedRead = { pages: [[...old('a'), createRecord('b', 1)], old('c')] };
		const rig = await rigThatReturns(first, first, changed).run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE, MINUTE]);
		expect(rig.startedChanges).toEqual(['updated b']);
	});

	test('five times at most', async () => {
		const rig = new FollowerRig();
		rig.respondToRead = (_, earlier) => ({ pages: [old(`a${earlier}`), old(`b${earlier}`)] });
		await rig.run();
		expect(rig.readTimesMs.people).toHaveLength(5);
	});

	test('but only once if it has one page', async () => {
		const rig = await rigThatReturns(
			{ pages: [old('a')] },
			{ pages: [[createRecord('a', 1)]] },
		).run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, MINUTE]);
		expect(rig.startedChanges).toEqual(['updated a']);
	});

	test('but a compared list only in the first poll', async () => {
		const first: ScriptedRead = { pages: [old('a'), old('b')] };
		const changed: ScriptedRead = { pages: [[{ ...old('a')[0], Name: 'A' }], old('b')] };
		const rig = rigThatReturns(first, first, changed);
		rig.lists = [compared];
		await rig.run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE]);
		expect(rig.startedChanges).toEqual(['updated a']);
	});

	test('and a compared list also if it has the record of a start that is repeated', async () => {
		const pages = [old('x', 'a'), old('b')];
		const before = rigThatReturns({ pages });
		before.lists = [compared];
		await before.run();
		const saved: ListSnapshot = {
			...before.follower.snapshot(),
			pendingStarts: [{ key: 'k', changes: [['people', 'updated', 'a']], requestedAt: NOON }],
		};
		const rig = rigThatReturns({ pages });
		rig.lists = [compared];
		await rig.run(MINUTE, { repeatStartsForMs: Infinity }, saved);
		expect(rig.startedChanges).toEqual(['updated a']);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE]);
	});

	test('and the first page of the first pass sets the time of the poll', async () => {
		const zoneless = (Id: string) => ({ Id, Stamp: formatTime(-HOUR).slice(0, -1) });
		const rig = rigThatReturns({ pages: [[zoneless('a')], [zoneless('b')]] });
		rig.pageMs = 5000;
		await rig.run(20_000);
		expect(rig.readTimesMs.people).toEqual([0, 10_000]);
		expect(rig.savedListState().cursor).toBe(NOON + 5000);
	});
});

describe('a page is processed in turns', () => {
	/**
	 * Reads a page of this many records, each of which takes a millisecond. Returns the numbers of records after which it slept.
	 */
	const pausesOf = async (count: number, msPerRecord = 1) => {
		const rig = rigThatReturns({ pages: [Array.from({ length: count }, (_, Id) => ({ Id }))] });
		let processed = 0;
		const pauses: Array<[processed: number, ms: number]> = [];
		rig.lists = [
			createList({
				identify: ({ Id }) => {
					rig.time.nowMs += msPerRecord;
					processed++;
					return Id;
				},
			}),
		];
		const { sleep } = rig.time;
		Object.assign(rig.time, {
			sleep: async (ms: number, signal: AbortSignal) => {
				if (processed < count) pauses.push([processed, ms]);
				return await sleep(ms, signal);
			},
		});
		await rig.run(1000);
		expect(processed).toBe(count);
		return pauses;
	};

	test('of ten milliseconds each', async () => {
		expect(await pausesOf(31)).toEqual([
			[10, 0],
			[20, 0],
			[30, 0],
		]);
		expect(await pausesOf(10)).toEqual([]);
		expect(await pausesOf(3, 20)).toEqual([
			[1, 0],
			[2, 0],
		]);
	});

	test('the first of which begins after a pause if the page has more than 500 records', async () => {
		expect(await pausesOf(500, 0)).toEqual([]);
		expect(await pausesOf(501, 0)).toEqual([[0, 0]]);
	});

	test('and no further once the signal aborts', async () => {
		const rig = rigThatReturns({ pages: [old('a', 'b', 'c')] });
		const processed: unknown[] = [];
		const identify = ({ Id }: IDataObject) => {
			processed.push(Id);
			rig.time.nowMs += 20;
			rig.abort.abort(new Error('stopped'));
			return Id;
		};
		rig.lists = [createList({ identify })];
		await rig.run();
		expect(processed).toEqual(['a']);
	});
});

describe('a compared list with more records than state can be kept of', () => {
	const tooMany = (key: string) => ({ kind: 'tooManyRecords', list: key, maxRecords: 3 });
	const numbered = (count: number) => Array.from({ length: count }, (_, Id) => ({ Id }));
	/** Polls compared lists once a minute; `counts` has the number of records in each round. */
	const follow = async (counts: Record<string, number[]>, ms: number) => {
		const rig = new FollowerRig();
		rig.lists = Object.keys(counts).map((key) => createList({ key, isFiltered: false }));
		rig.respondToRead = (key) => ({
			pages: [numbered(counts[key]![rig.discoveryTimesMs.length - 1]!)],
		});
		await rig.run(ms, { maxKnown: 3 });
		return rig;
	};

	test('is reported once, and polled less and less often, but the follower does not slow down', async () => {
		const rig = await follow({ a: [4, 4, 4, 4] }, 3 * MINUTE);
		expect(rig.reports).toEqual([tooMany('a')]);
		expect(rig.readTimesMs.a).toEqual([0, MINUTE, 3 * MINUTE]);
		expect(rig.discoveryTimesMs).toHaveLength(4);
		expect(rig.savedListState('a')).toMatchObject({
			known: [],
			failureReported: true,
			reported: ['tooManyRecords'],
		});
	});

	test('is one with more than the limit on all pages together, and not one that reaches it', async () => {
		const rig = rigThatReturns({ pages: [numbered(2), [{ Id: 'x' }, { Id: 'y' }]] });
		rig.lists = [compared];
		await rig.run(0, { maxKnown: 3 });
		expect(rig.reports).toEqual([tooMany('people')]);
		expect((await follow({ a: [3, 3, 3] }, 2 * MINUTE)).reports).toEqual([]);
	});

	test('is one with too many records together with those of the other lists', async () => {
		const rig = await follow({ a: [1, 1], b: [1, 1], c: [1, 2] }, MINUTE);
		expect(rig.reports).toEqual([tooMany('c')]);
	});

	test('does not use up the limit of the other lists', async () => {
		const rig = await follow({ a: [2, 4], b: [1, 3] }, MINUTE);
		expect(rig.reports).toEqual([tooMany('a')]);
		expect(rig.startedChanges).toEqual(['created 1', 'created 2']);
	});

	test('is reported again after it was read to its end', async () => {
		const rig = await follow({ a: [4, 3, 4] }, 2 * MINUTE);
		expect(rig.reports).toEqual([tooMany('a'), tooMany('a')]);
	});

	test('is no filtered list, of which only recent records are kept', async () => {
		const rig = await rigThatReturns({ pages: [numbered(4)] }).run(0, {
			maxKnown: 3,
			kinds: new Set(),
		});
		expect(rig.reports).toEqual([]);
	});
});

describe('a problem of a list is reported once', () => {
	test('that it may be incomplete', async () => {
		const rig = await rigThatReturns({ pages: [[]], warning: 'Only 100 pages' }).run(MINUTE);
		expect(rig.reports).toEqual([
			{ kind: 'incomplete', list: 'people', message: 'Only 100 pages' },
		]);
		expect(rig.savedListState().reported).toEqual(['incomplete']);
	});

	test('that records have no date, if the user selected new ones', async () => {
		const pages = [[{ Id: 'a', Stamp: formatTime(-HOUR) }, { Id: 'b' }]];
		const rig = await rigThatReturns({ pages }).run(MINUTE);
		expect(rig.reports).toEqual([{ kind: 'undated', list: 'people', fields: ['CreatedAt'] }]);
		const other = await rigThatReturns({ pages }).run(MINUTE, { kinds: new Set(['updated']) });
		expect(other.reports).toEqual([]);
	});

	test('that changes appear later than their stamps say', async () => {
		const late = (Id: string) => createRecord(Id, -5 * MINUTE);
		const rig = await rigThatReturns(
			{ pages: [[]] },
			{ pages: [[late('a')]] },
			{ pages: [[late('b')]] },
		).run(2 * MINUTE);
		expect(rig.reports).toEqual([{ kind: 'lateChange', list: 'people', byMs: 5 * MINUTE }]);
	});
});

describe('the time from which a new list counts', () => {
	test('is the first answer with a Date header, from the first record on', async () => {
		const rig = rigThatReturns({ pages: [old('a')] });
		rig.discoverLists = async () => ({ lists: rig.lists });
		await rig.run();
		expect(rig.startedChanges).toEqual([]);
		expect(rig.savedListState().followedSince).toBe(NOON);
	});

	test('is the newest stamp of the first poll if no answer has a Date header', async () => {
		const rig = rigThatReturns({
			pages: [[createRecord('a', -HOUR), createRecord('b', -2 * HOUR)]],
		});
		rig.dateHeader = () => undefined;
		await rig.run();
		expect(rig.savedListState().followedSince).toBe(NOON - HOUR);
	});

	/** Discovers a list in the third round; each discovery takes a second. */
	const added = async (over: { discoveredAs?: string }, hasDate: boolean) => {
		const rig = new FollowerRig();
		rig.discoverLists = async () => {
			await rig.time.sleep(1000);
			const lists =
				rig.discoveryTimesMs.length < 3
					? [createList()]
					: [createList(), createList({ key: 'new', ...over })];
			return {
				lists,
				date: hasDate || rig.discoveryTimesMs.length === 1 ? NOON + rig.time.nowMs : undefined,
			};
		};
		await rig.run(2 * MINUTE + 1000);
		return rig;
	};

	test('is the answer to the discovery, or the time at which it was requested', async () => {
		const selected = await added({}, true);
		expect(selected.savedListState('people').followedSince).toBe(NOON + 1000);
		expect(selected.savedListState('new').followedSince).toBe(NOON + 2 * MINUTE + 1000);
		expect((await added({}, false)).savedListState('new').followedSince).toBe(NOON + 2 * MINUTE);
	});

	test('is the same of the round before, for a list that the trigger discovered', async () => {
		const discovered = await added({ discoveredAs: 'lists' }, true);
		expect(discovered.savedListState('new').followedSince).toBe(NOON + MINUTE + 1000);
		const undated = await added({ discoveredAs: 'lists' }, false);
		expect(undated.savedListState('new').followedSince).toBe(NOON + MINUTE);
	});
});
