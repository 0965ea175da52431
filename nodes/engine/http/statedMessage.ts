import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/isRecord';
import { normalizeMemberName } from './statements';

/** Longest text that is quoted. A longer one is no message for users. */
const MAX_LENGTH = 300;

/** Most messages about single fields that are quoted. */
const MAX_MESSAGES = 5;

/** Names of members with a message, the most specific first (RFC 9457 has `detail` and `title`), without case, `_` and `-`. */
const MESSAGE_NAMES =
	'message errormessage errordescription detail details description reason msg title error text fault faultstring'.split(
		' ',
	);

/**
 * Returns the words of an error body in any of the usual formats: a text, a member with a message, an object in `error`, or a
 * list of errors or of fields with errors. Undefined if there are none, and for web pages.
 */
export function statedMessage(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return quotable(body);
	if (depth > 2) return undefined;
	if (Array.isArray(body)) {
		const texts = body
			.slice(0, MAX_MESSAGES)
			.flatMap((entry) => statedMessage(entry, depth + 1) ?? []);
		return texts.length > 0 ? [...new Set(texts)].join('; ') : undefined;
	}
	return isRecord(body) ? messageIn(body, depth) : undefined;
}

function messageIn(body: IDataObject, depth: number): string | undefined {
	const members = new Map(
		Object.entries(body).map(([name, value]) => [normalizeMemberName(name), value]),
	);
	const texts = MESSAGE_NAMES.map((name) => members.get(name));
	const text = texts.flatMap((value) =>
		typeof value === 'string' ? (quotable(value) ?? []) : [],
	)[0];
	if (text !== undefined) return text;
	const nested = ['error', 'errors', 'fault', 'detail', 'details', 'violations', 'modelstate'];
	for (const name of nested) {
		const value = members.get(name);
		const found = statedMessage(value, depth + 1) ?? fieldMessages(value);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Returns the messages of an object that has those of each field under the field's name. */
function fieldMessages(value: unknown): string | undefined {
	if (!isRecord(value)) return undefined;
	const texts = Object.entries(value).flatMap(([field, messages]) =>
		[messages].flat().flatMap((message) => {
			const text = typeof message === 'string' ? quotable(message) : undefined;
			return text === undefined ? [] : [`${field}: ${text}`];
		}),
	);
	return texts.length > 0 ? texts.slice(0, MAX_MESSAGES).join('; ') : undefined;
}

function quotable(text: string): string | undefined {
	const line = text.trim().replaceAll(/\s+/g, ' ');
	const isProse = /\p{L}/u.test(line) && !/^[<{[]/.test(line);
	return isProse && line.length <= MAX_LENGTH ? line : undefined;
}
