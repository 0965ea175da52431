import type { IDataObject } from 'n8n-workflow';

import { parseDateTime, canonicalDateTime } from '../../../values/dateTime';
import { isRecord } from '../../../values/isRecord';
import { sha256 } from '../../../values/sha256';

/**
 * Lengths of truncated digests, in base64url characters. A status digest of two characters is too short: "pending" then
 * collides with the empty status.
 */
const CONTENT_LENGTH = 5;
const STATUS_LENGTH = 4;
const CHAIN_LENGTH = 8;

/**
 * Serializes a value canonically: names sorted, and each date-time replaced by its moment, so that its format does not matter.
 * Numbers need no rule: `JSON.parse` already makes `1` and `1.0` equal.
 */
function canonical(value: unknown, ignored: readonly string[] = []): string {
	if (typeof value === 'string') {
		const moment = parseDateTime(value);
		return moment ? canonicalDateTime(moment) : JSON.stringify(value);
	}
	if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry)).join()}]`;
	if (!isRecord(value)) return JSON.stringify(value ?? null);
	const names = Object.keys(value).filter((name) => !ignored.includes(name));
	return `{${names
		.sort()
		.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
		.join()}}`;
}

/** Returns the digest of a record's contents without the ignored fields. */
export const contentDigest = (record: IDataObject, ignored: readonly string[] = []): string =>
	sha256(canonical(record, ignored)).slice(0, CONTENT_LENGTH);

export const statusDigest = (status: unknown): string =>
	sha256(canonical(status ?? null)).slice(0, STATUS_LENGTH);

/** Returns the digest of a record's last start key, which becomes part of the record's next key. */
export const chainDigest = (key: string): string => sha256(key).slice(0, CHAIN_LENGTH);

/** Returns the idempotency key of a start. The key is unambiguous: the JSON keeps the parts apart. */
export const startKeyOf = (...parts: string[]): string => sha256(JSON.stringify(parts));
