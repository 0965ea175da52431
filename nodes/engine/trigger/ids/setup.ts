import { credentialRejected, messageForIds } from '../common/messages';
import type { CredentialRejections } from '../common/rejections';
import { show } from '../common/setup';
import type { TriggerSetup } from '../common/setup';
import type { IdReport } from './core';
import type { IdTriggerSettings } from './settings';
import type { Watchable } from './watchable';

/** What a trigger begins with that watches ids. */
export interface IdTriggerSetup extends TriggerSetup {
	readonly watchable: Watchable;
	readonly settings: IdTriggerSettings;
}

/** Shows a report as one failed execution, if there is anything that people need to know. */
export const showReport = (
	setup: IdTriggerSetup,
	rejections: CredentialRejections,
	report: IdReport,
): void => show(setup, reportMessage(report, setup.settings, rejections));

/** What a report says to people: of a service that is sick because it refuses the credential, just that. */
export function reportMessage(
	report: IdReport,
	settings: IdTriggerSettings,
	{ wasRejectedLast }: CredentialRejections,
): Error | undefined {
	const isRefusal = report.kind === 'sick' && wasRejectedLast;
	return isRefusal ? credentialRejected(report.message) : messageForIds(report, settings);
}
