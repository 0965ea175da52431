import fc from 'fast-check';

import { anyIdPlan } from './idPlan';
import type { IdPlan } from './idPlan';
import { shortIdPlans } from './shortIdPlans';
import { anyTime } from './worldPlan';

/** Plan of a history of the core of ID triggers. */
export interface WatchPlan extends IdPlan {
	/** Responses about single IDs that are not as usual. */
	oddities: Oddity[];
	/** Time after which an ID is no longer watched. */
	maxWaitMs?: number;
}

export interface Oddity {
	/** Index of the request. */
	request: number;
	/** An end without a proof, a response of another format, a web page, or a rejection. */
	kind: 'doubtful' | 'unrecognized' | 'webPage' | 'failed';
	fromMs: number;
	forMs: number;
}

/** The last time at which something is planned to happen. */
export const PLANNED_MS = 90_000;

const anyOddity: fc.Arbitrary<Oddity> = fc.record({
	request: fc.nat(3),
	kind: fc.constantFrom('doubtful' as const, 'unrecognized', 'webPage', 'failed'),
	fromMs: anyTime(60_000),
	forMs: anyTime(60_000),
});

export const plans: fc.Arbitrary<WatchPlan> = fc
	.record({
		plan: anyIdPlan(PLANNED_MS),
		oddities: fc.oneof(
			fc.constant<Oddity[]>([]),
			fc.array(anyOddity, { minLength: 1, maxLength: 3 }),
		),
		maxWaitMs: fc.option(
			anyTime(40_000).map((ms) => ms + 20_000),
			{ nil: undefined, freq: 1 },
		),
	})
	.map(({ plan, ...rest }) => ({ ...plan, ...rest }));

const [base] = shortIdPlans;
const odd = { request: 0, fromMs: 0, forMs: 30_000 };
const decided = { outcome: 'approved' as const, decidedAtMs: 4000 };
const late = { outcome: 'denied' as const, decidedAtMs: 60_000 };

export const shortPlans: WatchPlan[] = [
	...shortIdPlans
		.filter(({ secondTrigger }) => secondTrigger === 'none')
		.map((plan) => ({ ...plan, oddities: [] })),
	{ ...base!, oddities: [{ ...odd, kind: 'doubtful' }], requests: [decided] },
	{ ...base!, oddities: [{ ...odd, kind: 'unrecognized' }], requests: [decided, late] },
	{ ...base!, oddities: [], requests: [late], maxWaitMs: 10_000 },
];
