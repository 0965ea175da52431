import fc from 'fast-check';

import { anyTime, anyWorldPlan } from './worldPlan';
import type { WorldPlan } from './worldPlan';

/** Plan of a history of a trigger that watches approval requests. */
export interface IdPlan extends WorldPlan {
	requests: PlannedRequest[];
	/** When the user removes the entered IDs from the node. */
	removalAtMs?: number;
	/** Where a second trigger watches the entered IDs, too. */
	secondTrigger: 'none' | 'sameWorkflow' | 'otherWorkflow';
}

export interface PlannedRequest {
	outcome: 'approved' | 'denied' | 'expired';
	decidedAtMs: number;
	/** When the ID is submitted; undefined if it is only entered in the node. */
	submittedAtMs?: number;
	/** Whether a submitted ID is entered in the node, too. */
	isEntered?: boolean;
}

/** Whether an ID is in the node when it is published. */
export const isEnteredIn = ({ submittedAtMs, isEntered }: PlannedRequest): boolean =>
	submittedAtMs === undefined || isEntered === true;

/** Effects of ID triggers; parked executions have others. */
const CRASH_KINDS = ['timer', 'request', 'response', 'save', 'start', 'webhook response'] as const;
/** People decide soon, or late. Times soon after the submission hit a trigger whose state is not saved yet. */
const anyRequest: fc.Arbitrary<PlannedRequest> = fc
	.record(
		{
			outcome: fc.constantFrom('approved' as const, 'denied' as const, 'expired' as const),
			afterMs: fc.oneof(anyTime(6000), anyTime(30_000)),
			submittedAtMs: fc.oneof(anyTime(12_000), anyTime(60_000)),
			isEntered: fc.constantFrom(false, false, false, true),
		},
		{ requiredKeys: ['outcome', 'afterMs'] },
	)
	.map(({ afterMs, ...request }) => ({
		...request,
		decidedAtMs: (request.submittedAtMs ?? 0) + afterMs,
	}));

/** Generates plans for IDs whose last event is at `plannedMs`. */
export const anyIdPlan = (plannedMs: number): fc.Arbitrary<IdPlan> =>
	fc
		.record({
			world: anyWorldPlan(plannedMs, CRASH_KINDS),
			requests: fc.array(anyRequest, { minLength: 1, maxLength: 4 }),
			secondTrigger: fc.constantFrom('none' as const, 'none', 'sameWorkflow', 'otherWorkflow'),
			removalAtMs: fc.option(anyTime(40_000), { nil: undefined, freq: 1 }),
		})
		.map(({ world, ...rest }) => ({ ...world, ...rest }));
