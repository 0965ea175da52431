import fc from 'fast-check';

import type { Crash } from '../world/crashes';
import type { TimedEvent } from './worldEvents';
import { anyTime, anyWorldPlan, calmPlan } from './worldPlan';
import type { WorldPlan } from './worldPlan';

/** Plan of executions that ask people and wait for their answers. */
export interface WaitPlan extends WorldPlan {
	askingWorkflows: PlannedWorkflow[];
	executions: PlannedExecution[];
	calls: PlannedCall[];
	/** Time in which the services reject the credential. */
	rejection?: Period;
	/** Time in which the credentials are deleted. */
	deletion?: Period;
}

/** Settings of any node that waits, and of its workflow. */
export interface WorkflowSettings {
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail: boolean;
	/** In the old execution order v0, n8n cannot park the execution. */
	executionOrder: 'v0' | 'v1';
	/** Whether a Wait node of ten minutes follows. */
	pausesAfter: boolean;
}

/** A workflow that asks one person about each item. */
export interface PlannedWorkflow extends WorkflowSettings {
	operation: 'sendAndWait' | 'create' | 'waitForDecision' | 'issue';
	/** Whether Send and Wait for Approval has a time limit. The other operations always have one. */
	hasLimit: boolean;
}

interface PlannedExecution {
	/** Index of the workflow. */
	workflow: number;
	startedAtMs: number;
	items: PlannedItem[];
	/** When a user stops the execution, if one does. */
	canceledAfterMs?: number;
}

export interface PlannedItem {
	/** Undefined if the person never answers. */
	answer?: 'approved' | 'denied' | 'expired';
	answeredAfterMs: number;
	/** When the person tries to answer the contrary. */
	answeredAgainAfterMs?: number;
	limitS: number;
}

/** Calls of the resume webhook by a caller other than n8n. */
export interface PlannedCall {
	atMs: number;
	execution: number;
	kind: 'one' | 'two at once' | 'wrong token';
}

export interface Period {
	fromMs: number;
	forMs: number;
}

/** Time at which faults end, after the first resume by n8n's timer. */
export const PLANNED_MS = 340_000;

export const MAX_EXECUTIONS = 3;

export const anySettings = {
	onError: fc.constantFrom(
		'stopWorkflow' as const,
		'continueRegularOutput' as const,
		'continueErrorOutput' as const,
	),
	retryOnFail: fc.boolean(),
	executionOrder: fc.oneof(
		{ weight: 9, arbitrary: fc.constant('v1' as const) },
		{ weight: 1, arbitrary: fc.constant('v0' as const) },
	),
	pausesAfter: fc.oneof(
		{ weight: 5, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
};

const anyWorkflow: fc.Arbitrary<PlannedWorkflow> = fc.record({
	operation: fc.oneof(
		{ weight: 8, arbitrary: fc.constant('sendAndWait' as const) },
		{ weight: 4, arbitrary: fc.constant('create' as const) },
		{ weight: 2, arbitrary: fc.constant('waitForDecision' as const) },
		{ weight: 1, arbitrary: fc.constant('issue' as const) },
	),
	hasLimit: fc.boolean(),
	...anySettings,
});

/** Most people answer soon; some answer around n8n's first timer, which is set to five minutes. */
const anyAnswerTime = fc.oneof(
	{ weight: 6, arbitrary: anyTime(20_000) },
	{ weight: 2, arbitrary: anyTime(80_000) },
	{ weight: 1, arbitrary: anyTime(110_000).map((ms) => ms + 210_000) },
);

const anyItem: fc.Arbitrary<PlannedItem> = fc.record({
	answer: fc.oneof(
		{ weight: 8, arbitrary: fc.constantFrom('approved' as const, 'denied' as const) },
		{ weight: 1, arbitrary: fc.constant('expired' as const) },
		{ weight: 1, arbitrary: fc.constant(undefined) },
	),
	answeredAfterMs: anyAnswerTime,
	answeredAgainAfterMs: fc.option(anyTime(20_000), { nil: undefined, freq: 3 }),
	limitS: fc.oneof(
		{ weight: 1, arbitrary: fc.constant(15) },
		{ weight: 4, arbitrary: fc.integer({ min: 21, max: 120 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 200, max: 330 }) },
	),
});

const anyExecution: fc.Arbitrary<PlannedExecution> = fc
	.record({
		workflow: fc.nat(1),
		startedAtMs: anyTime(12_000).map((ms) => ms + 3000),
		items: fc.array(anyItem, { minLength: 1, maxLength: 3 }),
		canceledAfterMs: fc.option(anyTime(40_000), { nil: undefined, freq: 1 }),
		isIgnored: fc.boolean(),
	})
	.map(({ isIgnored, ...execution }) => {
		if (!isIgnored || execution.canceledAfterMs === undefined) return execution;
		// Otherwise most people have answered before a user stops the execution.
		const items = execution.items.map((item) => ({ ...item, answer: undefined }));
		return { ...execution, items };
	});

/** Kills where executions are asked, parked, resumed and ended. */
export const anyCrash: fc.Arbitrary<Crash> = fc
	.oneof(
		...(['park', 'resume', 'execution end', 'start'] as const).map((kind) => ({
			weight: 1,
			arbitrary: fc.record({ kind: fc.constant(kind), nth: fc.integer({ min: 1, max: 5 }) }),
		})),
		...(['timer', 'request', 'response'] as const).map((kind) => ({
			weight: 2,
			arbitrary: fc.record({ kind: fc.constant(kind), nth: fc.integer({ min: 1, max: 40 }) }),
		})),
	)
	.chain((point) =>
		fc.record({
			kind: fc.constant(point.kind),
			nth: fc.constant(point.nth),
			side: fc.constantFrom('before', 'after'),
			downtimeMs: anyTime(8000),
		}),
	);

/** Ends of a process while executions wait. After a long time off, all of them are overdue. */
export const anyProcessEnd: fc.Arbitrary<TimedEvent> = fc
	.record({
		kind: fc.constantFrom('kill' as const, 'kill', 'restart', 'takeover', 'longOff'),
		atMs: anyTime(40_000),
		forMs: anyTime(8000),
	})
	.map(({ kind, atMs, forMs }) =>
		kind === 'takeover' ? { kind, atMs, overlapMs: forMs } : { kind, atMs, downtimeMs: forMs },
	);

export const anyPeriod = fc.option(
	fc.record({ fromMs: anyTime(60_000), forMs: anyTime(PLANNED_MS - 60_000) }),
	{ nil: undefined, freq: 1 },
);

export const anyCalls: fc.Arbitrary<PlannedCall[]> = fc.array(
	fc.record({
		atMs: fc.oneof(anyTime(40_000), anyTime(PLANNED_MS)),
		execution: fc.nat(MAX_EXECUTIONS - 1),
		kind: fc.constantFrom('one', 'two at once', 'wrong token'),
	}),
	{ maxLength: 3 },
);

export const plans: fc.Arbitrary<WaitPlan> = fc
	.record({
		world: fc.oneof(anyWorldPlan(60_000), anyWorldPlan(PLANNED_MS)),
		crashes: fc.oneof(fc.array(anyCrash, { maxLength: 2 }), fc.array(anyCrash, { maxLength: 8 })),
		processEnds: fc.array(anyProcessEnd, { maxLength: 3 }),
		askingWorkflows: fc.array(anyWorkflow, { minLength: 2, maxLength: 2 }),
		executions: fc.array(anyExecution, { minLength: 1, maxLength: MAX_EXECUTIONS }),
		calls: anyCalls,
		rejection: anyPeriod,
		deletion: anyPeriod,
	})
	.map(({ world, processEnds, ...plan }) => {
		const events = [...world.events, ...processEnds];
		const hasJobs = plan.askingWorkflows.some(({ operation }) => operation === 'issue');
		if (!hasJobs) return { ...world, ...plan, events };
		// The result of a job is a token with times, which clocks that differ make invalid.
		const steady = events.filter(({ kind }) => ['kill', 'restart', 'takeover'].includes(kind));
		return { ...world, ...plan, events: steady, clockAheadMs: 0 };
	});

/** The settings of the short plans. */
export const simpleSettings: WorkflowSettings = {
	onError: 'stopWorkflow',
	retryOnFail: false,
	executionOrder: 'v1',
	pausesAfter: false,
};

const workflow: PlannedWorkflow = {
	...simpleSettings,
	operation: 'sendAndWait',
	hasLimit: false,
};

const item: PlannedItem = { answer: 'approved', answeredAfterMs: 4000, limitS: 60 };

/** Returns a plan with one execution of these items. */
const shortPlan = (
	settings: Partial<PlannedWorkflow>,
	items: Array<Partial<PlannedItem>>,
	further: Partial<WaitPlan> = {},
): WaitPlan => ({
	...calmPlan,
	askingWorkflows: [{ ...workflow, ...settings }],
	executions: [
		{ workflow: 0, startedAtMs: 3000, items: items.map((each) => ({ ...item, ...each })) },
	],
	calls: [],
	...further,
});

/** A user stops the execution, and no person answers. */
const stoppedPlan: WaitPlan = {
	...shortPlan({}, []),
	executions: [
		{
			workflow: 0,
			startedAtMs: 3000,
			items: [{ ...item, answer: undefined }],
			canceledAfterMs: 5000,
		},
	],
};

export const shortPlans: WaitPlan[] = [
	shortPlan({}, [{}]),
	shortPlan({}, [{ answer: 'denied', answeredAgainAfterMs: 500 }, { answeredAfterMs: 6000 }]),
	shortPlan({ hasLimit: true }, [{ answer: undefined, limitS: 21 }], {
		calls: [{ atMs: 9000, execution: 0, kind: 'two at once' }],
	}),
	shortPlan({ operation: 'create', onError: 'continueErrorOutput' }, [
		{ answer: 'expired', limitS: 30 },
	]),
	shortPlan({ operation: 'waitForDecision', onError: 'continueRegularOutput' }, [{}]),
	shortPlan({ operation: 'issue' }, [{ limitS: 30 }]),
	stoppedPlan,
	shortPlan({ pausesAfter: true }, [{}]),
	// The person answers shortly before n8n's first timer.
	shortPlan({ pausesAfter: true }, [{ answeredAfterMs: 260_000 }]),
	shortPlan({ onError: 'continueErrorOutput', retryOnFail: true }, [{}, { answer: 'denied' }], {
		faults: [{ request: 2, fault: 'lostAfter' }],
	}),
	shortPlan({ retryOnFail: true }, [{}, {}], { faults: [{ request: 2, fault: 'lostBefore' }] }),
	shortPlan({ executionOrder: 'v0', hasLimit: true }, [{ answeredAfterMs: 5000, limitS: 15 }]),
	shortPlan(
		{ operation: 'create', onError: 'continueRegularOutput' },
		[{ answer: 'denied' }, { answer: undefined, limitS: 21 }],
		{ faults: [{ request: 3, fault: '429 with Retry-After' }] },
	),
	shortPlan({ hasLimit: true }, [{ answeredAfterMs: 8000 }, { answer: undefined, limitS: 25 }], {
		events: [{ kind: 'takeover', atMs: 7000, overlapMs: 6000 }],
	}),
	shortPlan({}, [{ answeredAfterMs: 30_000 }], {
		events: [{ kind: 'longOff', atMs: 8000, downtimeMs: 1000 }],
	}),
	// The clock is set back while the execution runs.
	shortPlan({ executionOrder: 'v0', hasLimit: true }, [{ answer: undefined, limitS: 15 }], {
		events: [{ kind: 'clock', atMs: 8000, byMs: -60_000 }],
	}),
	shortPlan({}, [{ answeredAfterMs: 30_000 }], {
		faults: [4, 6, 8].map((request) => ({ request, fault: 'unknown' as const })),
	}),
	shortPlan({ executionOrder: 'v0' }, [{ answeredAfterMs: 9000 }], {
		events: [{ kind: 'restart', atMs: 6000, downtimeMs: 1000 }],
	}),
];
