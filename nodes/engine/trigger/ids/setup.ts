import type { IdReport } from '../../watch';
import { errorForIdReport } from '../common/messages';
import type { CredentialRejections } from '../common/rejections';
import { saveAsFailedExecution, toReportError } from '../common/reportErrors';
import type { TriggerSetup } from '../common/setup';
import type { IdTriggerDefinition } from './idTriggerDefinition';
import type { IdTriggerSettings } from './settings';

/** The dependencies of a trigger that watches IDs. */
export interface IdTriggerSetup extends TriggerSetup {
	readonly definition: IdTriggerDefinition;
	readonly settings: IdTriggerSettings;
}

/** Shows a report as one failed execution, if it has a message for the user. */
export function saveReport(
	setup: IdTriggerSetup,
	rejections: CredentialRejections,
	report: IdReport,
): void {
	const { definition, settings } = setup;
	const errorFor = () => errorForIdReport(report, settings);
	saveAsFailedExecution(setup, toReportError(report, rejections, definition.service, errorFor));
}
