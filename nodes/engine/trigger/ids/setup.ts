import type { ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../../errors';
import { refusal } from '../common/rejections';
import type { Refusals } from '../common/rejections';
import type { RenewedConnection } from '../common/renewedConnection';
import type { Report } from './core';
import type { Settings } from './settings';
import type { Watchable } from './watchable';
import { wordsFor } from './words';

/** What every trigger begins with, in a published workflow and in a test run alike. */
export interface Basis {
	readonly context: ITriggerFunctions;
	readonly connection: RenewedConnection;
}

/** What a trigger begins with that watches ids. */
export interface Setup extends Basis {
	readonly watchable: Watchable;
	readonly settings: Settings;
}

/** A failure as n8n shows it, without any secret. */
export const asNodeError = ({ context, connection }: Basis, failure: unknown) =>
	toNodeError(context.getNode(), failure, undefined, connection.secrets);

/** Shows a report as one failed execution, if there is anything that people need to know. */
export const showReport = (setup: Setup, refusals: Refusals, report: Report): void =>
	show(setup, reportWords(report, setup.settings, refusals));

/** What a report says to people: of a service that is sick because it refuses the credential, just that. */
export function reportWords(
	report: Report,
	settings: Settings,
	{ refusedLast }: Refusals,
): Error | undefined {
	const isRefusal = report.kind === 'sick' && refusedLast;
	return isRefusal ? refusal(report.message) : wordsFor(report, settings);
}

/** Shows people something as one failed execution. */
export function show(basis: Basis, words: Error | undefined): void {
	const { context } = basis;
	// An older n8n has no way to show it; there only test runs start.
	const isShown = words !== undefined && 'saveFailedExecution' in context;
	if (isShown) context.saveFailedExecution(asNodeError(basis, words));
}
