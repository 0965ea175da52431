import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, canonicalDateTime } from './dateTime';

/** So much of a hash tells one content from another, and one status from another: with two, "pending" would be none at all. */
const CONTENT_LENGTH = 5;
const STATUS_LENGTH = 4;
const CHAIN_LENGTH = 8;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Writes a value so that equal values give equal texts: names in order, and a date-time by its moment instead of its spelling.
 * JSON numbers that are equal (`1` and `1.0`) already are when they are parsed.
 */
function canonical(value: unknown, ignored: readonly string[] = []): string {
	if (typeof value === 'string') {
		const moment = parseDateTime(value);
		return moment ? canonicalDateTime(moment) : JSON.stringify(value);
	}
	if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
	if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry)).join()}]`;
	const object = value as Record<string, unknown>;
	const names = Object.keys(object).filter((name) => !ignored.includes(name));
	return `{${names
		.sort()
		.map((name) => `${JSON.stringify(name)}:${canonical(object[name])}`)
		.join()}}`;
}

/** What a record holds, in five characters, without the fields that are no change. */
export const contentDigest = (record: IDataObject, ignored: readonly string[] = []): string =>
	hash(canonical(record, ignored)).slice(0, CONTENT_LENGTH);

/** A status in four characters. */
export const statusDigest = (status: unknown): string =>
	hash(canonical(status ?? null)).slice(0, STATUS_LENGTH);

/** What the last key of a record leaves behind for the next one. */
export const chainDigest = (key: string): string => hash(key).slice(0, CHAIN_LENGTH);

/** A key of what is started. */
export const startKeyOf = (...parts: string[]): string => hash(JSON.stringify(parts));
