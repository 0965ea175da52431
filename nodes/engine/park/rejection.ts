import { perProcess } from '../n8n/perProcess';
import type { Ends } from '../wait/wait';

/** The credentials of which was logged in this process that a service rejects them. */
const logged = perProcess('park rejections 1', () => new Set<string>());

/**
 * Logs that a service rejects the credential of executions that are parked: once per credential and process, since each of them
 * finds out for itself, and again and again.
 */
export function logRejection(ends: Ends): void {
	for (const [{ context, service }, end] of ends) {
		if (end instanceof Error || !end.rejected) continue;
		const { id = '', name = '' } = context.getNode().credentials?.[service.credential] ?? {};
		const key = `${service.name} ${id}`;
		if (logged.has(key)) return;
		logged.add(key);
		context.logger.warn(
			`The ${service.name} rejected the credential "${name}": ${end.trouble}. Executions that wait for an answer stay parked and ask less often. They continue when the credential is accepted again.`,
		);
		return;
	}
}
