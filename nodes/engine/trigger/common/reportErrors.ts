import type { ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../../errors';
import type { Service } from '../../http/types';
import type { IdReport } from '../../watch';
import type { ListReport } from '../lists/core';
import { credentialRejectedError } from './messages';
import type { CredentialRejections } from './rejections';
import type { TriggerSetup } from './triggerSetup';

/** Converts a failure to an error for n8n, without secrets. */
export const toTriggerError = (
	{ context, connection }: Pick<TriggerSetup, 'context' | 'connection'>,
	failure: unknown,
) => toNodeError(context.getNode(), failure, undefined, connection.secrets);

/**
 * Converts a failure of the activation to an error for n8n. The error's message includes the advice, because n8n 2.41.1
 * shows only the message to a user who publishes a workflow. In a test run n8n shows both, so the message omits the advice.
 */
export const toActivationError = (
	context: ITriggerFunctions,
	failure: unknown,
	secrets?: Iterable<string>,
) =>
	toNodeError(context.getNode(), failure, undefined, secrets, {
		adviceInMessage: context.getMode() !== 'manual',
	});

/**
 * Returns the error that shows a report. If the service counts as unavailable only because it rejects the credential, this
 * is the error for the rejection; otherwise it is the result of `errorFor`.
 */
export const toReportError = <Shown extends Error | undefined>(
	report: IdReport | ListReport,
	{ wasLastRejected }: Pick<CredentialRejections, 'wasLastRejected'>,
	service: Pick<Service, 'credentialAdvice'>,
	errorFor: () => Shown,
): Error | Shown =>
	report.kind === 'unavailable' && wasLastRejected
		? credentialRejectedError(report.message, service)
		: errorFor();

/** Shows the user a message as one failed execution. */
export function saveAsFailedExecution(setup: TriggerSetup, error: Error | undefined): void {
	const { context } = setup;
	// n8n versions without `saveFailedExecution` reach this only in test runs: `requireSupportedN8n` keeps published triggers
	// from starting.
	const isShown = error !== undefined && 'saveFailedExecution' in context;
	if (isShown) context.saveFailedExecution(toTriggerError(setup, error));
}
