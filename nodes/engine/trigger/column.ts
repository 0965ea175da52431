import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { SavedId, Snapshot } from '../watch';

/**
 * What a trigger keeps in static data. n8n reads and wraps every object in there for every execution and every request to the
 * webhook: ten thousand ids cost 10 MB and a tenth of a second each time. So each id is written as a text; but only when n8n
 * writes it, which is far more rarely than anything changes.
 */
export function toColumn(snapshot: Snapshot): IDataObject {
	const { version, ids, ended } = snapshot;
	const toJSON = () => ({ version, ids: ids.map(textOf), ended });
	return Object.defineProperty({ version, ids, ended }, 'toJSON', { value: toJSON });
}

/**
 * An id as JSON. Written piece by piece, since n8n stands still meanwhile: to have ten thousand written one by one takes longer
 * than all the rest, and what came along with an id does not change.
 */
function textOf({ id, since, polls, seen, handed, data, subject, end }: SavedId): string {
	let text = `{"id":${JSON.stringify(id)},"since":${since},"polls":${polls}`;
	if (seen) text += ',"seen":true';
	if (handed) text += ',"handed":true';
	if (data !== undefined) text += `,"data":${written(data)}`;
	if (subject !== undefined) text += `,"subject":${JSON.stringify(subject)}`;
	if (end) text += `,"end":${JSON.stringify(end)}`;
	return `${text}}`;
}

const texts = new WeakMap<object, string>();

function written(data: unknown): string {
	if (typeof data !== 'object' || data === null) return JSON.stringify(data);
	const known = texts.get(data);
	if (known !== undefined) return known;
	const text = JSON.stringify(data);
	texts.set(data, text);
	return text;
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
