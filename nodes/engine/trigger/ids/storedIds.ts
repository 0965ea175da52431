import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { serializedOnSave } from '../../n8n/staticData';
import { isRecord } from '../../values/isRecord';
import type { SavedId, IdSnapshot, UnrecognizedHandler } from '../../watch';

/**
 * Returns the state of a trigger for static data. n8n 2.41.1 reads and wraps every object in static data for every execution
 * and every request to the webhook. Ten thousand IDs would cost 10 MB and a tenth of a second each time. So each ID is
 * stored as a string, which is built only when n8n saves: far less often than the state changes.
 */
export function toStoredIds(
	readSnapshot: () => IdSnapshot,
	unrecognized: { setAside?: string[] } = {},
): IDataObject {
	const toJSON = () => {
		const { version, ids, confirmedIds } = readSnapshot();
		return { version, ids: ids.map(serializeId), confirmedIds, ...unrecognized };
	};
	const { version, ids, confirmedIds } = readSnapshot();
	return serializedOnSave({ version, ids, confirmedIds, ...unrecognized }, toJSON);
}

/**
 * Returns an ID as JSON. n8n's event loop is blocked meanwhile, and calling `JSON.stringify` on ten thousand entries would
 * take longer than everything else. So the parts are concatenated, and the JSON of an ID's data, which does not change, is
 * cached.
 */
function serializeId({
	id,
	addedAt,
	polls,
	seenOutstanding,
	submitted,
	data,
	subject,
	followedFrom,
	end,
}: SavedId): string {
	let text = `{"id":${JSON.stringify(id)},"addedAt":${addedAt},"polls":${polls}`;
	if (seenOutstanding) text += ',"seenOutstanding":true';
	if (submitted) text += ',"submitted":true';
	if (data !== undefined) text += `,"data":${cachedJson(data)}`;
	if (subject !== undefined) text += `,"subject":${JSON.stringify(subject)}`;
	if (followedFrom !== undefined) text += `,"followedFrom":${followedFrom}`;
	if (end) text += `,"end":${JSON.stringify(end)}`;
	return `${text}}`;
}

const jsonOfData = new WeakMap<object, string>();

function cachedJson(data: unknown): string {
	if (typeof data !== 'object' || data === null) return JSON.stringify(data);
	const jsonInCache = jsonOfData.get(data);
	if (jsonInCache !== undefined) return jsonInCache;
	const text = JSON.stringify(data);
	jsonOfData.set(data, text);
	return text;
}

/** Returns stored state with the texts of its IDs parsed. A text that is not JSON goes to `onUnrecognized`. */
export function readStoredIds(
	storedState: unknown,
	onUnrecognized: UnrecognizedHandler = () => undefined,
): unknown {
	if (typeof storedState !== 'object' || storedState === null) return storedState;
	// Copied, since n8n 2.41.1 returns a live object: n8n's own or, within one process, the one that the trigger assigned.
	// Stringifying also calls that object's `toJSON`.
	const copy = jsonParse<unknown>(JSON.stringify(storedState));
	if (!isRecord(copy) || !Array.isArray(copy.ids)) return copy;
	return { ...copy, ids: copy.ids.flatMap((entry) => parseEntry(entry, onUnrecognized)) };
}

function parseEntry(entry: unknown, onUnrecognized: UnrecognizedHandler): unknown[] {
	if (typeof entry !== 'string') return [entry];
	try {
		return [jsonParse<unknown>(entry)];
	} catch {
		onUnrecognized(entry);
		return [];
	}
}
