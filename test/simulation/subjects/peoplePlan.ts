import fc from 'fast-check';

import type { ChosenPolicy } from '../history';
import { anyPolicy, anyQuestion, beforeLimit, duringPoll, shortQuestions } from './policyPlan';
import type { PlannedQuestion } from './policyPlan';
import {
	anyCalls,
	anyCrash,
	anyProcessEnd,
	anyPeriod,
	anySettings,
	MAX_EXECUTIONS,
	PLANNED_MS,
	simpleSettings,
} from './waitPlan';
import type { Period, PlannedCall, WorkflowSettings } from './waitPlan';
import type { TimedEvent } from './worldEvents';
import { anyTime, anyWorldPlan, calmPlan } from './worldPlan';
import type { WorldPlan } from './worldPlan';

/** Plan of executions in which several people decide about each item. */
export interface PeoplePlan extends WorldPlan {
	askingWorkflows: Array<WorkflowSettings & { policy: ChosenPolicy }>;
	executions: Array<{
		/** Index of the workflow. */
		workflow: number;
		startedAtMs: number;
		items: PlannedQuestion[];
		/** When a user stops the execution, if one does. */
		canceledAfterMs?: number;
	}>;
	calls: PlannedCall[];
	/** Time in which the service rejects the credential. */
	rejection?: Period;
	/** Time in which the credential is deleted. */
	deletion?: Period;
}

const rarely = (period: fc.Arbitrary<Period | undefined>) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: period });

export const plans: fc.Arbitrary<PeoplePlan> = fc
	.record({
		world: fc.oneof(anyWorldPlan(60_000), anyWorldPlan(PLANNED_MS)),
		// Few, since n8n gives up the executions that run when it is killed.
		crashes: fc.array(anyCrash, { maxLength: 2 }),
		kills: fc.array(anyProcessEnd, { maxLength: 5 }),
		askingWorkflows: fc.array(fc.record({ policy: anyPolicy, ...anySettings }), {
			minLength: 2,
			maxLength: 2,
		}),
		executions: fc.array(
			fc.record({
				workflow: fc.nat(1),
				startedAtMs: anyTime(12_000).map((ms) => ms + 3000),
				items: fc.array(anyQuestion, { minLength: 1, maxLength: 2 }),
				canceledAfterMs: fc.option(anyTime(40_000), { nil: undefined, freq: 1 }),
			}),
			{ minLength: 1, maxLength: MAX_EXECUTIONS },
		),
		calls: anyCalls,
		rejection: rarely(anyPeriod),
		deletion: rarely(anyPeriod),
	})
	.map(({ world, kills, crashes, ...plan }) => ({
		...world,
		...plan,
		events: [...world.events, ...kills],
		crashes,
	}));

const settings: Array<Partial<WorkflowSettings>> = [
	{},
	{ onError: 'continueErrorOutput', retryOnFail: true },
	{ onError: 'continueRegularOutput' },
	{},
	{},
	{ executionOrder: 'v0' },
	{ pausesAfter: true },
	{ retryOnFail: true },
];

const killAt = (atMs: number, downtimeMs = 1000): TimedEvent => ({
	kind: 'kill',
	atMs,
	downtimeMs,
});

/** Leaves only the timers of n8n to resume an execution. */
const kills = [killAt(10_000, 160_000), killAt(190_000, 14_000), killAt(310_000)];

export const shortPlans: PeoplePlan[] = [
	...shortQuestions.map(({ policy, answers }, index) => ({
		...calmPlan,
		askingWorkflows: [{ ...simpleSettings, ...settings[index], policy }],
		executions: [{ workflow: 0, startedAtMs: 3000, items: [{ answers }] }],
		calls: [],
	})),
	...[
		{ ...beforeLimit.nextLevel, events: [killAt(10_000)] },
		{ ...beforeLimit.lateLevel, events: kills },
		{ ...beforeLimit.deputy, events: [killAt(10_000)] },
		{ ...beforeLimit.lastAnswer, events: [] },
	].map(({ policy, answers, events }) => ({
		...calmPlan,
		events,
		askingWorkflows: [{ ...simpleSettings, policy }],
		executions: [{ workflow: 0, startedAtMs: 3000, items: [{ answers }] }],
		calls: [],
	})),
	{
		...calmPlan,
		askingWorkflows: [{ ...simpleSettings, executionOrder: 'v0', policy: duringPoll.policy }],
		executions: [{ workflow: 0, startedAtMs: 3000, items: [{ answers: duringPoll.answers }] }],
		calls: [],
		faults: [{ request: 12, fault: 'delayed' }],
	},
	{
		...calmPlan,
		askingWorkflows: [
			{ ...simpleSettings, onError: 'continueRegularOutput', policy: shortQuestions[0]!.policy },
		],
		executions: [
			{
				workflow: 0,
				startedAtMs: 3000,
				items: [shortQuestions[0]!, shortQuestions.at(-1)!],
			},
		],
		calls: [{ atMs: 9000, execution: 0, kind: 'two at once' }],
		faults: [{ request: 2, fault: 'lostAfter' }],
	},
];
