import fc from 'fast-check';

import { HOUR, MINUTE } from './listHarness';

/** A step of a history. Each change is of another record, so each must start the workflow exactly once. */
type Step =
	| { kind: 'create' | 'update' }
	/** All clocks of the service are set. */
	| { kind: 'allClocks'; byMs: number }
	/** Only the clock behind the Date header is set, or only the one that stamps records. */
	| { kind: 'headerClock' | 'stampClock'; byMs: number }
	| { kind: 'restart'; downtimeMs: number };

export interface ClockHistory {
	/** Whether polls filter by 'changed since'; otherwise whole lists are compared. */
	isFiltered: boolean;
	isInitiallyEmpty: boolean;
	/** Initial difference of the Date header from the clock that stamps records. */
	initialHeaderOffsetMs: number;
	overlapMs: number;
	intervalMs: number;
	steps: Array<{ afterMs: number; step: Step }>;
}

/** Largest error of all clocks of the service together. */
export const MAX_ERROR_MS = 12 * HOUR;
/** Largest difference between the service's clocks. A follower tolerates an hour. */
export const MAX_SKEW_MS = 55 * MINUTE;

const anyOffsetMs = (maxMs: number) => fc.integer({ min: -maxMs, max: maxMs });
const anyChange = fc.constantFrom({ kind: 'create' as const }, { kind: 'update' as const });
const anyClockStep = fc.oneof(
	fc.record({ kind: fc.constant('allClocks' as const), byMs: anyOffsetMs(MAX_ERROR_MS) }),
	fc.record({ kind: fc.constant('allClocks' as const), byMs: fc.constantFrom(-HOUR, HOUR) }),
	fc.record({
		kind: fc.constantFrom('headerClock' as const, 'stampClock' as const),
		byMs: fc.oneof(anyOffsetMs(MAX_SKEW_MS), fc.constantFrom(-5 * MINUTE, 5 * MINUTE)),
	}),
);
const anyRestart = fc.record({
	kind: fc.constant('restart' as const),
	downtimeMs: fc.integer({ min: 1000, max: 30 * MINUTE }),
});

/** Creates random histories of changes and of clocks that are set, at times with restarts of n8n. */
export const anyClockHistory = (hasRestarts: boolean): fc.Arbitrary<ClockHistory> =>
	fc.record({
		isFiltered: fc.constantFrom(true, true, true, false),
		isInitiallyEmpty: fc.boolean(),
		initialHeaderOffsetMs: fc.oneof(
			fc.constantFrom(0, 5 * MINUTE, -5 * MINUTE),
			anyOffsetMs(MAX_SKEW_MS),
		),
		overlapMs: fc.constantFrom(0, 2 * MINUTE),
		intervalMs: fc.constantFrom(30_000, MINUTE, 5 * MINUTE),
		steps: fc.array(
			fc.record({
				afterMs: fc.oneof(fc.nat(20_000), fc.nat(4 * MINUTE)),
				step: fc.oneof(
					{ weight: 5, arbitrary: anyChange },
					{ weight: 2, arbitrary: anyClockStep },
					...(hasRestarts ? [{ weight: 1, arbitrary: anyRestart }] : []),
				),
			}),
			{ maxLength: 20 },
		),
	});
