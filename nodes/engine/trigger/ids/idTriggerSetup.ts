import type { TriggerSetup } from '../common/triggerSetup';
import type { IdTriggerDefinition } from './idTriggerDefinition';
import type { IdTriggerSettings } from './settings';

/** The dependencies of a trigger that watches IDs. */
export interface IdTriggerSetup extends TriggerSetup {
	readonly definition: IdTriggerDefinition;
	readonly settings: IdTriggerSettings;
}
