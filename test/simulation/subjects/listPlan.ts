import fc from 'fast-check';

import type { Crash } from '../world/crashes';
import type { ListChange } from '../world/recordLists';
import { anyTime } from './worldPlan';

/** The changes of a plan: at set times, and between two pages of one read. */
export interface PlannedChanges {
	initialCount: number;
	changes: Array<{ atMs: number; change: ListChange }>;
	betweenPages: Array<{ atMs: number; change: ListChange }>;
	/** Steps of the service's clock. */
	serviceSteps: Array<{ atMs: number; byMs: number }>;
}

const HOUR_MS = 3_600_000;

/** Often one of the first records, so that several changes concern the same. */
const anyIndex = fc.oneof(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 9 }));
/** Times that are shorter than the overlap, that only the check that reaches back two hours finds, and that none finds. */
const anyLateMs = fc.oneof(
	{ weight: 6, arbitrary: fc.constant(0) },
	{ weight: 3, arbitrary: anyTime(50_000) },
	{ weight: 1, arbitrary: fc.constantFrom(400_000, 3 * HOUR_MS) },
);
const anyList = fc.integer({ min: 0, max: 2 });

export const anyChange: fc.Arbitrary<ListChange> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			list: anyList,
			lateMs: anyLateMs,
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constantFrom('edit' as const, 'edit', 'status', 'checkIn', 'revert', 'recreate'),
			record: anyIndex,
			lateMs: anyLateMs,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('delete' as const), record: anyIndex }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('import' as const),
			list: anyList,
			count: fc.integer({ min: 1, max: 4 }),
		}),
	},
);

/** Generates changes until `plannedMs`. */
export function anyPlannedChanges(plannedMs: number): fc.Arbitrary<PlannedChanges> {
	const anyTimedChanges = (maxLength: number) =>
		fc.array(fc.record({ atMs: anyTime(plannedMs), change: anyChange }), { maxLength });
	return fc.record({
		initialCount: fc.integer({ min: 0, max: 4 }),
		changes: anyTimedChanges(16),
		betweenPages: anyTimedChanges(4),
		serviceSteps: fc.oneof(
			{ weight: 4, arbitrary: fc.constant<PlannedChanges['serviceSteps']>([]) },
			{
				weight: 1,
				arbitrary: fc.array(
					fc.record({
						atMs: anyTime(plannedMs),
						byMs: fc.constantFrom(-5 * HOUR_MS, -60_000, -1500, 1500, 60_000, 2 * HOUR_MS),
					}),
					{ minLength: 1, maxLength: 2 },
				),
			},
		),
	});
}

/** Generates crashes around starts and saves: few effects are of these kinds, and most promises depend on them. */
export const anyCrashAtStart: fc.Arbitrary<Crash[]> = fc.array(
	fc.record({
		kind: fc.constantFrom('start' as const, 'save'),
		nth: fc.integer({ min: 1, max: 8 }),
		side: fc.constantFrom('before' as const, 'after'),
		downtimeMs: anyTime(90_000),
	}),
	{ maxLength: 4 },
);

export const noChanges: PlannedChanges = {
	initialCount: 1,
	changes: [],
	betweenPages: [],
	serviceSteps: [],
};
