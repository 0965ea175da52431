import fc from 'fast-check';

/** A change at the service. `pick` chooses among the existing records. */
export type SimulatedChange =
	| { kind: 'create'; list: number; lateMs: number }
	| { kind: 'edit' | 'status' | 'checkIn' | 'revert'; pick: number; lateMs: number }
	| { kind: 'delete'; pick: number };

/** Condition of the service for all requests, or for one list. */
export type ServiceCondition = 'fine' | 'down' | 'busy' | 'hangs up' | 'breaks off';

/** An event in a history. */
export type HistoryEvent =
	| { kind: 'deeds'; deeds: SimulatedChange[] }
	/** Between the next two pages. */
	| { kind: 'between'; deeds: SimulatedChange[] }
	| { kind: 'kill'; awayMs: number }
	| { kind: 'reopen'; awayMs: number; stale: boolean }
	| { kind: 'clock'; byMs: number }
	| { kind: 'condition'; condition: ServiceCondition }
	/** One list is missing for a while, is no longer discovered, or fails alone. */
	| { kind: 'list'; list: number; is: 'there' | 'gone' | 'unnamed' | 'broken' | 'ill' };

export interface FollowHistory {
	seed: number;
	isFiltered: boolean;
	kinds: Array<'created' | 'updated' | 'status' | 'checkedIn'>;
	lists: number;
	/** Whether the first poll ends before the first event. */
	calm: boolean;
	/** Number of records in each list before activation. */
	initial: number;
	happenings: Array<{ afterMs: number; what: HistoryEvent }>;
	order: 'id' | 'oldest' | 'newest' | 'any';
	pageSize: number;
	/** Whether the service's times are whole seconds. */
	coarse: boolean;
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
	together: boolean;
	includeExisting: boolean;
	maxUnconfirmed: number;
}

const upTo = (max: number) => fc.integer({ min: 0, max });
const HOUR = 3_600_000;

const pick = upTo(9);
const lateMs = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, upTo(100_000));
const deed: fc.Arbitrary<SimulatedChange> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ kind: fc.constant('create' as const), list: upTo(2), lateMs }),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constantFrom('edit' as const, 'edit', 'status', 'checkIn', 'revert'),
			pick,
			lateMs,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick }) },
);
const deeds = fc.array(deed, { minLength: 1, maxLength: 4 });

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
		stale: fc.boolean(),
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
			'fine',
			'fine',
			'down',
			'busy',
			'hangs up',
			'breaks off',
		),
	}),
	list: fc.record({
		kind: fc.constant('list' as const),
		list: upTo(2),
		is: fc.constantFrom('there' as const, 'there', 'gone', 'unnamed', 'broken', 'ill'),
	}),
} satisfies Record<string, fc.Arbitrary<HistoryEvent>>;

/** Histories with some of the faults. */
export function histories(
	names: Array<keyof typeof disruptions>,
	fixed: Partial<FollowHistory> = {},
): fc.Arbitrary<FollowHistory> {
	const what: fc.Arbitrary<HistoryEvent> = fc.oneof(
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant('deeds' as const), deeds }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constant('between' as const), deeds }) },
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
			calm: fc.constantFrom(true, true, false),
			initial: upTo(4),
			happenings: fc.array(fc.record({ afterMs, what }), { maxLength: 14 }),
			order: fc.constantFrom('id' as const, 'oldest', 'newest', 'any'),
			pageSize: fc.integer({ min: 2, max: 5 }),
			coarse: fc.boolean(),
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
			together: fc.constantFrom(false, false, true),
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
