import type fc from 'fast-check';

import type { Verdict } from '../checker/verdict';
import type { History } from '../history';
import type { PackBundle, Patch } from '../world/packBundle';
import type { World } from '../world/world';
import type { WorldPlan } from './worldPlan';

/** A part of the pack that is simulated: random plans, the histories that they lead to, and the promises about them. */
export interface Subject<Plan extends WorldPlan = WorldPlan> {
	name: string;
	plans: fc.Arbitrary<Plan>;
	/** Short plans without crashes. Each is repeated with a crash before and after every effect. */
	shortPlans: Plan[];
	play(plan: Plan, bundle: PackBundle): Promise<World>;
	check: (history: History) => Verdict;
	planted: Patch[];
}
