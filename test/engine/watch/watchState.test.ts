import { readSnapshot } from '../../../nodes/engine/watch';
import type { PollResult, WatchOptions } from '../../../nodes/engine/watch';
import { WATCH_DEFAULTS } from '../../../nodes/engine/watch/types';
import { WatchState } from '../../../nodes/engine/watch/watchState';
import { finishedResult, createIds, pendingResult } from './idHarness';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const unavailableResult: PollResult = { kind: 'unavailable', message: '503' };
const failedResult: PollResult = { kind: 'failed', message: '422' };
const unrecognizedResult: PollResult = {
	kind: 'unrecognized',
	message: 'no JSON',
	outcome: 'unrecognized',
};

/** Returns one moment on both clocks; the wall clock shows noon when the monotonic clock begins. */
const momentAt = (monotonicMs: number) => ({
	monotonicMs,
	wallMs: Date.UTC(2026, 10, 15, 12) + monotonicMs,
});

/** Creates the state machine of a watcher that polls every second, without jitter. */
function createState(options: Partial<WatchOptions> = {}, savedParts: { ids?: object[] } = {}) {
	const savedState = { version: 1, ids: [], confirmedIds: [], ...savedParts };
	const allOptions = { ...WATCH_DEFAULTS, intervalMs: SECOND_MS, ...options };
	const state = new WatchState(allOptions, () => 0, readSnapshot(savedState), [], momentAt(0));
	return {
		state,
		add: (nowMs: number, ...ids: string[]) =>
			state.add(
				ids.map((id) => ({ id })),
				true,
				momentAt(nowMs),
			),
		/** Applies a result that arrives at once. */
		apply: (id: string, result: PollResult, nowMs: number) =>
			state.applyResult(id, nowMs, result, momentAt(nowMs)),
		takeStartedIds: (nowMs: number) => state.takeStarts(momentAt(nowMs)).map(({ id }) => id),
	};
}
/** An ID that has ended: its results only show whether the service is available. */
const OTHER_ID = 'other';

describe('the poll schedule', () => {
	test('spreads new IDs over one interval, from now on', () => {
		const { state, add } = createState();
		add(5, 'a', 'b');
		expect(state.nextDueAt(0)).toBe(5);
		expect(state.takeDue(0, momentAt(5))!.entry.id).toBe('a');
		expect(state.nextDueAt(1)).toBe(505);
	});

	test('returns all IDs that are due at the same moment', () => {
		const { state, add } = createState();
		add(0, 'a', 'b');
		const due = [0, 1, 2].map((inFlight) => state.takeDue(inFlight, momentAt(600))?.entry.id);
		expect(due).toEqual(['a', 'b', undefined]);
	});

	test.each<[string, PollResult]>([
		['failed', failedResult],
		['rejected', { kind: 'credentialRejected', message: '403' }],
	])(
		'doubles the delay of an ID that is %s while others succeed, up to five times',
		(_, result) => {
			const { state, add, apply } = createState();
			add(0, 'a');
			let nowMs = 0;
			for (const waitSeconds of [2, 4, 8, 16, 32, 32]) {
				state.takeDue(0, momentAt(nowMs));
				apply(OTHER_ID, pendingResult, nowMs);
				expect(apply('a', result, nowMs)).toEqual({});
				expect(state.nextDueAt(0) - nowMs).toBe(waitSeconds * SECOND_MS);
				nowMs = state.nextDueAt(0);
			}
			state.takeDue(0, momentAt(nowMs));
			apply('a', pendingResult, nowMs);
			expect(state.nextDueAt(0) - nowMs).toBe(SECOND_MS);
			apply('a', failedResult, nowMs);
			expect(state.nextDueAt(0) - nowMs).toBe(2 * SECOND_MS);
		},
	);

	test('delays an ID by no more than the pause of an unavailable service', () => {
		const { state, add, apply } = createState();
		add(0, 'a');
		for (const [nowSeconds, waitSeconds] of [
			[0, 2],
			[2, 2],
			[4, 4],
		] as const) {
			state.takeDue(0, momentAt(nowSeconds * SECOND_MS));
			apply('a', unavailableResult, nowSeconds * SECOND_MS);
			expect(state.nextDueAt(0)).toBe((nowSeconds + waitSeconds) * SECOND_MS);
		}
	});

	test('doubles the delay of the only ID each time it fails', () => {
		const { state, add, apply } = createState();
		add(0, 'a');
		for (const [nowSeconds, waitSeconds] of [
			[0, 2],
			[2, 4],
			[6, 8],
		] as const) {
			state.takeDue(0, momentAt(nowSeconds * SECOND_MS));
			apply('a', failedResult, nowSeconds * SECOND_MS);
			expect(state.nextDueAt(0)).toBe((nowSeconds + waitSeconds) * SECOND_MS);
		}
	});

	test('continues one interval after a failure that arrives late during an outage', () => {
		const { state, add, apply } = createState();
		add(0, 'a');
		state.takeDue(0, momentAt(0));
		apply(OTHER_ID, unavailableResult, 10);
		state.applyResult('a', 0, unavailableResult, momentAt(5 * SECOND_MS));
		expect(state.nextDueAt(0)).toBe(6 * SECOND_MS);
	});
});

describe('a response for an ID that has ended', () => {
	test.each<[string, PollResult]>([
		['unavailable', unavailableResult],
		['unrecognized', unrecognizedResult],
		['pending', pendingResult],
		['finished', finishedResult('approved')],
	])('schedules nothing: %s', (_, result) => {
		const { state, apply } = createState();
		apply(OTHER_ID, pendingResult, 0);
		for (const nowMs of [1, 2, 3, 4]) apply('ended', result, nowMs);
		expect(state.nextDueAt(0)).toBe(Infinity);
		expect(state.isIdle).toBe(true);
	});
});

describe('the end of an ID', () => {
	test.each(['response', 'deadline'])('leaves nothing to poll (ended by %s)', (endedBy) => {
		const { state, add, apply, takeStartedIds } = createState({ maxWaitMs: 500 });
		add(0, 'a');
		if (endedBy === 'response') {
			state.takeDue(0, momentAt(0));
			apply('a', finishedResult('approved'), 500);
		} else state.expire(momentAt(500));
		expect(takeStartedIds(500)).toEqual(['a']);
		expect(state.nextDueAt(0)).toBe(Infinity);
	});

	test('is delayed by half a minute for a last poll if its deadline passed during a restart', () => {
		const savedState = { ids: [{ id: 'a', addedAt: 0, polls: 1, submitted: true }] };
		const { state } = createState({ maxWaitMs: 5 * MINUTE_MS }, savedState);
		state.expire(momentAt(30 * SECOND_MS - 1));
		expect(state.watchedCount).toBe(1);
		state.expire(momentAt(30 * SECOND_MS));
		expect(state.watchedCount).toBe(0);
	});

	test('does not mention a problem that is over', () => {
		const { state, add, apply } = createState({ maxWaitMs: MINUTE_MS });
		add(0, 'a', 'b');
		apply('b', pendingResult, 0);
		for (const id of ['a', 'b']) apply(id, failedResult, 10);
		apply('a', pendingResult, 20);
		state.expire(momentAt(MINUTE_MS));
		const troubles = state.takeStarts(momentAt(MINUTE_MS)).map(({ trouble }) => trouble);
		expect(troubles).toEqual([undefined, '422']);
	});
});

describe('three unrecognized responses after all other IDs have ended', () => {
	/** Applies three unrecognized responses long after the last good one; returns how many IDs are left. */
	const applyThreeUnrecognized = ({ state, apply }: ReturnType<typeof createState>) => {
		for (const seconds of [60, 70, 80]) apply('a', unrecognizedResult, seconds * SECOND_MS);
		return state.watchedCount;
	};

	test.each([
		['end their ID if another ID had a good response when it was added', 0],
		['end their ID if another ID had a good response since it was added', 1],
		['do not end their ID if the last good response was before it was added', -1],
	])('%s', (_, offsetMs) => {
		const rig = createState();
		rig.apply(OTHER_ID, pendingResult, 100 + offsetMs);
		rig.add(100, 'a');
		expect(applyThreeUnrecognized(rig)).toBe(offsetMs < 0 ? 1 : 0);
	});

	test('do not end an ID that had a recognized response before a restart', () => {
		for (const wasOutstanding of [true, undefined]) {
			const savedState = {
				ids: [{ id: 'a', addedAt: 0, polls: 1, submitted: true, seenOutstanding: wasOutstanding }],
			};
			const rig = createState({}, savedState);
			rig.apply(OTHER_ID, pendingResult, 100);
			expect(applyThreeUnrecognized(rig)).toBe(wasOutstanding ? 1 : 0);
		}
	});
});

describe('requested starts', () => {
	/** Returns a state with IDs that have all ended at the beginning. */
	function stateWithEndedIds(count: number, options: Partial<WatchOptions> = {}) {
		const rig = createState(options);
		const ids = createIds(count).map(({ id }) => id);
		rig.add(0, ...ids);
		for (const id of ids) rig.apply(id, finishedResult('approved'), 0);
		return rig;
	}

	test('are sent ten at a time, with a pause between', () => {
		const { state, takeStartedIds } = stateWithEndedIds(25);
		expect(takeStartedIds(0)).toHaveLength(10);
		expect(state.nextDueAt(0)).toBe(50);
		expect([49, 50, 99, 100].map((nowMs) => takeStartedIds(nowMs).length)).toEqual([0, 10, 0, 5]);
		expect(state.nextDueAt(0)).toBe(Infinity);
	});

	test('are sent after one second if they are from before a restart', () => {
		const end = { outcome: 'approved', endedAt: 0 };
		const { state, takeStartedIds } = createState(
			{},
			{ ids: [{ id: 'a', addedAt: 0, polls: 1, end }] },
		);
		expect(state.nextDueAt(0)).toBe(SECOND_MS);
		expect([SECOND_MS - 1, SECOND_MS].map((nowMs) => takeStartedIds(nowMs))).toEqual([[], ['a']]);
	});

	test('are repeated after up to a minute if rejected, and the fifth rejection is reported', () => {
		const { state, takeStartedIds } = stateWithEndedIds(1);
		let nowMs = 0;
		const reports = [1, 2, 4, 8, 16, 32, 60, 60].map((waitSeconds) => {
			expect(takeStartedIds(nowMs)).toEqual(['id0']);
			const report = state.recordStartRejection('id0', `no at ${nowMs}`, momentAt(nowMs));
			expect(state.nextDueAt(0) - nowMs).toBe(waitSeconds * SECOND_MS);
			nowMs = state.nextDueAt(0);
			return report;
		});
		const reported = { kind: 'startsRejected', message: `no at ${15 * SECOND_MS}` };
		const none = undefined;
		expect(reports).toEqual([none, none, none, none, reported, none, none, none]);
	});

	test('count their rejections from zero for an ID that is added again', () => {
		const { state, add, apply, takeStartedIds } = stateWithEndedIds(1, { maxKnownEnded: 0 });
		takeStartedIds(0);
		state.recordStartRejection('id0', 'overloaded', momentAt(0));
		takeStartedIds(SECOND_MS);
		state.confirmStart('id0');
		add(MINUTE_MS, 'id0');
		apply('id0', finishedResult('denied'), MINUTE_MS);
		expect(takeStartedIds(MINUTE_MS)).toEqual(['id0']);
		state.recordStartRejection('id0', 'overloaded', momentAt(MINUTE_MS));
		expect(state.nextDueAt(0)).toBe(MINUTE_MS + SECOND_MS);
	});

	test('are not repeated once confirmed, even if a rejection arrives later', () => {
		const { state, takeStartedIds } = stateWithEndedIds(2);
		expect(takeStartedIds(0)).toEqual(['id0', 'id1']);
		state.confirmStart('id0');
		for (const id of ['id0', 'id1']) state.recordStartRejection(id, 'overloaded', momentAt(0));
		expect(takeStartedIds(SECOND_MS)).toEqual(['id1']);
	});
});

describe('the state to save', () => {
	test('exists at the start, and after each step of an ID except a poll', () => {
		const { state, add, apply, takeStartedIds } = createState();
		const takeSavedEnds = () => state.takeUnsaved()?.ids.map(({ end }) => end);
		expect(state.takeUnsaved()).toEqual({ version: 1, ids: [], confirmedIds: [] });
		add(0, 'a');
		expect(takeSavedEnds()).toEqual([undefined]);
		apply('a', pendingResult, 1);
		expect(takeSavedEnds()).toBeUndefined();
		apply('a', finishedResult('approved'), 2);
		expect(takeSavedEnds()).toMatchObject([{ outcome: 'approved' }]);
		takeStartedIds(3);
		expect(takeSavedEnds()).toMatchObject([{ requestedAt: momentAt(3).wallMs }]);
		state.recordStartRejection('a', 'overloaded', momentAt(4));
		expect(takeSavedEnds()).toMatchObject([{ requestedAt: undefined }]);
		takeStartedIds(2000);
		expect(takeSavedEnds()).toMatchObject([{ requestedAt: momentAt(2000).wallMs }]);
		state.confirmStart('a');
		expect(state.takeUnsaved()).toMatchObject({ ids: [], confirmedIds: ['a'] });
		expect(state.takeUnsaved()).toBeUndefined();
	});

	test('does not exist after IDs were rejected', () => {
		const { state, add } = createState();
		state.takeUnsaved();
		expect(add(0, 'a', '..').ok).toBe(false);
		expect([state.takeUnsaved(), state.nextDueAt(0)]).toEqual([undefined, Infinity]);
	});
});
