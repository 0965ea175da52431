import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../engine/http/types';
import { asId, firstText, isRecord } from '../engine/values/convert';

/** A value as an object. A list of one object counts as that object, anything else as an empty one. */
export function asObject(value: unknown): IDataObject {
	const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	return isRecord(one) ? one : {};
}

/** Whether a value means yes: the service writes true or "true". */
export const isTrue = (value: unknown): boolean => value === true || isWord(value, 'true');

/** Whether a value means no, as opposed to nothing. */
export const isFalse = (value: unknown): boolean => value === false || isWord(value, 'false');

const isWord = (value: unknown, word: string): boolean =>
	typeof value === 'string' && value.trim().toLowerCase() === word;

/** Whether the service says that it did what it was asked. Only that is success, whatever the status. */
export const succeeded = ({ status, body }: Answer): boolean =>
	status >= 200 && status < 300 && isTrue(asObject(body).success);

/** The service's own code for what is wrong. */
export const errorCode = ({ body }: Answer): string | undefined =>
	firstText(asObject(body), ['error_code', 'code']);

/** Words in the names of ids that are not the user's. */
const OTHER_ID_WORDS = new Set(
	'account app application approval audit batch client company customer device environment event external group key log message notification order organization owner parent policy profile project push reference request serial service session site team template tenant token trace transaction verification webhook workflow workspace'.split(
		' ',
	),
);

/** Names are compared without the underscore that a service may put in front of what it adds. */
const normalizeName = (name: string) => name.replace(/^_+/, '').toLowerCase();

/** The values that a record has under a name, in any case and with or without a leading underscore. */
export const valuesNamed = (record: IDataObject, wanted: string): unknown[] =>
	Object.entries(record)
		.filter(([name]) => normalizeName(name) === wanted)
		.map(([, value]) => value);

/** A name that a record uses more than once, in letters of a different case. */
export function repeatedName(record: object, names: readonly string[]): string | undefined {
	const used = Object.keys(record).map((name) => name.toLowerCase());
	return names.find((name) => used.filter((other) => other === name).length > 1);
}

/** Ids whose names carry the service's brand: any that do not say what else they are of. */
export const brandedIds = (record: IDataObject): unknown[] =>
	Object.entries(record)
		.filter(([name]) => {
			const words = normalizeName(name).split('_');
			const isId = words.length > 1 && words.pop() === 'id';
			return isId && words.join('_') !== 'user' && !words.some((word) => OTHER_ID_WORDS.has(word));
		})
		.map(([, value]) => value);

/** The user's id, wherever the service put it: its name carries the service's brand. */
export function findUserId(body: unknown): string | number | undefined {
	const answer = asObject(body);
	const user = asObject(answer.user ?? answer._user);
	const app = asObject(answer.app ?? answer._app);
	const candidates = [
		...valuesNamed(user, 'twofactor_id'),
		user.id,
		...valuesNamed(answer, 'twofactor_id'),
		...brandedIds(user),
		...brandedIds(answer),
		// Some services keep an id of their own for the user besides the one that they want to hear.
		...[user, answer].flatMap((record) => valuesNamed(record, 'user_id')),
		...['twofactor_id', 'user_id'].flatMap((name) => valuesNamed(app, name)),
		answer.id,
	];
	const found = candidates.find(
		(value): value is string | number =>
			typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''),
	);
	return found === undefined ? undefined : asId(found);
}

/** What an answer is about: the object by that name, or all of the answer where there is none. */
export function unwrapObject(body: unknown, name: string): IDataObject {
	const inner = asObject(asObject(body)[name]);
	return Object.keys(inner).length > 0 ? inner : otherFields(body);
}

/** An answer without what only says that it succeeded, and without what else is named. */
export function otherFields(body: unknown, ...omitted: string[]): IDataObject {
	const fields = Object.entries(asObject(body)).filter(
		([name]) => name !== 'success' && !omitted.includes(name),
	);
	return Object.fromEntries(fields);
}
