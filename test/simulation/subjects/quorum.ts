import fc from 'fast-check';

import { checkPeople } from '../checker/people';
import type { ChosenPolicy } from '../history';
import planted from '../planted/quorum.json';
import { ApprovalService } from '../world/approvalService';
import { FastMachine } from '../world/fastMachine';
import { World } from '../world/world';
import { Deciders } from './deciders';
import { anyPolicy, anyQuestion, shortQuestions, USERS } from './policyPlan';
import type { PlannedQuestion } from './policyPlan';
import { QuorumHost } from './quorumHost';
import type { Subject } from './subject';
import { anyTime, anyWorldPlan, calmPlan, playPlan } from './worldPlan';
import type { WorldPlan } from './worldPlan';

/** Plan of items that several people decide. */
export interface QuorumPlan extends WorldPlan {
	approvals: Array<PlannedQuestion & { policy: ChosenPolicy; startedAtMs: number }>;
}

const PLANNED_MS = 340_000;
/** Longer than the requests of three levels and their deputies, each with ten minutes until it counts as expired. */
const CALM_MS = 3_600_000;

const plans: fc.Arbitrary<QuorumPlan> = fc
	.record({
		world: anyWorldPlan(PLANNED_MS, ['request', 'response', 'park', 'resume', 'execution end']),
		approvals: fc.array(
			fc
				.tuple(anyQuestion, anyPolicy, anyTime(12_000))
				.map(([question, policy, ms]) => ({ ...question, policy, startedAtMs: 3000 + ms })),
			{ minLength: 1, maxLength: 3 },
		),
	})
	.map(({ world, approvals }) => ({ ...world, approvals }));

/** The core of approvals by several people, without n8n and without HTTP. */
export const quorum: Subject<QuorumPlan> = {
	name: 'Quorum',
	plans,
	shortPlans: shortQuestions.map((question) => ({
		...calmPlan,
		approvals: [{ ...question, startedAtMs: 3000 }],
	})),
	planted,
	check: checkPeople,
	play: async (plan, bundle) => {
		const world = new World({
			seed: plan.seed,
			bundle: { ...bundle, load: () => ({}) },
			crashes: plan.crashes,
			machine: new FastMachine(),
		});
		const service = new ApprovalService(world, plan, USERS);
		const n8n = new QuorumHost(world, bundle.loadCores(), service, plan);
		const people = new Deciders(world, (...answer) => service.decide(...answer));
		service.onAsked = (...request) => people.receive(...request);
		for (const [index, { policy, startedAtMs, ...question }] of plan.approvals.entries()) {
			people.choose(`${index}`, policy, question);
			world.machine.schedule(startedAtMs, () => n8n.begin(`${index}`, policy));
		}
		const isOver = () => n8n.hasEnded(plan.approvals.length);
		await playPlan(
			world,
			plan,
			{ n8n, service },
			{ plannedMs: PLANNED_MS, calmMs: CALM_MS, isOver },
		);
		world.end();
		return world;
	},
};
