import type { FollowOptions, ListSnapshot } from '../../../../nodes/engine/trigger/lists/core';
import type { PollFailure } from '../../../../nodes/engine/watch';
import type { ScriptedRead } from './followerRig';
import { FollowerRig } from './followerRig';
import { HOUR, createList, MINUTE, NOON } from './listHarness';

const empty: ScriptedRead = { pages: [[]] };
const minutes = (...counts: number[]) => counts.map((count) => count * MINUTE);
const rig = () => new FollowerRig();
const snapshot = (over: Partial<ListSnapshot> = {}): ListSnapshot => ({
	version: 1,
	saves: 0,
	activatedAt: 0,
	lists: [],
	pendingStarts: [],
	...over,
});

/** A rig with the lists a and b, each with its answer in every round. */
function twoLists(a: ScriptedRead, b: ScriptedRead): FollowerRig {
	const secondRig = rig();
	secondRig.lists = [createList({ key: 'a' }), createList({ key: 'b' })];
	secondRig.respondToRead = (key) => (key === 'a' ? a : b);
	return secondRig;
}

describe('the rounds of a follower', () => {
	test.each([
		['take no time', 0],
		['take nearly as long as the interval', MINUTE - 1],
	])('begin an interval apart if they %s', async (_, pageMs) => {
		const one = rig();
		one.pageMs = pageMs;
		await one.run(3 * MINUTE);
		expect(one.discoveryTimesMs).toEqual(minutes(0, 1, 2, 3));
	});

	test('begin at once if the last one took longer than the interval', async () => {
		const one = rig();
		one.pageMs = 90_000;
		await one.run(200_000);
		expect(one.discoveryTimesMs).toEqual([0, 90_000, 180_000]);
	});

	test('are at most an hour of sleep apart, since a timer overflows after 24 days', async () => {
		const one = await rig().run(3 * HOUR, { intervalMs: 2.5 * HOUR });
		expect(one.discoveryTimesMs).toEqual([0, 2.5 * HOUR]);
		expect(one.sleepsMs.slice(0, 4)).toEqual([HOUR, HOUR, 0.5 * HOUR, HOUR]);
	});

	test('each end with a call, also if the service failed', async () => {
		const one = rig();
		one.respondToRead = (_, earlier) =>
			earlier === 0 ? { kind: 'unavailable', message: 'It is down' } : empty;
		await one.run(2 * MINUTE);
		expect(one.roundsEnded).toBe(3);
	});

	test('end without a call when the service rejects the credential', async () => {
		const one = rig();
		one.respondToRead = () => ({ kind: 'credentialRejected', message: 'No such key' });
		await one.run(5 * MINUTE);
		expect(one.stop).toEqual({ rejectionMessage: 'No such key' });
		expect([one.discoveryTimesMs, one.roundsEnded]).toEqual([[0], 0]);
	});

	test('end when the signal aborts, whatever the follower waits for', async () => {
		const asleep = await rig().run(1);
		asleep.abort.abort(new Error('stopped'));
		await asleep.time.advance(5 * MINUTE);
		expect(asleep.stop).toEqual({ rejectionMessage: undefined });
		expect(asleep.discoveryTimesMs).toEqual([0]);

		const discovering = rig();
		discovering.discoverLists = async () => {
			await discovering.time.sleep(10);
			return { lists: discovering.lists };
		};
		await discovering.run(1);
		discovering.abort.abort(new Error('stopped'));
		await discovering.time.advance(5 * MINUTE);
		expect(discovering.stop).toBeDefined();
		expect(discovering.readTimesMs).toEqual({});

		const reading = twoLists(empty, empty);
		reading.pageMs = 10;
		await reading.run(1);
		reading.abort.abort(new Error('stopped'));
		await reading.time.advance(5 * MINUTE);
		expect(reading.stop).toBeDefined();
		expect(reading.readTimesMs).toEqual({ a: [0] });
	});
});

describe('the snapshot', () => {
	test('is saved when the follower begins, and counts its saves across restarts', async () => {
		const one = await rig().run();
		expect([one.saves, one.follower.snapshot().saves]).toEqual([1, 1]);
		const again = await rig().run(0, {}, snapshot({ saves: 7 }));
		expect(again.saves).toBe(1);
		expect(again.follower.snapshot()).toMatchObject({ version: 1, saves: 8 });
	});

	test('has expired starts, which are reported when the follower begins', async () => {
		const one = rig();
		one.discoverLists = async () => await new Promise<never>(() => undefined);
		const pendingStarts: ListSnapshot['pendingStarts'] = [
			{ key: 'k', changes: [['people', 'created', '7']], requestedAt: 0 },
		];
		await one.run(0, { repeatStartsForMs: HOUR }, snapshot({ pendingStarts }));
		expect(one.reports).toEqual([{ kind: 'startsUnclear', ids: ['7'] }]);
	});
});

describe('a fault of the service', () => {
	const finds = async (
		failure: PollFailure | Error,
		ms: number,
		options?: Partial<FollowOptions>,
	) => {
		const one = rig();
		one.discoverLists = async () => {
			if (failure instanceof Error) throw failure;
			return failure;
		};
		await one.run(ms, options);
		return one;
	};
	const down: PollFailure = { kind: 'unavailable', message: 'It is down' };

	test('doubles the pause until the next round, up to the longest pause', async () => {
		expect((await finds(down, 18 * MINUTE)).discoveryTimesMs).toEqual(minutes(0, 1, 3, 7, 15));
		const { discoveryTimesMs: bounded } = await finds(down, 6 * MINUTE, { longestPauseMs: 90_000 });
		expect(bounded).toEqual(minutes(0, 1, 2.5, 4, 5.5));
		const slow = await finds(down, 50 * MINUTE, { intervalMs: 20 * MINUTE });
		expect(slow.discoveryTimesMs).toEqual(minutes(0, 20, 40));
	});

	test('makes the pause up to a fifth longer, at random', async () => {
		const one = rig();
		one.random = () => 1;
		one.respondToRead = () => down;
		await one.run(MINUTE * 2);
		expect(one.discoveryTimesMs).toEqual([0, 1.2 * MINUTE]);
	});

	test('makes the follower wait as long as the service asks', async () => {
		const limited: PollFailure = { kind: 'rateLimited', retryAfterMs: 5 * MINUTE };
		expect((await finds(limited, 6 * MINUTE)).discoveryTimesMs).toEqual(minutes(0, 5));
	});

	test.each<[PollFailure | Error, string]>([
		[down, 'It is down'],
		[new Error('No route'), 'No route'],
		[{ kind: 'rateLimited', message: 'Slower' }, 'Slower'],
		[{ kind: 'rateLimited' }, 'The service asks to slow down'],
		[{ kind: 'missing' }, 'The service does not know what was asked for'],
		[{ kind: 'failed', message: 'Not for you' }, 'Not for you'],
	])('is reported at the third of them: %p', async (failure, message) => {
		const one = await finds(failure, 2 * MINUTE);
		expect(one.reports).toEqual([]);
		await one.time.advance(MINUTE);
		expect(one.reports).toEqual([{ kind: 'unavailable', message }]);
	});

	test('has a message even if the exception is not an Error', async () => {
		const one = rig();
		one.discoverLists = async () => {
			throw 'a text';
		};
		await one.run(3 * MINUTE);
		expect(one.reports).toEqual([{ kind: 'unavailable', message: 'No answer' }]);
	});

	test('counts anew after a list was read to its end', async () => {
		const one = rig();
		one.respondToRead = (_, earlier) => (earlier === 2 ? empty : down);
		await one.run(5 * MINUTE);
		expect(one.discoveryTimesMs).toEqual(minutes(0, 1, 3, 4, 5));
	});
});

describe('a failure of one list', () => {
	test.each<[PollFailure, string]>([
		[{ kind: 'missing' }, ''],
		[{ kind: 'failed', message: 'Not this one' }, 'Not this one'],
		[{ kind: 'credentialRejected', message: 'Not for you' }, 'Not for you'],
		[{ kind: 'unrecognized', message: 'What is this?' }, 'What is this?'],
	])('is reported once, and the other lists are still polled: %p', async (failure, message) => {
		const listsRig = await twoLists(empty, failure).run(2 * MINUTE);
		const isGone = failure.kind === 'missing';
		expect(listsRig.reports).toEqual([{ kind: 'listFailed', list: 'b', isGone, message }]);
		expect(listsRig.readTimesMs).toEqual({ a: minutes(0, 1, 2), b: minutes(0, 1) });
	});

	test('doubles the time until its next poll, six times', async () => {
		const two = await twoLists(empty, { kind: 'missing' }).run(200 * MINUTE);
		expect(two.readTimesMs.b).toEqual(minutes(0, 1, 3, 7, 15, 31, 63, 127, 191));
	});

	test('is reported again, and begins with one interval, after the list was read to its end', async () => {
		const listsRig = twoLists(empty, empty);
		listsRig.respondToRead = (key, earlier) =>
			key === 'b' && earlier !== 2 ? { kind: 'missing' } : { pages: [[]] };
		await listsRig.run(7 * MINUTE);
		expect(listsRig.readTimesMs.b).toEqual(minutes(0, 1, 3, 4, 5, 7));
		expect(listsRig.reports).toHaveLength(2);
	});

	test('is a fault of the service if no list was read to its end', async () => {
		const failed: PollFailure = { kind: 'failed', message: 'Not now' };
		const two = await twoLists(failed, failed).run(3 * MINUTE);
		expect(two.discoveryTimesMs).toEqual(minutes(0, 1, 3));
		expect(two.reports).toEqual([{ kind: 'unavailable', message: 'Not now' }]);
	});

	test('stays one of the list if no list was read: a list that is gone, or that was reported', async () => {
		const gone = rig();
		gone.respondToRead = () => ({ kind: 'missing' });
		await gone.run(3 * MINUTE);
		expect(gone.discoveryTimesMs).toEqual(minutes(0, 1, 2, 3));
		expect(gone.reports).toEqual([
			{ kind: 'listFailed', list: 'people', isGone: true, message: '' },
		]);
		const failing = rig();
		failing.respondToRead = () => ({ kind: 'failed', message: 'Not this one' });
		const lists: ListSnapshot['lists'] = [
			{ key: 'people', cursor: NOON, followedSince: NOON, known: [], failureReported: true },
		];
		await failing.run(3 * MINUTE, {}, snapshot({ lists }));
		expect(failing.discoveryTimesMs).toEqual(minutes(0, 1, 2, 3));
		expect(failing.readTimesMs.people).toEqual(minutes(0, 1, 3));
		expect(failing.reports).toEqual([]);
	});

	test('stops the follower if every list rejects the credential, and none was left out', async () => {
		const rejected: PollFailure = { kind: 'credentialRejected', message: 'No such key' };
		const all = await twoLists(rejected, { kind: 'failed', message: 'No' }).run(MINUTE);
		expect(all.stop).toEqual({ rejectionMessage: 'No such key' });
		const some = await twoLists(rejected, { kind: 'unavailable', message: 'It is down' }).run(1);
		expect(some.stop).toBeUndefined();
	});
});

describe('a list that makes the service unavailable', () => {
	test.each<ScriptedRead>([
		{ kind: 'unavailable', message: 'It is down' },
		new Error('It is down'),
	])(
		'fails by itself from its second failure on, if another list was read in that round: %p',
		async (failure) => {
			const listsRig = await twoLists(empty, failure).run(MINUTE - 1);
			expect(listsRig.reports).toEqual([]);
			await listsRig.time.advance(1);
			const report = { kind: 'listFailed', list: 'b', isGone: false, message: 'It is down' };
			expect(listsRig.reports).toEqual([report]);
			await listsRig.time.advance(MINUTE);
			expect(listsRig.readTimesMs.a).toEqual(minutes(0, 1, 2));
		},
	);

	test('is not at fault if no other list was read in that round', async () => {
		const down: ScriptedRead = { kind: 'unavailable', message: 'It is down' };
		const listsRig = await twoLists(down, down).run(3 * MINUTE);
		// Each round ends with its first failure.
		expect(listsRig.readTimesMs).toEqual({ a: minutes(0, 3), b: minutes(1) });
		expect(listsRig.reports).toEqual([{ kind: 'unavailable', message: 'It is down' }]);
	});

	test('is never at fault for a rate limit', async () => {
		const two = await twoLists(empty, { kind: 'rateLimited' }).run(10 * MINUTE);
		expect(two.reports).not.toContainEqual(expect.objectContaining({ kind: 'listFailed' }));
		expect(two.readTimesMs.b!.length).toBe(two.discoveryTimesMs.length);
	});

	test('ends the round, and comes last in the next', async () => {
		const listsRig = twoLists({ kind: 'unavailable', message: 'It is down' }, empty);
		listsRig.pageMs = 1;
		await listsRig.run(2 * MINUTE + 1);
		expect(listsRig.readTimesMs).toEqual({ a: [0, MINUTE + 1, 2 * MINUTE + 1], b: minutes(1, 2) });
	});
});
