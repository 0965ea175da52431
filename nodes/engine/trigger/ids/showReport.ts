import type { IdReport } from '../../watch';
import { errorForIdReport } from '../common/messages';
import type { CredentialRejections } from '../common/rejections';
import { saveAsFailedExecution, toReportError } from '../common/reportErrors';
import type { IdTriggerSetup } from './idTriggerSetup';

/** Shows a report as one failed execution, if it has a message for the user. */
export function showReport(
	setup: IdTriggerSetup,
	rejections: CredentialRejections,
	report: IdReport,
): void {
	const { definition, settings } = setup;
	const errorFor = () => errorForIdReport(report, settings);
	saveAsFailedExecution(setup, toReportError(report, rejections, definition.service, errorFor));
}
