import type { TriggerSetup } from '../common/triggerSetup';
import type { FollowOptions } from './core';
import type { ListTriggerDefinition, FollowPlan } from './listTriggerDefinition';

/** The dependencies of a trigger that follows lists. */
export interface ListTriggerSetup extends TriggerSetup {
	readonly definition: ListTriggerDefinition;
	readonly plan: FollowPlan;
	readonly followerOptions: Partial<FollowOptions>;
}
