import fc from 'fast-check';

/**
 * A change at the service. `recordNumber` selects one of the existing records, modulo their number. The change becomes
 * visible `lateMs` after it was written, but always within the overlap.
 */
export type SimulatedChange =
	| { kind: 'create'; listIndex: number; lateMs: number }
	| { kind: 'edit' | 'status' | 'checkIn' | 'revert'; recordNumber: number; lateMs: number }
	| { kind: 'delete'; recordNumber: number };

/** How the service responds to all requests. */
export type ServiceCondition =
	'available' | 'down' | 'rateLimited' | 'disconnecting' | 'truncating';

/** How the service responds to requests for one list. An undiscovered list is missing only from the discovery. */
export type ListCondition = 'available' | 'missing' | 'undiscovered' | 'failing' | 'unavailable';

/** An event in a history. */
export type HistoryEvent =
	| { kind: 'changes'; changes: SimulatedChange[] }
	/** The changes are made between the next two pages that a poll reads. */
	| { kind: 'changesBetweenPages'; changes: SimulatedChange[] }
	| { kind: 'kill'; downtimeMs: number }
	/** The trigger is closed and opened again. If `isStale`, n8n then has the static data of the last activation. */
	| { kind: 'reopen'; downtimeMs: number; isStale: boolean }
	/** The wall clock of n8n is set. */
	| { kind: 'localClock'; byMs: number }
	| { kind: 'serviceCondition'; condition: ServiceCondition }
	| { kind: 'listCondition'; listIndex: number; condition: ListCondition };

export interface FollowHistory {
	seed: number;
	isFiltered: boolean;
	kinds: Array<'created' | 'updated' | 'status' | 'checkedIn'>;
	listCount: number;
	/** Whether the first poll ends before the first event. */
	waitsForFirstPoll: boolean;
	/** Number of records in each list before activation. */
	initialRecordCount: number;
	events: Array<{ afterMs: number; event: HistoryEvent }>;
	recordOrder: 'id' | 'oldest' | 'newest' | 'any';
	pageSize: number;
	/** Whether the service's times are whole seconds. */
	hasWholeSeconds: boolean;
	dateFormat: 'zoned' | 'offset' | 'zoneless' | 'epoch';
	/** Whether responses have a Date header. */
	dateHeader: 'always' | 'sometimes' | 'never';
	/** Clock skew between the service's machines, in either direction. */
	skewMs: number;
	intervalMs: number;
	overlapMs: number;
	/** Percentage of starts that n8n rejects. */
	rejectedStartsPercent: number;
	/** Percentage of executions that take up to an hour. */
	longRunsPercent: number;
	/** Longest duration of a write of static data. */
	maxWriteMs: number;
	/** Percentage of writes of static data that fail. */
	failedWritesPercent: number;
	/** Whether n8n keeps the deduplication key of a start after the execution has ended. */
	keepsKeys: boolean;
	batchesChanges: boolean;
	includeExisting: boolean;
	maxUnconfirmed: number;
}

const anyNumberUpTo = (max: number) => fc.integer({ min: 0, max });
const HOUR = 3_600_000;
const MAX_LISTS = 3;

const anyRecordNumber = anyNumberUpTo(9);
const anyLateMs = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, anyNumberUpTo(100_000));
const anyChange: fc.Arbitrary<SimulatedChange> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			listIndex: anyNumberUpTo(MAX_LISTS - 1),
			lateMs: anyLateMs,
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constantFrom('edit' as const, 'edit', 'status', 'checkIn', 'revert'),
			recordNumber: anyRecordNumber,
			lateMs: anyLateMs,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant('delete' as const), recordNumber: anyRecordNumber }),
	},
);
const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 4 });

/** The longest downtimes exceed the 72 hours within which a follower repeats a start. */
const anyDowntimeMs = fc.oneof(
	{ weight: 6, arbitrary: fc.integer({ min: 3000, max: 90_000 }) },
	{ weight: 1, arbitrary: fc.integer({ min: HOUR, max: 30 * HOUR }) },
	{ weight: 1, arbitrary: fc.integer({ min: 70 * HOUR, max: 100 * HOUR }) },
);

/** Events other than changes at the service. A value that `constantFrom` has twice is drawn twice as often. */
export const disruptions = {
	kill: fc.record({ kind: fc.constant('kill' as const), downtimeMs: anyDowntimeMs }),
	reopen: fc.record({
		kind: fc.constant('reopen' as const),
		downtimeMs: anyNumberUpTo(30_000),
		isStale: fc.boolean(),
	}),
	localClock: fc.record({
		kind: fc.constant('localClock' as const),
		byMs: fc.oneof(
			fc.integer({ min: -90_000, max: 90_000 }),
			fc.integer({ min: -200 * HOUR, max: 200 * HOUR }),
		),
	}),
	serviceCondition: fc.record({
		kind: fc.constant('serviceCondition' as const),
		condition: fc.constantFrom<ServiceCondition>(
			'available',
			'available',
			'down',
			'rateLimited',
			'disconnecting',
			'truncating',
		),
	}),
	listCondition: fc.record({
		kind: fc.constant('listCondition' as const),
		listIndex: anyNumberUpTo(MAX_LISTS - 1),
		condition: fc.constantFrom(
			'available' as const,
			'available',
			'missing',
			'undiscovered',
			'failing',
			'unavailable',
		),
	}),
} satisfies Record<string, fc.Arbitrary<HistoryEvent>>;

/** Creates random histories with these disruptions. A value of `fixedSettings` is part of every history. */
export function anyHistoryWith(
	disruptionNames: Array<keyof typeof disruptions>,
	fixedSettings: Partial<FollowHistory> = {},
): fc.Arbitrary<FollowHistory> {
	const anyEvent: fc.Arbitrary<HistoryEvent> = fc.oneof(
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
		...disruptionNames.map((name) => ({
			weight: 2,
			arbitrary: disruptions[name] as fc.Arbitrary<HistoryEvent>,
		})),
	);
	const anyDelayMs = fc.oneof(anyNumberUpTo(200), anyNumberUpTo(5000), anyNumberUpTo(40_000));
	return fc
		.record<FollowHistory>({
			seed: fc.integer(),
			isFiltered: fc.boolean(),
			kinds: fc.subarray(['created', 'updated', 'status', 'checkedIn'], { minLength: 1 }),
			listCount: fc.integer({ min: 1, max: MAX_LISTS }),
			waitsForFirstPoll: fc.constantFrom(true, true, false),
			initialRecordCount: anyNumberUpTo(4),
			events: fc.array(fc.record({ afterMs: anyDelayMs, event: anyEvent }), { maxLength: 14 }),
			recordOrder: fc.constantFrom('id' as const, 'oldest', 'newest', 'any'),
			pageSize: fc.integer({ min: 2, max: 5 }),
			hasWholeSeconds: fc.boolean(),
			dateFormat: fc.constantFrom('zoned' as const, 'offset', 'epoch', 'zoneless'),
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
			...(fixedSettings.isFiltered === false && { failedWritesPercent: 0 }),
			...fixedSettings,
		}));
}
