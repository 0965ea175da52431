import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { writtenLate } from '../../n8n/staticData';
import { isRecord } from '../../values/convert';
import type { SavedId, IdSnapshot, Unrecognized } from './core';

/**
 * What a trigger keeps in static data. n8n reads and wraps every object in there for every execution and every request to the
 * webhook: ten thousand ids cost 10 MB and a tenth of a second each time. So each id is written as a text; but only when n8n
 * writes it, which is far more rarely than anything changes.
 */
export function toColumn(
	snapshot: IdSnapshot,
	setAside: { setAside?: string[] } = {},
): IDataObject {
	const { version, ids, ended } = snapshot;
	const toJSON = () => ({ version, ids: ids.map(textOf), ended, ...setAside });
	return writtenLate({ version, ids, ended, ...setAside }, toJSON);
}

/**
 * An id as JSON. Written piece by piece, since n8n stands still meanwhile: to have ten thousand written one by one takes longer
 * than all the rest, and what came along with an id does not change.
 */
function textOf({ id, since, polls, seen, submitted, data, subject, end }: SavedId): string {
	let text = `{"id":${JSON.stringify(id)},"since":${since},"polls":${polls}`;
	if (seen) text += ',"seen":true';
	if (submitted) text += ',"submitted":true';
	if (data !== undefined) text += `,"data":${cachedJson(data)}`;
	if (subject !== undefined) text += `,"subject":${JSON.stringify(subject)}`;
	if (end) text += `,"end":${JSON.stringify(end)}`;
	return `${text}}`;
}

const jsonOfData = new WeakMap<object, string>();

function cachedJson(data: unknown): string {
	if (typeof data !== 'object' || data === null) return JSON.stringify(data);
	const known = jsonOfData.get(data);
	if (known !== undefined) return known;
	const text = JSON.stringify(data);
	jsonOfData.set(data, text);
	return text;
}

/** Returns stored state with the texts of its IDs parsed. A text that is not JSON goes to `unrecognized`. */
export function fromColumn(kept: unknown, unrecognized: Unrecognized = () => undefined): unknown {
	if (typeof kept !== 'object' || kept === null) return kept;
	// A copy, since n8n gives out its own, and gives back what it got as long as the process lives.
	const copy = jsonParse<unknown>(JSON.stringify(kept));
	if (!isRecord(copy) || !Array.isArray(copy.ids)) return copy;
	return { ...copy, ids: copy.ids.flatMap((entry) => entryOf(entry, unrecognized)) };
}

function entryOf(entry: unknown, unrecognized: Unrecognized): unknown[] {
	if (typeof entry !== 'string') return [entry];
	try {
		return [JSON.parse(entry) as unknown];
	} catch {
		unrecognized(entry);
		return [];
	}
}
