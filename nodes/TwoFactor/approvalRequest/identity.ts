import type { IDataObject } from 'n8n-workflow';

import { asObject, brandedIds, named } from '../answers';

const DIGITS = /^\d+$/;

/**
 * Whether a record names a user other than the one who was asked: by `twofactor_id`, or else by its only branded ID that is
 * a number. `user_id` is not compared: services keep an ID of their own there.
 */
export function namesAnother(record: IDataObject, asked: string): boolean {
	const parts = [record, asObject(record.user ?? record._user)];
	const exact = parts
		.flatMap((part) => named(part, 'twofactor_id'))
		.filter((value) => value !== undefined && value !== null);
	if (exact.length > 0) return exact.some((value) => !isUser(value, asked));
	const branded = parts.flatMap(brandedIds).filter(isNumber);
	return branded.length === 1 && !isUser(branded[0], asked);
}

const isNumber = (value: unknown): boolean =>
	typeof value === 'number' || (typeof value === 'string' && DIGITS.test(value.trim()));

/** Whether a value is the ID of a user: a number or a text with the same digits. A number that JSON has rounded is not. */
function isUser(value: unknown, asked: string): boolean {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
	return isNumber(value) && digitsOf(`${value}`) === digitsOf(asked);
}

const digitsOf = (text: string): string => text.trim().replace(/^0+(?=\d)/, '');
