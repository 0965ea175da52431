import type { ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../../errors';
import type { RenewedConnection } from './renewedConnection';

/** The dependencies of every trigger, in a published workflow and in a test run. */
export interface TriggerSetup {
	readonly context: ITriggerFunctions;
	readonly connection: RenewedConnection;
}

/** Converts a failure to an error for n8n, without secrets. */
export const asNodeError = ({ context, connection }: TriggerSetup, failure: unknown) =>
	toNodeError(context.getNode(), failure, undefined, connection.secrets);

/** Shows the user a message as one failed execution. */
export function saveAsFailedExecution(setup: TriggerSetup, message: Error | undefined): void {
	const { context } = setup;
	// n8n versions without `saveFailedExecution` reach this only in test runs: `requireSupportedN8n` keeps published triggers
	// from starting.
	const isShown = message !== undefined && 'saveFailedExecution' in context;
	if (isShown) context.saveFailedExecution(asNodeError(setup, message));
}
