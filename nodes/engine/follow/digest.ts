import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/** So much of a hash tells one content from another, and one status from another: with two, "pending" would be none at all. */
const CONTENT_LENGTH = 5;
const STATUS_LENGTH = 4;
const CHAIN_LENGTH = 8;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/** JSON with the names of every object in order, so that the same record gives the same text however it comes. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, inside: unknown) =>
		typeof inside === 'object' && inside !== null && !Array.isArray(inside)
			? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inside,
	);
}

/** What a record holds, in five characters, without the fields that are no change. */
export function contentDigest(record: IDataObject, ignored: readonly string[] = []): string {
	const counted = Object.entries(record).filter(([name]) => !ignored.includes(name));
	return hash(canonical(Object.fromEntries(counted))).slice(0, CONTENT_LENGTH);
}

/** A status in four characters. */
export const statusDigest = (status: unknown): string =>
	hash(canonical(status ?? null)).slice(0, STATUS_LENGTH);

/** What the last key of a record leaves behind for the next one. */
export const chainDigest = (key: string): string => hash(key).slice(0, CHAIN_LENGTH);

/** A key of what is started. */
export const keyOf = (...parts: string[]): string => hash(JSON.stringify(parts));
