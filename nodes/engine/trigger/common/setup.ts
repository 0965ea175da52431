import type { ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../../errors';
import type { RenewedConnection } from './renewedConnection';

/** What every trigger begins with, in a published workflow and in a test run alike. */
export interface TriggerSetup {
	readonly context: ITriggerFunctions;
	readonly connection: RenewedConnection;
}

/** A failure as n8n shows it, without any secret. */
export const asNodeError = ({ context, connection }: TriggerSetup, failure: unknown) =>
	toNodeError(context.getNode(), failure, undefined, connection.secrets);

/** Shows the user a message as one failed execution. */
export function show(basis: TriggerSetup, message: Error | undefined): void {
	const { context } = basis;
	// An older n8n has no way to show it; there only test runs start.
	const isShown = message !== undefined && 'saveFailedExecution' in context;
	if (isShown) context.saveFailedExecution(asNodeError(basis, message));
}
