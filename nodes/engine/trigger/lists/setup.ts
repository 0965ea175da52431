import type { TriggerSetup } from '../common/setup';
import type { FollowOptions } from './core';
import type { Followable, Plan } from './followable';

/** What a trigger begins with that follows lists. */
export interface FollowSetup extends TriggerSetup {
	readonly followable: Followable;
	readonly plan: Plan;
	readonly following: Partial<FollowOptions>;
}
