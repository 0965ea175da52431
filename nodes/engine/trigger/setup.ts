import type { ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors';
import type { Report } from '../watch';
import type { Refusals } from './refusals';
import type { RenewedConnection } from './renewedConnection';
import type { Settings } from './settings';
import type { Watchable } from './watchable';

/** What a trigger begins with, in a published workflow and in a test run alike. */
export interface Setup {
	readonly context: ITriggerFunctions;
	readonly watchable: Watchable;
	readonly settings: Settings;
	readonly connection: RenewedConnection;
}

/** A failure as n8n shows it, without any secret. */
export const asNodeError = ({ context, connection }: Setup, failure: unknown) =>
	toNodeError(context.getNode(), failure, undefined, connection.secrets);

/** Shows a report as one failed execution, if there is anything that people need to know. */
export function showReport(setup: Setup, refusals: Refusals, report: Report): void {
	const { context, settings } = setup;
	const words = refusals.wordsFor(report, settings);
	// An older n8n has no way to show it; there only test runs start.
	const isShown = words !== undefined && 'saveFailedExecution' in context;
	if (isShown) context.saveFailedExecution(asNodeError(setup, words));
}
