import type { ITriggerFunctions } from 'n8n-workflow';

import { canDeduplicate } from '../../n8n/emit';
import { n8nTooOld } from './messages';

/**
 * An older n8n takes the key that keeps a workflow from being started twice, and drops it without a word; or it lacks the way
 * to tell people of trouble. A test run starts once anyway.
 */
export function requireKeys(context: ITriggerFunctions): void {
	if (context.getMode() === 'manual') return;
	if (!canDeduplicate(context) || typeof context.saveFailedExecution !== 'function') throw n8nTooOld();
}

/**
 * Whether n8n remembers by which ids the workflow was started: that is part of an execution, and gone with it. What n8n does
 * where the workflow leaves that to the instance cannot be seen from here.
 */
export function keepsKeys(context: ITriggerFunctions): boolean {
	return context.getWorkflowSettings().saveDataSuccessExecution !== 'none';
}
