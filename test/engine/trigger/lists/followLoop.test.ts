// Protects the rounds of a list trigger: they keep their interval, and failures lengthen the pauses and are reported once.
import type { FollowOptions, ListSnapshot } from '../../../../nodes/engine/trigger/lists/core';
import type { PollFailure } from '../../../../nodes/engine/watch';
import type { ScriptedRead } from './followerHarness';
import { FollowerHarness } from './followerHarness';
import { HOUR, createList, MINUTE, NOON } from './listHarness';

const emptyList: ScriptedRead = { pages: [[]] };
const minutesToMs = (...counts: number[]) => counts.map((count) => count * MINUTE);
const newRig = () => new FollowerHarness();
const createSnapshot = (overrides: Partial<ListSnapshot> = {}): ListSnapshot => ({
	version: 1,
	saves: 0,
	activatedAt: 0,
	lists: [],
	pendingStarts: [],
	...overrides,
});

/** Creates a rig with the lists a and b, each with the same response in every round. */
function rigWithTwoLists(a: ScriptedRead, b: ScriptedRead): FollowerHarness {
	const rig = newRig();
	rig.lists = [createList({ key: 'a' }), createList({ key: 'b' })];
	rig.respondToRead = (key) => (key === 'a' ? a : b);
	return rig;
}

describe('the rounds of a follower', () => {
	test.each([
		['take no time', 0],
		['take nearly as long as the interval', MINUTE - 1],
	])('begin an interval apart if they %s', async (_, pageMs) => {
		const rig = newRig();
		rig.pageMs = pageMs;
		await rig.run(3 * MINUTE);
		expect(rig.discoveryTimesMs).toEqual(minutesToMs(0, 1, 2, 3));
	});

	test('begin at once if the last one took longer than the interval', async () => {
		const rig = newRig();
		rig.pageMs = 90_000;
		await rig.run(200_000);
		expect(rig.discoveryTimesMs).toEqual([0, 90_000, 180_000]);
	});

	test('are separated by sleeps of at most an hour, since a timer overflows after 24 days', async () => {
		const rig = await newRig().run(3 * HOUR, { intervalMs: 2.5 * HOUR });
		expect(rig.discoveryTimesMs).toEqual([0, 2.5 * HOUR]);
		expect(rig.sleepsMs.slice(0, 4)).toEqual([HOUR, HOUR, 0.5 * HOUR, HOUR]);
	});

	test('each end with a call of onRoundEnd, even if the service failed', async () => {
		const rig = newRig();
		rig.respondToRead = (_, earlierReads) =>
			earlierReads === 0 ? { kind: 'unavailable', message: 'It is down' } : emptyList;
		await rig.run(2 * MINUTE);
		expect(rig.endedRoundCount).toBe(3);
	});

	test('end without a call of onRoundEnd when the service rejects the credential', async () => {
		const rig = newRig();
		rig.respondToRead = () => ({ kind: 'credentialRejected', message: 'No such key' });
		await rig.run(5 * MINUTE);
		expect(rig.stop).toEqual({ credentialRejectionMessage: 'No such key' });
		expect([rig.discoveryTimesMs, rig.endedRoundCount]).toEqual([[0], 0]);
	});

	test('end when the signal aborts: while the follower sleeps, discovers lists or reads a list', async () => {
		const sleepingRig = await newRig().run(1);
		sleepingRig.abort.abort(new Error('stopped'));
		await sleepingRig.time.advance(5 * MINUTE);
		expect(sleepingRig.stop).toEqual({ credentialRejectionMessage: undefined });
		expect(sleepingRig.discoveryTimesMs).toEqual([0]);

		const discoveringRig = newRig();
		discoveringRig.discoverLists = async () => {
			await discoveringRig.time.sleep(10);
			return { lists: discoveringRig.lists };
		};
		await discoveringRig.run(1);
		discoveringRig.abort.abort(new Error('stopped'));
		await discoveringRig.time.advance(5 * MINUTE);
		expect(discoveringRig.stop).toBeDefined();
		expect(discoveringRig.readTimesMs).toEqual({});

		const readingRig = rigWithTwoLists(emptyList, emptyList);
		readingRig.pageMs = 10;
		await readingRig.run(1);
		readingRig.abort.abort(new Error('stopped'));
		await readingRig.time.advance(5 * MINUTE);
		expect(readingRig.stop).toBeDefined();
		expect(readingRig.readTimesMs).toEqual({ a: [0] });
	});
});

describe('the snapshot', () => {
	test('is saved when the follower begins, and counts its saves across restarts', async () => {
		const rig = await newRig().run();
		expect([rig.saveCount, rig.follower.snapshot().saves]).toEqual([1, 1]);
		const restartedRig = await newRig().run(0, {}, createSnapshot({ saves: 7 }));
		expect(restartedRig.saveCount).toBe(1);
		expect(restartedRig.follower.snapshot()).toMatchObject({ version: 1, saves: 8 });
	});

	test('has starts that expire after 72 hours, and are reported when the follower begins', async () => {
		const rig = newRig();
		const startedBefore = (ageMs: number, id: string): ListSnapshot['pendingStarts'][0] => ({
			key: id,
			changes: [['people', 'created', id]],
			requestedAt: rig.time.clock.now() - ageMs,
		});
		const pendingStarts = [startedBefore(72 * HOUR - 1, '7'), startedBefore(72 * HOUR, '8')];
		await rig.run(0, {}, createSnapshot({ pendingStarts }));
		expect(rig.reports).toEqual([{ kind: 'startsUnclear', ids: ['8'] }]);
	});
});

describe('a fault of the service', () => {
	/** Runs a follower whose discovery of lists always fails. */
	const runFailing = async (
		failure: PollFailure | Error,
		ms: number,
		options?: Partial<FollowOptions>,
	) => {
		const rig = newRig();
		rig.discoverLists = async () => {
			if (failure instanceof Error) throw failure;
			return failure;
		};
		await rig.run(ms, options);
		return rig;
	};
	const down: PollFailure = { kind: 'unavailable', message: 'It is down' };

	test('doubles the pause until the next round, up to the longest pause', async () => {
		// By default, the longest pause is ten minutes.
		expect((await runFailing(down, 26 * MINUTE)).discoveryTimesMs).toEqual(
			minutesToMs(0, 1, 3, 7, 15, 25),
		);
		const { discoveryTimesMs: limitedTimesMs } = await runFailing(down, 6 * MINUTE, {
			longestPauseMs: 90_000,
		});
		expect(limitedTimesMs).toEqual(minutesToMs(0, 1, 2.5, 4, 5.5));
		const slowRig = await runFailing(down, 50 * MINUTE, { intervalMs: 20 * MINUTE });
		expect(slowRig.discoveryTimesMs).toEqual(minutesToMs(0, 20, 40));
	});

	test('makes the pause up to a fifth longer, at random', async () => {
		const rig = newRig();
		rig.random = () => 1;
		rig.respondToRead = () => down;
		await rig.run(MINUTE * 2);
		expect(rig.discoveryTimesMs).toEqual([0, 1.2 * MINUTE]);
	});

	test('makes the follower wait as long as the service asks', async () => {
		const limited: PollFailure = { kind: 'rateLimited', retryAfterMs: 5 * MINUTE };
		expect((await runFailing(limited, 6 * MINUTE)).discoveryTimesMs).toEqual(minutesToMs(0, 5));
	});

	test.each<[PollFailure | Error, string]>([
		[down, 'It is down'],
		[new Error('No route'), 'No route'],
		[{ kind: 'rateLimited', message: 'Slower' }, 'Slower'],
		[{ kind: 'rateLimited' }, 'The service asks to slow down'],
		[{ kind: 'missing' }, 'The service does not know what was asked for'],
		[{ kind: 'failed', message: 'Not for you' }, 'Not for you'],
	])('is reported when it occurs for the third time: %p', async (failure, message) => {
		const rig = await runFailing(failure, 2 * MINUTE);
		expect(rig.reports).toEqual([]);
		await rig.time.advance(MINUTE);
		expect(rig.reports).toEqual([{ kind: 'unavailable', message }]);
	});

	test('is reported with a message even if the exception is not an Error', async () => {
		const rig = newRig();
		rig.discoverLists = async () => {
			throw 'a text';
		};
		await rig.run(3 * MINUTE);
		expect(rig.reports).toEqual([{ kind: 'unavailable', message: 'No answer' }]);
	});

	test('makes the shortest pause again after a list was read to its end', async () => {
		const rig = newRig();
		rig.respondToRead = (_, earlierReads) => (earlierReads === 2 ? emptyList : down);
		await rig.run(5 * MINUTE);
		expect(rig.discoveryTimesMs).toEqual(minutesToMs(0, 1, 3, 4, 5));
	});
});

describe('a failure of one list', () => {
	test.each<[PollFailure, string]>([
		[{ kind: 'missing' }, ''],
		[{ kind: 'failed', message: 'Not this one' }, 'Not this one'],
		[{ kind: 'credentialRejected', message: 'Not for you' }, 'Not for you'],
		[{ kind: 'unrecognized', message: 'What is this?' }, 'What is this?'],
	])('is reported once, and the other lists are still polled: %p', async (failure, message) => {
		const rig = await rigWithTwoLists(emptyList, failure).run(2 * MINUTE);
		const isGone = failure.kind === 'missing';
		expect(rig.reports).toEqual([{ kind: 'listFailed', list: 'b', isGone, message }]);
		expect(rig.readTimesMs).toEqual({ a: minutesToMs(0, 1, 2), b: minutesToMs(0, 1) });
	});

	test('doubles the time until the next poll of the list, six times', async () => {
		const rig = await rigWithTwoLists(emptyList, { kind: 'missing' }).run(200 * MINUTE);
		expect(rig.readTimesMs.b).toEqual(minutesToMs(0, 1, 3, 7, 15, 31, 63, 127, 191));
	});

	test('is reported again, with a pause of one interval, after the list was read to its end', async () => {
		const rig = rigWithTwoLists(emptyList, emptyList);
		rig.respondToRead = (key, earlierReads) =>
			key === 'b' && earlierReads !== 2 ? { kind: 'missing' } : { pages: [[]] };
		await rig.run(7 * MINUTE);
		expect(rig.readTimesMs.b).toEqual(minutesToMs(0, 1, 3, 4, 5, 7));
		expect(rig.reports).toHaveLength(2);
	});

	test('counts as a fault of the service if no list was read to its end', async () => {
		const failed: PollFailure = { kind: 'failed', message: 'Not now' };
		const rig = await rigWithTwoLists(failed, failed).run(3 * MINUTE);
		expect(rig.discoveryTimesMs).toEqual(minutesToMs(0, 1, 3));
		expect(rig.reports).toEqual([{ kind: 'unavailable', message: 'Not now' }]);
	});

	test('does not count as a fault of the service if the list is gone or was reported before', async () => {
		const missingListRig = newRig();
		missingListRig.respondToRead = () => ({ kind: 'missing' });
		await missingListRig.run(3 * MINUTE);
		expect(missingListRig.discoveryTimesMs).toEqual(minutesToMs(0, 1, 2, 3));
		expect(missingListRig.reports).toEqual([
			{ kind: 'listFailed', list: 'people', isGone: true, message: '' },
		]);
		const reportedListRig = newRig();
		reportedListRig.respondToRead = () => ({ kind: 'failed', message: 'Not this one' });
		const lists: ListSnapshot['lists'] = [
			{ key: 'people', cursor: NOON, followedSince: NOON, known: [], failureReported: true },
		];
		await reportedListRig.run(3 * MINUTE, {}, createSnapshot({ lists }));
		expect(reportedListRig.discoveryTimesMs).toEqual(minutesToMs(0, 1, 2, 3));
		expect(reportedListRig.readTimesMs.people).toEqual(minutesToMs(0, 1, 3));
		expect(reportedListRig.reports).toEqual([]);
	});

	test('stops the follower if all lists fail in one round and one rejects the credential', async () => {
		const rejected: PollFailure = { kind: 'credentialRejected', message: 'No such key' };
		const allFailedRig = await rigWithTwoLists(rejected, { kind: 'failed', message: 'No' }).run(
			MINUTE,
		);
		expect(allFailedRig.stop).toEqual({ credentialRejectionMessage: 'No such key' });
		const oneRejectedRig = await rigWithTwoLists(rejected, {
			kind: 'unavailable',
			message: 'It is down',
		}).run(1);
		expect(oneRejectedRig.stop).toBeUndefined();
	});
});

describe('a list whose requests find the service unavailable', () => {
	test.each<ScriptedRead>([
		{ kind: 'unavailable', message: 'It is down' },
		new Error('It is down'),
	])(
		'is reported as failed at its second failure if another list was read in that round: %p',
		async (failure) => {
			const rig = await rigWithTwoLists(emptyList, failure).run(MINUTE - 1);
			expect(rig.reports).toEqual([]);
			await rig.time.advance(1);
			const report = { kind: 'listFailed', list: 'b', isGone: false, message: 'It is down' };
			expect(rig.reports).toEqual([report]);
			await rig.time.advance(MINUTE);
			expect(rig.readTimesMs.a).toEqual(minutesToMs(0, 1, 2));
		},
	);

	test('is not reported if no other list was read in that round: the service is reported, once', async () => {
		const down: ScriptedRead = { kind: 'unavailable', message: 'It is down' };
		const rig = await rigWithTwoLists(down, down).run(3 * MINUTE);
		// Each round ends with its first failure.
		expect(rig.readTimesMs).toEqual({ a: minutesToMs(0, 3), b: minutesToMs(1) });
		expect(rig.reports).toEqual([{ kind: 'unavailable', message: 'It is down' }]);
		await rig.time.advance(HOUR);
		rig.respondToRead = () => emptyList;
		await rig.time.advance(HOUR);
		expect(rig.reports).toHaveLength(1);
	});

	test('is not reported for a rate limit', async () => {
		const rig = await rigWithTwoLists(emptyList, { kind: 'rateLimited' }).run(10 * MINUTE);
		expect(rig.reports).not.toContainEqual(expect.objectContaining({ kind: 'listFailed' }));
		expect(rig.readTimesMs.b!.length).toBe(rig.discoveryTimesMs.length);
	});

	test('ends the round, and is polled last in the next one', async () => {
		const rig = rigWithTwoLists({ kind: 'unavailable', message: 'It is down' }, emptyList);
		rig.pageMs = 1;
		await rig.run(2 * MINUTE + 1);
		expect(rig.readTimesMs).toEqual({ a: [0, MINUTE + 1, 2 * MINUTE + 1], b: minutesToMs(1, 2) });
	});
});
