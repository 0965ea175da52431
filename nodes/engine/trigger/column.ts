import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { Snapshot } from '../watch';

/**
 * What a trigger keeps in static data. n8n reads and wraps every object in there for every execution and every request to the
 * webhook: ten thousand ids cost 10 MB and a tenth of a second each time. So each id is written as a text; but only when n8n
 * writes it, which is far more rarely than anything changes.
 */
export function toColumn(snapshot: Snapshot): IDataObject {
	const { version, ids, ended } = snapshot;
	const toJSON = () => ({ version, ids: ids.map((entry) => JSON.stringify(entry)), ended });
	return Object.defineProperty({ version, ids, ended }, 'toJSON', { value: toJSON });
}

/** What was kept, from whatever comes back: what cannot be read is left out by whoever takes it up. */
export function fromColumn(kept: unknown): unknown {
	if (typeof kept !== 'object' || kept === null) return undefined;
	// A copy, since n8n gives out its own, and gives back what it got as long as the process lives.
	const { ids, ...others } = jsonParse<Record<string, unknown>>(JSON.stringify(kept));
	return { ...others, ids: Array.isArray(ids) ? ids.map(entryOf) : [] };
}

const entryOf = (entry: unknown): unknown =>
	typeof entry === 'string' ? jsonParse<unknown>(entry, { fallbackValue: null }) : entry;
