import fc from 'fast-check';

/** A change at the service. `pick` chooses among the existing records. */
export type SimulatedChange =
	| { kind: 'create'; list: number; lateMs: number }
	| { kind: 'edit' | 'status' | 'checkIn' | 'revert'; pick: number; lateMs: number }
	| { kind: 'delete'; pick: number };

/** Condition of the service for all requests, or for one list. */
export type ServiceCondition =
	'available' | 'down' | 'rateLimited' | 'disconnecting' | 'truncating';

/** An event in a history. */
export type HistoryEvent =
	| { kind: 'changes'; changes: SimulatedChange[] }
	/** Between the next two pages. */
	| { kind: 'changesBetweenPages'; changes: SimulatedChange[] }
	| { kind: 'kill'; awayMs: number }
	| { kind: 'reopen'; awayMs: number; isStale: boolean }
	| { kind: 'clock'; byMs: number }
	| { kind: 'condition'; condition: ServiceCondition }
	/** One list is missing for a while, is no longer discovered, or fails alone. */
	| {
			kind: 'list';
			list: number;
			state: 'available' | 'missing' | 'undiscovered' | 'failing' | 'unavailable';
	  };

export interface FollowHistory {
	seed: number;
	isFiltered: boolean;
	kinds: Array<'created' | 'updated' | 'status' | 'checkedIn'>;
	lists: number;
	/** Whether the first poll ends before the first event. */
	waitsForFirstPoll: boolean;
	/** Number of records in each list before activation. */
	initialRecords: number;
	events: Array<{ afterMs: number; event: HistoryEvent }>;
	order: 'id' | 'oldest' | 'newest' | 'any';
	pageSize: number;
	/** Whether the service's times are whole seconds. */
	hasWholeSeconds: boolean;
	dates: 'zoned' | 'offset' | 'zoneless' | 'epoch';
	/** Whether responses have a Date header. */
	dateHeader: 'always' | 'sometimes' | 'never';
	/** Clock skew between the service's machines, in either direction. */
	skewMs: number;
	intervalMs: number;
	overlapMs: number;
	/** Percentage of starts that n8n rejects, and of executions that take up to an hour. */
	rejectedStartsPercent: number;
	longRunsPercent: number;
	/** Longest duration of a write by n8n, and percentage of writes that fail. */
	maxWriteMs: number;
	failedWritesPercent: number;
	keepsKeys: boolean;
	batchesChanges: boolean;
	includeExisting: boolean;
	maxUnconfirmed: number;
}

const upTo = (max: number) => fc.integer({ min: 0, max });
const HOUR = 3_600_000;

const anyPick = upTo(9);
const anyLateMs = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, upTo(100_000));
const anyChange: fc.Arbitrary<SimulatedChange> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			list: upTo(2),
			lateMs: anyLateMs,
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constantFrom('edit' as const, 'edit', 'status', 'checkIn', 'revert'),
			pick: anyPick,
			lateMs: anyLateMs,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: anyPick }) },
);
const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 4 });

const awayMs = fc.oneof(
	{ weight: 6, arbitrary: fc.integer({ min: 3000, max: 90_000 }) },
	{ weight: 1, arbitrary: fc.integer({ min: HOUR, max: 30 * HOUR }) },
	{ weight: 1, arbitrary: fc.integer({ min: 70 * HOUR, max: 100 * HOUR }) },
);

/** Events other than changes at the service. */
export const disruptions = {
	kill: fc.record({ kind: fc.constant('kill' as const), awayMs }),
	reopen: fc.record({
		kind: fc.constant('reopen' as const),
		awayMs: upTo(30_000),
		isStale: fc.boolean(),
	}),
	clock: fc.record({
		kind: fc.constant('clock' as const),
		byMs: fc.oneof(
			fc.integer({ min: -90_000, max: 90_000 }),
			fc.integer({ min: -200 * HOUR, max: 200 * HOUR }),
		),
	}),
	condition: fc.record({
		kind: fc.constant('condition' as const),
		condition: fc.constantFrom<ServiceCondition>(
			'available',
			'available',
			'down',
			'rateLimited',
			'disconnecting',
			'truncating',
		),
	}),
	list: fc.record({
		kind: fc.constant('list' as const),
		list: upTo(2),
		state: fc.constantFrom(
			'available' as const,
			'available',
			'missing',
			'undiscovered',
			'failing',
			'unavailable',
		),
	}),
} satisfies Record<string, fc.Arbitrary<HistoryEvent>>;

/** Histories with some of the faults. */
export function histories(
	names: Array<keyof typeof disruptions>,
	fixed: Partial<FollowHistory> = {},
): fc.Arbitrary<FollowHistory> {
	const event: fc.Arbitrary<HistoryEvent> = fc.oneof(
		{
			weight: 4,
			arbitrary: fc.record({ kind: fc.constant('changes' as const), changes: anyChanges }),
		},
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constant('changesBetweenPages' as const),
				changes: anyChanges,
			}),
		},
		...names.map((name) => ({
			weight: 2,
			arbitrary: disruptions[name] as fc.Arbitrary<HistoryEvent>,
		})),
	);
	const afterMs = fc.oneof(upTo(200), upTo(5000), upTo(40_000));
	return fc
		.record<FollowHistory>({
			seed: fc.integer(),
			isFiltered: fc.boolean(),
			kinds: fc.subarray(['created', 'updated', 'status', 'checkedIn'], { minLength: 1 }),
			lists: fc.integer({ min: 1, max: 3 }),
			waitsForFirstPoll: fc.constantFrom(true, true, false),
			initialRecords: upTo(4),
			events: fc.array(fc.record({ afterMs, event }), { maxLength: 14 }),
			order: fc.constantFrom('id' as const, 'oldest', 'newest', 'any'),
			pageSize: fc.integer({ min: 2, max: 5 }),
			hasWholeSeconds: fc.boolean(),
			dates: fc.constantFrom('zoned' as const, 'offset', 'epoch', 'zoneless'),
			dateHeader: fc.constantFrom('always' as const, 'always', 'always', 'sometimes', 'never'),
			skewMs: fc.constantFrom(0, 0, 5000),
			intervalMs: fc.constantFrom(10_000, 30_000, 60_000),
			overlapMs: fc.constantFrom(30_000, 120_000),
			rejectedStartsPercent: fc.constantFrom(0, 0, 30),
			longRunsPercent: fc.constantFrom(0, 20, 60),
			maxWriteMs: fc.constantFrom(10, 1500),
			failedWritesPercent: fc.constantFrom(0, 0, 50),
			keepsKeys: fc.constantFrom(true, true, true, false),
			batchesChanges: fc.constantFrom(false, false, true),
			includeExisting: fc.constantFrom(false, false, true),
			maxUnconfirmed: fc.constantFrom(2, 5, 50),
		})
		.map((history) => ({
			...history,
			// If only the contents distinguish two changes, the last write must have succeeded.
			...(fixed.isFiltered === false && { failedWritesPercent: 0 }),
			...fixed,
		}));
}
