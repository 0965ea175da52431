import type { IDataObject } from 'n8n-workflow';

import { asObject, brandedIds, valuesNamed } from '../responses';

const DIGITS = /^\d+$/;

/**
 * Whether a record names a user other than the one who was asked. Compares `twofactor_id`. A record without this field may
 * have the user's ID under a name with the service's brand (`brandedIds`). That ID is compared if it is the only such number
 * in the record. `user_id` is not compared, because services keep an internal ID there.
 */
export function namesAnotherUser(record: IDataObject, userId: string): boolean {
	const parts = [record, asObject(record.user ?? record._user)];
	const exact = parts
		.flatMap((part) => valuesNamed(part, 'twofactor_id'))
		.filter((value) => value !== undefined && value !== null);
	if (exact.length > 0) return exact.some((value) => !isSameUser(value, userId));
	// A service may repeat the ID, with an underscore or in `user`.
	const branded = parts.flatMap(brandedIds).filter(isNumeric);
	const hasOneId = new Set(branded.map((value) => normalizeDigits(`${value}`))).size === 1;
	return hasOneId && !isSameUser(branded[0], userId);
}

const isNumeric = (value: unknown): boolean =>
	typeof value === 'number' || (typeof value === 'string' && DIGITS.test(value.trim()));

/** Whether a value has the digits of a user ID. `JSON.parse` rounds numbers above 2^53; the ID is then rounded, too. */
function isSameUser(value: unknown, userId: string): boolean {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return value === Number(userId);
	return isNumeric(value) && normalizeDigits(`${value}`) === normalizeDigits(userId);
}

const normalizeDigits = (text: string): string => text.trim().replace(/^0+(?=\d)/, '');
