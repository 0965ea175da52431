import { setTimeout as delay } from 'node:timers/promises';

import type { TriggerHost } from './host';

/** Copies n8n's database, as a backup does. Returns a function that ends the process and restores the copy. */
export function backUpDatabase(host: TriggerHost): () => Promise<void> {
	const { staticDataJson } = host;
	const executions = [...host.executions];
	return async () => {
		await host.restartProcess();
		// A save that is under way must not replace the copy.
		await delay(1000);
		host.staticDataJson = staticDataJson;
		host.executions = [...executions];
	};
}

/** Sets 'Start From Now' of the host's first trigger to the present time. */
export function setStartFromNow(host: TriggerHost): void {
	const { parameters } = host.nodes[0]!;
	const options = { ...(parameters!.options as object), startFrom: new Date().toISOString() };
	host.nodes[0]!.parameters = { ...parameters, options };
}
