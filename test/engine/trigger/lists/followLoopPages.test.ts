// Protects changes in lists with several pages or too many records: none is missed, and what cannot be followed is reported.
import type { IDataObject } from 'n8n-workflow';

import type { ListSnapshot } from '../../../../nodes/engine/trigger/lists/core';
import type { ScriptedRead } from './followerHarness';
import { FollowerHarness } from './followerHarness';
import { createRecord, HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const createOldRecords = (...ids: string[]) => ids.map((id) => createRecord(id, -HOUR));
const compared = createList({ isFiltered: false });

/** Creates a rig that responds to reads of its list in this order; the last response is repeated. */
function createRig(...responses: ScriptedRead[]): FollowerHarness {
	const rig = new FollowerHarness();
	rig.respondToRead = (_, earlierReads) => responses[Math.min(earlierReads, responses.length - 1)]!;
	return rig;
}

describe('repeated passes, since records can move between pages', () => {
	test('a list with several pages is read again until a pass shows no change', async () => {
		const twoPages: ScriptedRead = { pages: [createOldRecords('a'), createOldRecords('b')] };
		const rig = await createRig(twoPages).run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE]);
	});

	test('a list is read again if any record of any page has changed', async () => {
		const first: ScriptedRead = { pages: [createOldRecords('a', 'b'), createOldRecords('c')] };
		const changed: ScriptedRead = {
			pages: [[...createOldRecords('a'), createRecord('b', 1)], createOldRecords('c')],
		};
		const rig = await createRig(first, first, changed).run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE, MINUTE]);
		expect(rig.startedChanges).toEqual(['updated b']);
	});

	test('a list is read five times at most', async () => {
		const rig = new FollowerHarness();
		rig.respondToRead = (_, earlierReads) => ({
			pages: [createOldRecords(`a${earlierReads}`), createOldRecords(`b${earlierReads}`)],
		});
		await rig.run();
		expect(rig.readTimesMs.people).toHaveLength(5);
	});

	test('a list with one page is read once', async () => {
		const rig = await createRig(
			{ pages: [createOldRecords('a')] },
			{ pages: [[createRecord('a', 1)]] },
		).run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, MINUTE]);
		expect(rig.startedChanges).toEqual(['updated a']);
	});

	test('a compared list is read again only in the first poll', async () => {
		const first: ScriptedRead = { pages: [createOldRecords('a'), createOldRecords('b')] };
		const changed: ScriptedRead = {
			pages: [[{ ...createOldRecords('a')[0], Name: 'A' }], createOldRecords('b')],
		};
		const rig = createRig(first, first, changed);
		rig.lists = [compared];
		await rig.run(MINUTE);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE]);
		expect(rig.startedChanges).toEqual(['updated a']);
	});

	test('a compared list is read again if a start of one of its records is repeated', async () => {
		const pages = [createOldRecords('x', 'a'), createOldRecords('b')];
		const previousRig = createRig({ pages });
		previousRig.lists = [compared];
		await previousRig.run();
		const saved: ListSnapshot = {
			...previousRig.follower.snapshot(),
			pendingStarts: [{ key: 'k', changes: [['people', 'updated', 'a']], requestedAt: NOON }],
		};
		const rig = createRig({ pages });
		rig.lists = [compared];
		await rig.run(MINUTE, { repeatStartsForMs: Infinity }, saved);
		expect(rig.startedChanges).toEqual(['updated a']);
		expect(rig.readTimesMs.people).toEqual([0, 0, MINUTE]);
	});

	test('the first page of the first pass sets the time of the poll', async () => {
		const recordWithoutZone = (Id: string) => ({ Id, Stamp: formatTime(-HOUR).slice(0, -1) });
		const rig = createRig({ pages: [[recordWithoutZone('a')], [recordWithoutZone('b')]] });
		rig.pageMs = 5000;
		await rig.run(20_000);
		expect(rig.readTimesMs.people).toEqual([0, 10_000]);
		expect(rig.readSavedList().cursor).toBe(NOON + 5000);
	});
});

describe('processing of a page', () => {
	/** Processes a page of this many records. Returns each pause: after how many records, and how long. */
	const recordPauses = async (count: number, msPerRecord = 1) => {
		const rig = createRig({ pages: [Array.from({ length: count }, (_, Id) => ({ Id }))] });
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

	test('processing pauses after every ten milliseconds, and after at least one record', async () => {
		expect(await recordPauses(31)).toEqual([
			[10, 0],
			[20, 0],
			[30, 0],
		]);
		expect(await recordPauses(10)).toEqual([]);
		expect(await recordPauses(3, 20)).toEqual([
			[1, 0],
			[2, 0],
		]);
	});

	test('processing of a page with more than 500 records begins with a pause', async () => {
		expect(await recordPauses(500, 0)).toEqual([]);
		expect(await recordPauses(501, 0)).toEqual([[0, 0]]);
	});

	test('processing stops once the signal aborts', async () => {
		const rig = createRig({ pages: [createOldRecords('a', 'b', 'c')] });
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

describe('the limit of known records in compared lists', () => {
	const tooManyReport = (key: string) => ({ kind: 'tooManyRecords', list: key, maxRecords: 3 });
	const createRecords = (count: number) => Array.from({ length: count }, (_, Id) => ({ Id }));
	/** Polls compared lists once a minute; `counts` has the number of records in each round. */
	const pollLists = async (counts: Record<string, number[]>, ms: number) => {
		const rig = new FollowerHarness();
		rig.lists = Object.keys(counts).map((key) => createList({ key, isFiltered: false }));
		rig.respondToRead = (key) => ({
			pages: [createRecords(counts[key]![rig.discoveryTimesMs.length - 1]!)],
		});
		await rig.run(ms, { maxKnown: 3 });
		return rig;
	};

	test('a list above the limit is reported once and polled less often, and rounds keep their pace', async () => {
		const rig = await pollLists({ a: [4, 4, 4, 4] }, 3 * MINUTE);
		expect(rig.reports).toEqual([tooManyReport('a')]);
		expect(rig.readTimesMs.a).toEqual([0, MINUTE, 3 * MINUTE]);
		expect(rig.discoveryTimesMs).toHaveLength(4);
		expect(rig.readSavedList('a')).toMatchObject({
			known: [],
			failureReported: true,
			reported: ['tooManyRecords'],
		});
	});

	test('the limit counts the records of all pages, and a list may reach it', async () => {
		const rig = createRig({ pages: [createRecords(2), [{ Id: 'x' }, { Id: 'y' }]] });
		rig.lists = [compared];
		await rig.run(0, { maxKnown: 3 });
		expect(rig.reports).toEqual([tooManyReport('people')]);
		expect((await pollLists({ a: [3, 3, 3] }, 2 * MINUTE)).reports).toEqual([]);
	});

	test('the limit counts the records of all lists together', async () => {
		const rig = await pollLists({ a: [1, 1], b: [1, 1], c: [1, 2] }, MINUTE);
		expect(rig.reports).toEqual([tooManyReport('c')]);
	});

	test('a list above the limit does not count towards the limit of the other lists', async () => {
		const rig = await pollLists({ a: [2, 4], b: [1, 3] }, MINUTE);
		expect(rig.reports).toEqual([tooManyReport('a')]);
		expect(rig.startedChanges).toEqual(['created 1', 'created 2']);
	});

	test('a list above the limit is reported again after it was read to its end', async () => {
		const rig = await pollLists({ a: [4, 3, 4] }, 2 * MINUTE);
		expect(rig.reports).toEqual([tooManyReport('a'), tooManyReport('a')]);
	});

	test('the limit does not apply to filtered lists, of which only recent records are kept', async () => {
		const rig = await createRig({ pages: [createRecords(4)] }).run(0, {
			maxKnown: 3,
			kinds: new Set(),
		});
		expect(rig.reports).toEqual([]);
	});
});

describe('reports about a list', () => {
	test('a list that may be incomplete is reported once', async () => {
		const rig = await createRig({ pages: [[]], warning: 'Only 100 pages' }).run(MINUTE);
		expect(rig.reports).toEqual([
			{ kind: 'incomplete', list: 'people', message: 'Only 100 pages' },
		]);
		expect(rig.readSavedList().reported).toEqual(['incomplete']);
	});

	test('records without a date are reported once if the user selected new records', async () => {
		const pages = [[{ Id: 'a', Stamp: formatTime(-HOUR) }, { Id: 'b' }]];
		const rig = await createRig({ pages }).run(MINUTE);
		expect(rig.reports).toEqual([{ kind: 'undated', list: 'people', fields: ['CreatedAt'] }]);
		const updatesOnlyRig = await createRig({ pages }).run(MINUTE, {
			kinds: new Set(['updated']),
		});
		expect(updatesOnlyRig.reports).toEqual([]);
	});

	test('changes that appear later than their stamps say are reported once', async () => {
		const lateRecord = (Id: string) => createRecord(Id, -5 * MINUTE);
		const rig = await createRig(
			{ pages: [[]] },
			{ pages: [[lateRecord('a')]] },
			{ pages: [[lateRecord('b')]] },
		).run(2 * MINUTE);
		expect(rig.reports).toEqual([{ kind: 'lateChange', list: 'people', byMs: 5 * MINUTE }]);
	});
});

describe('the time since which a new list is followed', () => {
	test('is the first Date header, even for the records of that response', async () => {
		const rig = createRig({ pages: [createOldRecords('a')] });
		rig.discoverLists = async () => ({ lists: rig.lists });
		await rig.run();
		expect(rig.startedChanges).toEqual([]);
		expect(rig.readSavedList().followedSince).toBe(NOON);
	});

	test('is the newest stamp of the first poll if no response has a Date header', async () => {
		const rig = createRig({
			pages: [[createRecord('a', -HOUR), createRecord('b', -2 * HOUR)]],
		});
		rig.dateHeader = () => undefined;
		await rig.run();
		expect(rig.readSavedList().followedSince).toBe(NOON - HOUR);
	});

	/**
	 * Adds a list in the third round; each discovery takes a second. `hasDate`: whether the later discoveries have a Date
	 * header, as the first one has.
	 */
	const runWithAddedList = async (overrides: { discoveredAs?: string }, hasDate: boolean) => {
		const rig = new FollowerHarness();
		rig.discoverLists = async () => {
			await rig.time.sleep(1000);
			const lists =
				rig.discoveryTimesMs.length < 3
					? [createList()]
					: [createList(), createList({ key: 'new', ...overrides })];
			return {
				lists,
				date: hasDate || rig.discoveryTimesMs.length === 1 ? NOON + rig.time.nowMs : undefined,
			};
		};
		await rig.run(2 * MINUTE + 1000);
		return rig;
	};

	test('is the Date header of the discovery, or the estimated time of its request', async () => {
		const datedRig = await runWithAddedList({}, true);
		expect(datedRig.readSavedList('people').followedSince).toBe(NOON + 1000);
		expect(datedRig.readSavedList('new').followedSince).toBe(NOON + 2 * MINUTE + 1000);
		expect((await runWithAddedList({}, false)).readSavedList('new').followedSince).toBe(
			NOON + 2 * MINUTE,
		);
	});

	test('is the previous round if the trigger discovered the list', async () => {
		const datedRig = await runWithAddedList({ discoveredAs: 'lists' }, true);
		expect(datedRig.readSavedList('new').followedSince).toBe(NOON + MINUTE + 1000);
		const undatedRig = await runWithAddedList({ discoveredAs: 'lists' }, false);
		expect(undatedRig.readSavedList('new').followedSince).toBe(NOON + MINUTE);
	});
});
