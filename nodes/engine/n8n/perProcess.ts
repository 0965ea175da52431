import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

/** Tells this load of the pack's modules from any other in the same process. */
export const loadId = randomUUID();

/**
 * Where the pack keeps what all of it shares in one process. Not in its own modules: when it is updated, n8n loads them anew
 * for webhooks and executions while triggers that run keep the old ones. n8n-workflow is the one thing that both have.
 */
const SHARED = Symbol.for('n8n-nodes-gatehouse');

type Holder = typeof sleep & { [SHARED]?: Map<string, unknown> };

/**
 * Gives the one thing of a name that this process has, and makes it the first time. Two versions of the pack may use the same
 * thing: whoever changes what it can do gives it another name.
 */
export function perProcess<T>(name: string, make: () => T): T {
	// The function is n8n's; what we hang on it is ours alone.
	const shared = ((sleep as Holder)[SHARED] ??= new Map<string, unknown>());
	if (!shared.has(name)) shared.set(name, make());
	return shared.get(name) as T;
}
