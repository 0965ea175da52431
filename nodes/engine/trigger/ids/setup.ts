import type { Service } from '../../http/types';
import type { IdReport } from '../../watch';
import { credentialRejected, errorForIdReport } from '../common/messages';
import type { CredentialRejections } from '../common/rejections';
import { saveAsFailedExecution } from '../common/setup';
import type { TriggerSetup } from '../common/setup';
import type { IdTriggerDefinition } from './idTriggerDefinition';
import type { IdTriggerSettings } from './settings';

/** The dependencies of a trigger that watches IDs. */
export interface IdTriggerSetup extends TriggerSetup {
	readonly definition: IdTriggerDefinition;
	readonly settings: IdTriggerSettings;
}

/** Shows a report as one failed execution, if it has a message for the user. */
export const showReport = (
	setup: IdTriggerSetup,
	rejections: CredentialRejections,
	report: IdReport,
): void =>
	saveAsFailedExecution(
		setup,
		toReportError(report, setup.settings, rejections, setup.definition.service),
	);

/**
 * Returns the error that shows a report. If the service counts as unavailable only because it rejects the credential, that is
 * the error for the rejection.
 */
export function toReportError(
	report: IdReport,
	settings: IdTriggerSettings,
	{ wasRejectedLast }: CredentialRejections,
	service: Pick<Service, 'credentialAdvice'> = {},
): Error | undefined {
	const isRejection = report.kind === 'unavailable' && wasRejectedLast;
	return isRejection
		? credentialRejected(report.message, service)
		: errorForIdReport(report, settings);
}
