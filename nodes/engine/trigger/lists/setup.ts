import type { TriggerSetup } from '../common/setup';
import type { FollowOptions } from './core';
import type { Followable, FollowPlan } from './followable';

/** The dependencies of a trigger that follows lists. */
export interface ListTriggerSetup extends TriggerSetup {
	readonly followable: Followable;
	readonly plan: FollowPlan;
	readonly followerOptions: Partial<FollowOptions>;
}
