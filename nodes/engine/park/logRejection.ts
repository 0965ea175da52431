import { toSentence } from '../errors';
import { perProcess } from '../n8n/perProcess';
import type { WaitResults } from '../wait/wait';

/** Credentials whose rejection was logged, until the service accepts them again. */
const logged = perProcess('park rejections 1', () => new Set<string>());

/**
 * Logs that a service rejects the credential of parked executions. Logs it once per credential and process until the service
 * accepts the credential again, because each execution notices the rejection by itself, at every poll.
 */
export function logRejection(waitResults: WaitResults): void {
	for (const [{ call }, end] of waitResults) {
		if (end instanceof Error) continue;
		const { context, service } = call;
		const { id = '', name = '' } = context.getNode().credentials?.[service.credentialType] ?? {};
		const key = `${service.name} ${id}`;
		if (!end.rejection) {
			// A poll that failed for another reason (`trouble`), for example because the service is unavailable, does not
			// show that the credential is accepted.
			if (end.trouble === undefined) logged.delete(key);
			continue;
		}
		if (logged.has(key)) continue;
		logged.add(key);
		context.logger.warn(
			`The ${service.name} rejected the credential "${name}": ${toSentence(end.trouble ?? '')} Executions that wait for an answer stay parked and ask less often. They continue when the credential is accepted again.`,
		);
	}
}
