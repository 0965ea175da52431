import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { connect } from '../http/client';
import { canDeduplicate } from '../n8n/emit';
import { registry, triggerNodeOf } from './registry';
import { RenewedConnection } from './renewedConnection';
import { readSettings } from './settings';
import { testRun } from './testRun';
import type { Watchable } from './watchable';
import { WatchLive } from './watchLive';
import { tooOld } from './words';

/** Starts a trigger: until n8n closes it, every id is polled until it has ended, and starts the workflow once. */
export async function watch(
	context: ITriggerFunctions,
	watchable: Watchable,
): Promise<ITriggerResponse> {
	try {
		requireKeys(context);
		const settings = readSettings(context, watchable);
		const connection = await RenewedConnection.open(
			async () => await connect(context, watchable.service),
			registry.left(triggerNodeOf(context))?.refused === true,
		);
		const setup = { context, watchable, settings, connection };
		const isTest = context.getMode() === 'manual';
		return isTest ? testRun(setup) : await new WatchLive(setup).start();
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined);
	}
}

/**
 * An older n8n takes the key that keeps a workflow from being started twice, and drops it without a word; or it lacks the way
 * to tell people of trouble. A test run starts once anyway.
 */
export function requireKeys(context: ITriggerFunctions): void {
	if (context.getMode() === 'manual') return;
	if (!canDeduplicate(context) || typeof context.saveFailedExecution !== 'function') throw tooOld();
}
