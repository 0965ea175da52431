import type { PollResult, WatchOptions } from '../../../nodes/engine/watch';
import { WATCH_DEFAULTS } from '../../../nodes/engine/watch/types';
import { WatchState } from '../../../nodes/engine/watch/watchState';
import { finishedResult, createIds, pendingResult } from './idHarness';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const unavailable: PollResult = { kind: 'unavailable', message: '503' };
const failed: PollResult = { kind: 'failed', message: '422' };
const unrecognized: PollResult = {
	kind: 'unrecognized',
	message: 'no JSON',
	outcome: 'unrecognized',
};

/** One moment; the wall clock shows noon when the monotonic clock begins. */
const moment = (monotonicMs: number) => ({
	monotonicMs,
	wallMs: Date.UTC(2026, 10, 15, 12) + monotonicMs,
});

/** State machine of a watcher that polls every second, without jitter. */
function createState(options: Partial<WatchOptions> = {}, savedParts: { ids?: object[] } = {}) {
	const saved = { version: 1, ids: [], confirmedIds: [], ...savedParts };
	const allOptions = { ...WATCH_DEFAULTS, intervalMs: SECOND, ...options };
	const state = new WatchState(allOptions, () => 0, saved, [], moment(0));
	return {
		state,
		add: (nowMs: number, ...names: string[]) =>
			state.add(
				names.map((id) => ({ id })),
				true,
				moment(nowMs),
			),
		/** Applies a result that arrives at once. */
		apply: (id: string, result: PollResult, now: number) =>
			state.applyResult(id, now, result, moment(now)),
		starts: (now: number) => state.takeStarts(moment(now)).map(({ id }) => id),
	};
}
/** An ID that has ended: its results only show whether the service is available. */
const OTHER_ID = 'other';

describe('the poll schedule', () => {
	test('spreads new IDs over one interval, from now on', () => {
		const { state, add } = createState();
		add(5, 'a', 'b');
		expect(state.nextDueAt(0)).toBe(5);
		expect(state.takeDue(0, moment(5))!.entry.id).toBe('a');
		expect(state.nextDueAt(1)).toBe(505);
	});

	test('returns two due IDs at the same moment', () => {
		const { state, add } = createState();
		add(0, 'a', 'b');
		const due = [0, 1, 2].map((inFlight) => state.takeDue(inFlight, moment(600))?.entry.id);
		expect(due).toEqual(['a', 'b', undefined]);
	});

	test.each<[string, PollResult]>([
		['failed', failed],
		['rejected', { kind: 'credentialRejected', message: '403' }],
	])(
		'doubles the delay of an ID that is %s while others succeed, up to five times',
		(_, result) => {
			const { state, add, apply } = createState();
			add(0, 'a');
			let nowMs = 0;
			for (const wait of [2, 4, 8, 16, 32, 32]) {
				state.takeDue(0, moment(nowMs));
				apply(OTHER_ID, pendingResult, nowMs);
				expect(apply('a', result, nowMs)).toEqual({});
				expect(state.nextDueAt(0) - nowMs).toBe(wait * SECOND);
				nowMs = state.nextDueAt(0);
			}
			state.takeDue(0, moment(nowMs));
			apply('a', pendingResult, nowMs);
			expect(state.nextDueAt(0) - nowMs).toBe(SECOND);
			apply('a', failed, nowMs);
			expect(state.nextDueAt(0) - nowMs).toBe(2 * SECOND);
		},
	);

	test('delays an ID by no more than the pause of an unavailable service', () => {
		const { state, add, apply } = createState();
		add(0, 'a');
		for (const [nowMs, wait] of [
			[0, 2],
			[2, 2],
			[4, 4],
		] as const) {
			state.takeDue(0, moment(nowMs * SECOND));
			apply('a', unavailable, nowMs * SECOND);
			expect(state.nextDueAt(0)).toBe((nowMs + wait) * SECOND);
		}
	});

	test('also doubles the delay of a failed ID that is the only one', () => {
		const { state, add, apply } = createState();
		add(0, 'a');
		for (const [nowMs, wait] of [
			[0, 2],
			[2, 4],
			[6, 8],
		] as const) {
			state.takeDue(0, moment(nowMs * SECOND));
			apply('a', failed, nowMs * SECOND);
			expect(state.nextDueAt(0)).toBe((nowMs + wait) * SECOND);
		}
	});

	test('resumes one interval after a response that arrives late during an outage', () => {
		const { state, add, apply } = createState();
		add(0, 'a');
		state.takeDue(0, moment(0));
		apply(OTHER_ID, unavailable, 10);
		state.applyResult('a', 0, unavailable, moment(5 * SECOND));
		expect(state.nextDueAt(0)).toBe(6 * SECOND);
	});
});

describe('a response for an ID that has ended', () => {
	test.each<[string, PollResult]>([
		['unavailable', unavailable],
		['unrecognized', unrecognized],
		['pending', pendingResult],
		['finished', finishedResult('approved')],
	])('schedules nothing: %s', (_, result) => {
		const { state, apply } = createState();
		apply(OTHER_ID, pendingResult, 0);
		for (const now of [1, 2, 3, 4]) apply('ended', result, now);
		expect(state.nextDueAt(0)).toBe(Infinity);
		expect(state.isIdle).toBe(true);
	});
});

describe('the end of an ID', () => {
	test.each(['answer', 'deadline'])('leaves nothing to poll (ended by %s)', (endedBy) => {
		const { state, add, apply, starts } = createState({ maxWaitMs: 500 });
		add(0, 'a');
		if (endedBy === 'answer') {
			state.takeDue(0, moment(0));
			apply('a', finishedResult('approved'), 500);
		} else state.expire(moment(500));
		expect(starts(500)).toEqual(['a']);
		expect(state.nextDueAt(0)).toBe(Infinity);
	});

	test('is delayed by half a minute for a last poll if its deadline passed during a restart', () => {
		const saved = { ids: [{ id: 'a', addedAt: 0, polls: 1, submitted: true }] };
		const { state } = createState({ maxWaitMs: 5 * MINUTE }, saved);
		state.expire(moment(30 * SECOND - 1));
		expect(state.watchedCount).toBe(1);
		state.expire(moment(30 * SECOND));
		expect(state.watchedCount).toBe(0);
	});

	test('does not mention a problem that is over', () => {
		const { state, add, apply } = createState({ maxWaitMs: MINUTE });
		add(0, 'a', 'b');
		apply('b', pendingResult, 0);
		for (const id of ['a', 'b']) apply(id, failed, 10);
		apply('a', pendingResult, 20);
		state.expire(moment(MINUTE));
		const troubles = state.takeStarts(moment(MINUTE)).map(({ trouble }) => trouble);
		expect(troubles).toEqual([undefined, '422']);
	});
});

describe('three unrecognized responses after all other IDs have ended', () => {
	/** Applies three unrecognized responses long after the last good one; returns how many IDs are left. */
	const applyThreeUnrecognized = ({ state, apply }: ReturnType<typeof createState>) => {
		for (const seconds of [60, 70, 80]) apply('a', unrecognized, seconds * SECOND);
		return state.watchedCount;
	};

	test.each([
		['end their ID if another ID had a good response when it was added', 0],
		['end their ID if another ID had a good response since it was added', 1],
		['do not end their ID if the last good response was before it was added', -1],
	])('%s', (_, offset) => {
		const rig = createState();
		rig.apply(OTHER_ID, pendingResult, 100 + offset);
		rig.add(100, 'a');
		expect(applyThreeUnrecognized(rig)).toBe(offset < 0 ? 1 : 0);
	});

	test('do not end an ID that had a recognized response before a restart', () => {
		for (const isSeen of [true, undefined]) {
			const saved = {
				ids: [{ id: 'a', addedAt: 0, polls: 1, submitted: true, seenOutstanding: isSeen }],
			};
			const rig = createState({}, saved);
			rig.apply(OTHER_ID, pendingResult, 100);
			expect(applyThreeUnrecognized(rig)).toBe(isSeen ? 1 : 0);
		}
	});
});

describe('requested starts', () => {
	/** Returns a state with IDs that have all ended at the beginning. */
	function stateWithEndedIds(count: number, options: Partial<WatchOptions> = {}) {
		const rig = createState(options);
		const names = createIds(count).map(({ id }) => id);
		rig.add(0, ...names);
		for (const id of names) rig.apply(id, finishedResult('approved'), 0);
		return rig;
	}

	test('are sent ten at a time, with a pause between', () => {
		const { state, starts } = stateWithEndedIds(25);
		expect(starts(0)).toHaveLength(10);
		expect(state.nextDueAt(0)).toBe(50);
		expect([49, 50, 99, 100].map((now) => starts(now).length)).toEqual([0, 10, 0, 5]);
		expect(state.nextDueAt(0)).toBe(Infinity);
	});

	test('wait for a second if they are from before a restart', () => {
		const end = { outcome: 'approved', endedAt: 0 };
		const { state, starts } = createState({}, { ids: [{ id: 'a', addedAt: 0, polls: 1, end }] });
		expect(state.nextDueAt(0)).toBe(SECOND);
		expect([SECOND - 1, SECOND].map((now) => starts(now))).toEqual([[], ['a']]);
	});

	test('are repeated after up to a minute if rejected, and the fifth rejection is reported', () => {
		const { state, starts } = stateWithEndedIds(1);
		let nowMs = 0;
		const reports = [1, 2, 4, 8, 16, 32, 60, 60].map((wait) => {
			expect(starts(nowMs)).toEqual(['id0']);
			const report = state.rejectStart('id0', `no at ${nowMs}`, moment(nowMs));
			expect(state.nextDueAt(0) - nowMs).toBe(wait * SECOND);
			nowMs = state.nextDueAt(0);
			return report;
		});
		const reported = { kind: 'startsRejected', message: `no at ${15 * SECOND}` };
		const none = undefined;
		expect(reports).toEqual([none, none, none, none, reported, none, none, none]);
	});

	test('count their rejections from zero for an ID that is added again', () => {
		const { state, add, apply, starts } = stateWithEndedIds(1, { maxKnownEnded: 0 });
		starts(0);
		state.rejectStart('id0', 'overloaded', moment(0));
		starts(SECOND);
		state.confirmStart('id0');
		add(MINUTE, 'id0');
		apply('id0', finishedResult('denied'), MINUTE);
		expect(starts(MINUTE)).toEqual(['id0']);
		state.rejectStart('id0', 'overloaded', moment(MINUTE));
		expect(state.nextDueAt(0)).toBe(MINUTE + SECOND);
	});

	test('are not repeated once confirmed, even if a rejection arrives later', () => {
		const { state, starts } = stateWithEndedIds(2);
		expect(starts(0)).toEqual(['id0', 'id1']);
		state.confirmStart('id0');
		for (const id of ['id0', 'id1']) state.rejectStart(id, 'overloaded', moment(0));
		expect(starts(SECOND)).toEqual(['id1']);
	});
});

describe('the state to save', () => {
	test('contains everything at the start, then each step of an ID', () => {
		const { state, add, apply, starts } = createState();
		const endSaved = () => state.takeUnsaved()?.ids.map(({ end }) => end);
		expect(state.takeUnsaved()).toEqual({ version: 1, ids: [], confirmedIds: [] });
		add(0, 'a');
		expect(endSaved()).toEqual([undefined]);
		apply('a', pendingResult, 1);
		expect(endSaved()).toBeUndefined();
		apply('a', finishedResult('approved'), 2);
		expect(endSaved()).toMatchObject([{ outcome: 'approved' }]);
		starts(3);
		expect(endSaved()).toMatchObject([{ requestedAt: moment(3).wallMs }]);
		state.rejectStart('a', 'overloaded', moment(4));
		expect(endSaved()).toMatchObject([{ requestedAt: undefined }]);
		starts(2000);
		expect(endSaved()).toMatchObject([{ requestedAt: moment(2000).wallMs }]);
		state.confirmStart('a');
		expect(state.takeUnsaved()).toMatchObject({ ids: [], confirmedIds: ['a'] });
		expect(state.takeUnsaved()).toBeUndefined();
	});

	test('is unchanged if IDs are rejected', () => {
		const { state, add } = createState();
		state.takeUnsaved();
		expect(add(0, 'a', '..').ok).toBe(false);
		expect([state.takeUnsaved(), state.nextDueAt(0)]).toEqual([undefined, Infinity]);
	});
});
