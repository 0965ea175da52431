// Protects the state of watched IDs: each is polled when it is due, ends once, and every step except a poll is saved.
import { readSnapshot } from '../../../nodes/engine/watch';
import type { PollResult, SavedId, WatchOptions } from '../../../nodes/engine/watch';
import { Starts } from '../../../nodes/engine/watch/starts';
import { WATCH_DEFAULTS } from '../../../nodes/engine/watch/types';
import { WatchState } from '../../../nodes/engine/watch/watchState';
import { finishedResult, pendingResult } from './idHarness';

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

/** Creates starts that no test requests. */
const createStarts = () =>
	new Starts<SavedId>(
		{
			save: () => undefined,
			reportRejection: () => undefined,
			sleep: async () => undefined,
			clock: { now: () => momentAt(0).wallMs, monotonic: () => 0 },
		},
		{ repeatStartsForMs: 1000 },
	);

/** Creates the state machine of a watcher that polls every second, without jitter. */
function createState(options: Partial<WatchOptions> = {}, savedParts: { ids?: object[] } = {}) {
	const savedState = { version: 1, ids: [], confirmedIds: [], ...savedParts };
	const allOptions = { ...WATCH_DEFAULTS, intervalMs: SECOND_MS, ...options };
	const restored = readSnapshot(savedState);
	const state = new WatchState(allOptions, () => 0, createStarts(), restored, [], momentAt(0));
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
		takeEndedIds: () => state.takeEnded().map(({ id }) => id),
	};
}
/** An ID that has ended: its results only show whether the service is available. */
const OTHER_ID = 'other';

describe('an unknown state', () => {
	const unknownResult: PollResult = { kind: 'pending', message: 'The status is unknown' };

	test('is reported once, and is the trouble of an ID that it ends with', () => {
		const { state, add, apply } = createState({ maxWaitMs: MINUTE_MS });
		add(0, 'a', 'b');
		expect(apply('a', unknownResult, 10)).toEqual({
			report: { kind: 'unknownState', message: 'The status is unknown' },
		});
		expect(apply('a', unknownResult, 20)).toEqual({});
		expect(apply('b', unknownResult, 30)).toEqual({});
		apply('b', pendingResult, 40);
		state.expire(momentAt(2 * MINUTE_MS));
		expect(state.takeEnded().map(({ id, end }) => [id, end?.outcome, end?.trouble])).toEqual([
			['a', 'stillOutstanding', 'The status is unknown'],
			['b', 'stillOutstanding', undefined],
		]);
	});

	test('is the trouble of an ID that a single poll ends', () => {
		const { state, add, apply } = createState({ endsWhilePending: true });
		add(0, 'a');
		apply('a', unknownResult, 10);
		expect(state.takeEnded()[0]?.end?.trouble).toBe('The status is unknown');
	});
});

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
		const { state, add, apply, takeEndedIds } = createState({ maxWaitMs: 500 });
		add(0, 'a');
		if (endedBy === 'response') {
			state.takeDue(0, momentAt(0));
			apply('a', finishedResult('approved'), 500);
		} else state.expire(momentAt(500));
		expect(takeEndedIds()).toEqual(['a']);
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
		const troubles = state.takeEnded().map(({ end }) => end?.trouble);
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

describe('ended IDs', () => {
	test('are returned once, first those from before a restart', () => {
		const end = { outcome: 'approved', endedAt: 0 };
		const rig = createState({}, { ids: [{ id: 'old', addedAt: 0, polls: 1, end }] });
		rig.add(0, 'a', 'b');
		for (const id of ['b', 'a']) rig.apply(id, finishedResult('approved'), 0);
		expect(rig.takeEndedIds()).toEqual(['old', 'b', 'a']);
		expect(rig.takeEndedIds()).toEqual([]);
	});
});

describe('the state to save', () => {
	test('exists at the start, and after each step of an ID except a poll', () => {
		const { state, add, apply } = createState();
		const takeSavedEnds = () => state.takeUnsaved()?.ids.map(({ end }) => end);
		expect(state.takeUnsaved()).toEqual({ version: 1, ids: [], confirmedIds: [] });
		add(0, 'a');
		expect(takeSavedEnds()).toEqual([undefined]);
		apply('a', pendingResult, 1);
		expect(takeSavedEnds()).toBeUndefined();
		apply('a', finishedResult('approved'), 2);
		expect(takeSavedEnds()).toMatchObject([{ outcome: 'approved' }]);
		state.noteStartChanged();
		expect(takeSavedEnds()).toMatchObject([{ requestedAt: undefined }]);
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
