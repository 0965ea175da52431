import fc from 'fast-check';

import { checkLists } from '../checker/lists';
import planted from '../planted/listCore.json';
import { CoreListHistory } from '../world/coreListHistory';
import type { CoreListPlan, CoreStep } from '../world/coreListPlan';
import type { ListChange } from '../world/recordLists';
import { anyChange, anyCrashAtStart } from './listPlan';
import type { Subject } from './subject';
import { anyTime, anyWorldPlan, calmPlan } from './worldPlan';

const HOUR_MS = 3_600_000;
/** Outages begin until this time. */
const OUTAGES_MS = 300_000;
/** Longer than polling pauses after faults, plus 15 minutes until the check that reaches back two hours. */
const CALM_MS = 1_300_000;

/** The longest downtimes exceed the 72 hours within which a trigger repeats a start. */
const anyDowntime = fc.oneof(
	{ weight: 6, arbitrary: anyTime(90_000) },
	{ weight: 1, arbitrary: fc.integer({ min: HOUR_MS, max: 30 * HOUR_MS }) },
	{ weight: 1, arbitrary: fc.integer({ min: 70 * HOUR_MS, max: 100 * HOUR_MS }) },
);

const anyStep: fc.Arbitrary<CoreStep> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), change: anyChange }) },
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('betweenPages' as const), change: anyChange }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('kill' as const), downtimeMs: anyDowntime }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('reopen' as const),
			downtimeMs: anyTime(30_000),
			isStale: fc.boolean(),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('clock' as const),
			byMs: fc.constantFrom(-200 * HOUR_MS, -90_000, 90_000, 200 * HOUR_MS),
		}),
	},
);

const plans: fc.Arbitrary<CoreListPlan> = fc
	.tuple(
		anyWorldPlan(OUTAGES_MS),
		anyCrashAtStart,
		fc.record({
			isFiltered: fc.boolean(),
			kinds: fc.subarray(['created', 'updated', 'statusChanged', 'checkedIn'], { minLength: 1 }),
			listCount: fc.integer({ min: 1, max: 3 }),
			initialCount: fc.integer({ min: 0, max: 4 }),
			steps: fc.array(
				fc.record({
					afterMs: fc.oneof(anyTime(1000), anyTime(5000), anyTime(40_000), anyTime(90_000)),
					step: anyStep,
				}),
				{ maxLength: 20, size: 'max' },
			),
			outages: fc.array(
				fc.record({
					atMs: anyTime(OUTAGES_MS),
					forMs: anyTime(120_000),
					list: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
					fault: fc.constantFrom(
						'missing' as const,
						'failed',
						'unavailable',
						'rateLimited',
						'disconnecting',
						'undiscovered',
					),
				}),
				{ maxLength: 2 },
			),
			order: fc.constantFrom('number' as const, 'oldest', 'newest'),
			pageSize: fc.integer({ min: 2, max: 5 }),
			dates: fc.record({
				format: fc.constantFrom('zoned' as const, 'offset', 'epoch', 'zoneless'),
				header: fc.constantFrom('always' as const, 'always', 'always', 'sometimes', 'never'),
				resolutionMs: fc.constantFrom(1 as const, 1000),
			}),
			skewMs: fc.constantFrom(0, 0, 5000),
			intervalMs: fc.constantFrom(30_000, 60_000),
			overlapMs: fc.constantFrom(30_000, 120_000),
			rejectedStartsPercent: fc.constantFrom(0, 0, 30),
			longRunsPercent: fc.constantFrom(0, 20, 60),
			failedWritesPercent: fc.constantFrom(0, 0, 50),
			batchesChanges: fc.constantFrom(false, false, true),
			includeExisting: fc.constantFrom(false, false, true),
			maxUnconfirmed: fc.constantFrom(2, 5, 50),
		}),
	)
	.map(([world, crashes, settings]) => ({
		...world,
		...settings,
		calmMs: CALM_MS,
		crashes: [...world.crashes, ...crashes],
	}));

const shortPlan: CoreListPlan = {
	...calmPlan,
	isFiltered: true,
	kinds: ['created', 'updated', 'statusChanged', 'checkedIn'],
	listCount: 1,
	initialCount: 1,
	steps: [],
	outages: [],
	order: 'number',
	pageSize: 2,
	dates: { format: 'zoned', header: 'always', resolutionMs: 1 },
	skewMs: 0,
	intervalMs: 60_000,
	overlapMs: 30_000,
	rejectedStartsPercent: 0,
	longRunsPercent: 0,
	failedWritesPercent: 0,
	batchesChanges: false,
	includeExisting: false,
	maxUnconfirmed: 2,
	calmMs: 300_000,
};

/** Returns changes that follow each other, one every `afterMs`. */
const every = (afterMs: number, ...changes: ListChange[]): CoreListPlan['steps'] =>
	changes.map((change) => ({ afterMs, step: { kind: 'change', change } }));
const inTurn = (...changes: ListChange[]) => every(20_000, ...changes);
/** Each is read by a check of its own. */
const checkByCheck = (...changes: ListChange[]) => every(62_000, ...changes);
const create: ListChange = { kind: 'create', list: 0, lateMs: 0 };
const edit: ListChange = { kind: 'edit', record: 0, lateMs: 0 };
const checkIn: ListChange = { kind: 'checkIn', record: 0, lateMs: 0 };
const setStatus: ListChange = { kind: 'status', record: 0, lateMs: 0 };
const revert: ListChange = { kind: 'revert', record: 0, lateMs: 0 };
const remove: ListChange = { kind: 'delete', record: 0 };
const recreate: ListChange = { kind: 'recreate', record: 0, lateMs: 0 };
const compared: CoreListPlan = { ...shortPlan, isFiltered: false };
const reopen = (isStale: boolean): CoreListPlan['steps'] => [
	{ afterMs: 62_000, step: { kind: 'reopen', downtimeMs: 5000, isStale } },
];
const zoneless: CoreListPlan['dates'] = {
	format: 'zoneless',
	header: 'always',
	resolutionMs: 1000,
};

const shortPlans: CoreListPlan[] = [
	{ ...shortPlan, steps: every(10_000, create, create, create) },
	{ ...shortPlan, steps: inTurn(edit, revert, edit), keepsExecutions: false },
	{ ...shortPlan, steps: inTurn(create, edit, checkIn), listCount: 2 },
	{ ...shortPlan, steps: checkByCheck(remove, recreate, edit) },
	{
		...shortPlan,
		includeExisting: true,
		initialCount: 2,
		steps: [...inTurn(edit), ...reopen(true)],
	},
	{ ...shortPlan, dates: zoneless, steps: checkByCheck(edit, edit) },
	// The second page of the second check fails; its record is older than the overlap at the next check.
	{
		...shortPlan,
		order: 'newest',
		steps: [...every(1000, create, create), ...every(49_000, create), ...every(60_000, create)],
		faults: [{ request: 5, fault: '500' }],
	},
	// A record moves to a page that was read already.
	{
		...shortPlan,
		order: 'newest',
		steps: [
			...every(1000, create, create),
			...every(49_000, create),
			{ afterMs: 0, step: { kind: 'betweenPages', change: { kind: 'delete', record: 3 } } },
			...every(30_000, create),
		],
	},
	{ ...compared, steps: inTurn(create, checkIn, checkIn) },
	{ ...compared, steps: inTurn(edit, revert, edit, revert) },
	{ ...compared, steps: checkByCheck(checkIn, checkIn, checkIn), keepsExecutions: false },
	{ ...compared, steps: inTurn(create, create), batchesChanges: true },
	// One check finds two changes of a record, and the start of the second waits for the first.
	{ ...compared, steps: inTurn(checkIn, setStatus), longRunsPercent: 100, maxUnconfirmed: 1 },
	{
		...compared,
		dates: zoneless,
		initialCount: 2,
		steps: [...checkByCheck(edit), ...reopen(false)],
	},
];

/** Lists that the core of the list triggers follows, without n8n and HTTP. */
export const listCore: Subject<CoreListPlan> = {
	name: 'ListCore',
	plans,
	shortPlans,
	planted,
	check: checkLists,
	play: async (plan, bundle) => await new CoreListHistory(plan, bundle).play(),
};
