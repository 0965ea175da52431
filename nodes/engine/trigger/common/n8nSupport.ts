import type { ITriggerFunctions } from 'n8n-workflow';

import { canDeduplicate } from '../../n8n/emit';
import { n8nTooOldError } from './messages';

/**
 * Throws if n8n cannot run a published trigger: an older n8n silently ignores the deduplication key that prevents a second
 * start, or lacks the function that shows reports to the user. A test run starts the workflow only once anyway.
 */
export function requireSupportedN8n(context: ITriggerFunctions): void {
	if (context.getMode() === 'manual') return;
	if (!canDeduplicate(context) || typeof context.saveFailedExecution !== 'function')
		throw n8nTooOldError();
}

/**
 * Whether n8n keeps the deduplication keys of started workflows. A key is part of the stored execution and is lost with it.
 * If the workflow uses the instance's setting, a node cannot read that setting; the keys then count as kept.
 */
export function keepsDeduplicationKeys(context: ITriggerFunctions): boolean {
	return context.getWorkflowSettings().saveDataSuccessExecution !== 'none';
}
