import type { ITriggerFunctions } from 'n8n-workflow';

import { canDeduplicate } from '../../n8n/emit';
import { canObserveSaves } from '../../n8n/staticData';
import { n8nTooOldError } from './messages';

/**
 * Throws if n8n cannot run a published trigger: an older n8n silently ignores the deduplication key that prevents a second
 * start, or lacks the function that shows reports to the user. Without a sign of a finished save no ID can be acknowledged. A test run starts the workflow only once anyway.
 */
export function requireSupportedN8n(context: ITriggerFunctions): void {
	if (context.getMode() === 'manual') return;
	const canReport = typeof context.saveFailedExecution === 'function';
	if (!canDeduplicate(context) || !canReport || !canObserveSaves(context)) throw n8nTooOldError();
}

/**
 * Whether n8n keeps the deduplication keys of started workflows. A key is part of the stored execution and is lost with it.
 * If the workflow uses the instance's setting, a node cannot read that setting; the keys then count as kept.
 */
export function keepsDeduplicationKeys(context: ITriggerFunctions): boolean {
	return context.getWorkflowSettings().saveDataSuccessExecution !== 'none';
}
