import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { connect } from '../../http/client';
import { requireSupportedN8n } from '../common/n8nSupport';
import { registry, triggerNodeOf } from '../common/registry';
import { RenewedConnection } from '../common/renewedConnection';
import { toActivationError } from '../common/reportErrors';
import type { ListTriggerDefinition } from './listTriggerDefinition';
import { LiveListTrigger } from './liveListTrigger';
import { readFollowOptions, readTriggerOptions } from './settings';
import { runListTest } from './testRun';

/**
 * Starts a trigger that follows lists. Until n8n closes the trigger, each change, or each batch of changes, starts the
 * workflow once. A test run shows the newest record.
 */
export async function startListTrigger(
	context: ITriggerFunctions,
	definition: ListTriggerDefinition,
): Promise<ITriggerResponse> {
	try {
		requireSupportedN8n(context);
		const options = readTriggerOptions(context);
		const plan = definition.plan(context, options);
		const followerOptions = readFollowOptions(context, options);
		const connection = await RenewedConnection.open(
			async () => await connect(context, definition.service),
			registry.lastStateOf(triggerNodeOf(context))?.wasRejectionReported === true,
		);
		const setup = { context, definition, plan, followerOptions, connection };
		const isTest = context.getMode() === 'manual';
		return isTest ? runListTest(setup) : await new LiveListTrigger(setup).start();
	} catch (error) {
		throw toActivationError(context, error);
	}
}
