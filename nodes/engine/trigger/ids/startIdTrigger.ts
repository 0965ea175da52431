import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { connect } from '../../http/client';
import { requireSupportedN8n } from '../common/n8nSupport';
import { registry, triggerNodeOf } from '../common/registry';
import { RenewedConnection } from '../common/renewedConnection';
import { toActivationError } from '../common/reportErrors';
import type { IdTriggerDefinition } from './idTriggerDefinition';
import { LiveIdTrigger } from './liveIdTrigger';
import { readSettings } from './settings';
import { runIdTest } from './testRun';

/**
 * Starts a trigger. A published trigger polls every ID until the ID has ended, and starts the workflow once for each ID that
 * ends with a chosen outcome, until n8n closes the trigger. A test run ends as soon as one ID has ended.
 */
export async function startIdTrigger(
	context: ITriggerFunctions,
	definition: IdTriggerDefinition,
): Promise<ITriggerResponse> {
	try {
		requireSupportedN8n(context);
		const settings = readSettings(context, definition);
		const connection = await RenewedConnection.open(
			async () => await connect(context, definition.service),
			registry.lastStateOf(triggerNodeOf(context))?.wasRejectionReported === true,
		);
		const setup = { context, definition, settings, connection };
		const isTest = context.getMode() === 'manual';
		return isTest ? runIdTest(setup) : await new LiveIdTrigger(setup).start();
	} catch (error) {
		throw toActivationError(context, error);
	}
}
