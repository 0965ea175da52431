import type { IdPlan, PlannedRequest } from './idPlan';
import { calmPlan } from './worldPlan';

const planOf = (requests: PlannedRequest[], rest: Partial<IdPlan> = {}): IdPlan => ({
	...calmPlan,
	secondTrigger: 'none',
	requests,
	...rest,
});

const entered: PlannedRequest = { outcome: 'approved', decidedAtMs: 5000 };
const submitted: PlannedRequest = { outcome: 'denied', decidedAtMs: 6000, submittedAtMs: 4000 };
const submittedLate: PlannedRequest = {
	outcome: 'denied',
	decidedAtMs: 45_000,
	submittedAtMs: 3500,
};
const slowDatabase = { maxWriteMs: 2000, ordersWrites: false };
const unsaved = { keepsExecutions: false };

/** Faults at consecutive requests. */
const burst = (fault: IdPlan['faults'][number]['fault'], first: number, times: number) =>
	Array.from({ length: times }, (_, index) => ({ request: first + index, fault }));

/** Short plans without crashes, each with another path through the trigger. */
export const shortIdPlans: IdPlan[] = [
	planOf([entered]),
	planOf([submitted]),
	planOf([entered, submitted]),
	planOf([{ outcome: 'expired', decidedAtMs: 0 }]),
	planOf([entered], unsaved),
	planOf([submitted], unsaved),
	planOf([submitted], slowDatabase),
	// n8n still saves the start when the ID is submitted, and is killed before it saves again.
	planOf(
		[
			{ ...entered, decidedAtMs: 4000 },
			{ ...submittedLate, submittedAtMs: 4400 },
		],
		{ ...slowDatabase, events: [{ kind: 'kill', atMs: 7500, downtimeMs: 500 }] },
	),
	planOf([entered, submitted], { ...slowDatabase, ...unsaved }),
	planOf([entered], { faults: burst('429 with Retry-After', 2, 1) }),
	// The sixth request asks which application the answer belongs to.
	planOf([entered, submittedLate], { faults: burst('429 with Retry-After', 6, 1) }),
	planOf([entered], { faults: burst('unknown', 1, 3) }),
	// Between the responses that do not know the ID, others say that it is pending.
	planOf([{ ...entered, decidedAtMs: 30_000 }], {
		faults: [2, 4, 6].flatMap((first) => burst('unknown', first, 1)),
	}),
	planOf([submitted], { faults: burst('401', 2, 1) }),
	// The ID is entered in the node, submitted as well, and then removed from the node.
	planOf([{ ...entered, decidedAtMs: 12_000, submittedAtMs: 4000, isEntered: true }], {
		removalAtMs: 7000,
	}),
	// The trigger gives a save up after 30 seconds. Then n8n is killed before it saves again.
	planOf([submittedLate], {
		saveFaults: [{ save: 2, fault: 'failed' }],
		events: [{ kind: 'kill', atMs: 36_000, downtimeMs: 500 }],
	}),
	planOf([submitted], { saveFaults: [{ save: 2, fault: 'unconfirmed' }] }),
	planOf([entered], { rejectedStarts: [1] }),
	planOf([entered, submitted], {
		events: [{ kind: 'takeover', atMs: 4500, overlapMs: 3000 }],
	}),
	planOf([submitted], {
		...slowDatabase,
		events: [{ kind: 'restart', atMs: 5500, downtimeMs: 500 }],
	}),
	planOf([entered], { secondTrigger: 'otherWorkflow' }),
	planOf([entered, submitted], { secondTrigger: 'sameWorkflow' }),
];
