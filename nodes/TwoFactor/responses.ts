import type { IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../engine/http/types';
import { firstText, normalizeId } from '../engine/values/convert';
import { isRecord } from '../engine/values/isRecord';

/** Returns a value as an object: a list of one object counts as that object, anything else as an empty one. */
export function asObject(value: unknown): IDataObject {
	const object: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	return isRecord(object) ? object : {};
}

/** Whether a value is true. The service writes true or "true". */
export const isTrue = (value: unknown): boolean => value === true || isWord(value, 'true');

/** Whether a value is false, as opposed to missing. */
export const isFalse = (value: unknown): boolean => value === false || isWord(value, 'false');

const isWord = (value: unknown, word: string): boolean =>
	typeof value === 'string' && value.trim().toLowerCase() === word;

export const isSuccessStatus = ({ status }: ServiceResponse): boolean =>
	status >= 200 && status < 300;

/** Whether the service carried out a request. Only `success` in the body counts; a 2xx status alone does not. */
export const succeeded = (response: ServiceResponse): boolean =>
	isSuccessStatus(response) && isTrue(asObject(response.body).success);

export const errorCode = ({ body }: ServiceResponse): string | undefined =>
	firstText(asObject(body), ['error_code', 'code']);

/** Words in the names of IDs that identify something other than the user. */
const OTHER_ID_WORDS = new Set(
	'account app application approval audit batch client company customer device environment event external group key log message notification order organization owner parent policy profile project push reference request serial service session site team template tenant token trace transaction verification webhook workflow workspace'.split(
		' ',
	),
);

/** Services prefix some of their own fields with an underscore, so names are compared without it. */
const normalizeMemberName = (name: string) => name.replace(/^_+/, '').toLowerCase();

/** Returns the values that a record has under a name, ignoring case and leading underscores. */
export const valuesNamed = (record: IDataObject, memberName: string): unknown[] =>
	Object.entries(record)
		.filter(([name]) => normalizeMemberName(name) === memberName)
		.map(([, value]) => value);

/** Returns the first of the names that a record has more than once, in different case. */
export function repeatedName(record: object, names: readonly string[]): string | undefined {
	const memberNames = Object.keys(record).map((name) => name.toLowerCase());
	return names.find((name) => memberNames.filter((other) => other === name).length > 1);
}

/**
 * Returns the IDs that may carry the service's brand in their names: those whose names contain no word for anything else.
 */
export const brandedIds = (record: IDataObject): unknown[] =>
	Object.entries(record)
		.filter(([name]) => {
			const nameParts = normalizeMemberName(name).split('_');
			const isId = nameParts.length > 1 && nameParts.pop() === 'id';
			return (
				isId &&
				nameParts.join('_') !== 'user' &&
				!nameParts.some((word) => OTHER_ID_WORDS.has(word))
			);
		})
		.map(([, value]) => value);

/** Finds the user's ID in a response. Services name it after their brand and put it in different places. */
export function findUserId(body: unknown): string | number | undefined {
	const response = asObject(body);
	const user = asObject(response.user ?? response._user);
	const app = asObject(response.app ?? response._app);
	const candidates = [
		...valuesNamed(user, 'twofactor_id'),
		user.id,
		...valuesNamed(response, 'twofactor_id'),
		...brandedIds(user),
		...brandedIds(response),
		// Late in the order: some services keep an internal user ID here that their API does not accept.
		...[user, response].flatMap((record) => valuesNamed(record, 'user_id')),
		...['twofactor_id', 'user_id'].flatMap((name) => valuesNamed(app, name)),
		response.id,
	];
	const userId = candidates.find(
		(value): value is string | number =>
			typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''),
	);
	return userId === undefined ? undefined : normalizeId(userId);
}

/** Returns the object with that name in a response or, without one, the response itself. */
export function unwrapObject(body: unknown, name: string): IDataObject {
	const inner = asObject(asObject(body)[name]);
	return Object.keys(inner).length > 0 ? inner : otherFields(body);
}

/** Returns the fields of a response without `success` and the omitted names. */
export function otherFields(body: unknown, ...omitted: string[]): IDataObject {
	const fields = Object.entries(asObject(body)).filter(
		([name]) => name !== 'success' && !omitted.includes(name),
	);
	return Object.fromEntries(fields);
}
