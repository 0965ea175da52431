import type { ITriggerResponse } from 'n8n-workflow';

import { sleep } from '../../sleep';
import { Watcher } from '../../watch';
import { credentialRejectedError, nothingToWatchError } from '../common/messages';
import { registry, triggerNodeOf } from '../common/registry';
import { CredentialRejections } from '../common/rejections';
import { toTriggerError } from '../common/reportErrors';
import { createIdPoller } from './idPoller';
import type { IdTriggerSetup } from './idTriggerSetup';
import { itemOf } from './item';
import { showReport } from './showReport';

/** Runs a test: emits the entered or posted ID that ends first, and saves nothing. */
export function runIdTest(setup: IdTriggerSetup): ITriggerResponse {
	const { context, definition, settings, connection } = setup;
	const ids = [...registry.takeTestIds(triggerNodeOf(context)), ...settings.enteredIds];
	if (ids.length === 0) throw nothingToWatchError();
	const stop = new AbortController();
	const rejections = new CredentialRejections(connection, false);
	const watcher = new Watcher(
		{
			sleep,
			pollId: createIdPoller(setup, rejections, stop.signal),
			emit: async (endedId) => {
				if (stop.signal.aborted) return;
				stop.abort();
				context.emit([[{ json: itemOf(endedId, definition.shape, settings.simplifies) }]]);
			},
			report: (report) => {
				if (report.kind === 'overloaded') return;
				showReport(setup, rejections, report);
				stop.abort();
			},
		},
		settings.watcherOptions,
		undefined,
		ids,
	);
	const fail = (failure: unknown) => {
		if (!stop.signal.aborted) context.emitError(toTriggerError(setup, failure));
	};
	let runEnd: Promise<void> = Promise.resolve();
	return {
		closeFunction: async () => {
			stop.abort();
			await runEnd;
		},
		// n8n 2.41.1 accepts the item of a test run only after it has called this function.
		manualTriggerFunction: async () => {
			runEnd = watcher.run(stop.signal).then(({ credentialRejectionMessage }) => {
				if (credentialRejectionMessage !== undefined)
					fail(credentialRejectedError(credentialRejectionMessage, definition.service, 'testing'));
			}, fail);
		},
	};
}
