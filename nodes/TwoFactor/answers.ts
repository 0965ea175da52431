import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../engine/http/types';
import { asId, firstText, isRecord } from '../engine/values/convert';

/** A value as an object: of a list its first entry, of anything else nothing. */
export function asObject(value: unknown): IDataObject {
	const one: unknown = Array.isArray(value) ? value[0] : value;
	return isRecord(one) ? one : {};
}

/** Whether a value means yes: the service writes true or "true". */
export const isTrue = (value: unknown): boolean => `${value}`.trim().toLowerCase() === 'true';

/** Whether a value means no, as opposed to nothing. */
export const isFalse = (value: unknown): boolean => `${value}`.trim().toLowerCase() === 'false';

/** Whether the service says that it did what it was asked. Only that is success, whatever the status. */
export const succeeded = ({ status, body }: Answer): boolean =>
	status >= 200 && status < 300 && isTrue(asObject(body).success);

/** The service's own code for what is wrong. */
export const errorCode = ({ body }: Answer): string | undefined =>
	firstText(asObject(body), ['error_code', 'code']);

/** Words in the names of ids that are not the user's. */
const OTHERS = new Set(
	'account app application approval customer device event key message organization owner project request serial service session token transaction verification'.split(
		' ',
	),
);

/** Names are compared without the underscore that a service may put in front of what it adds. */
const bare = (name: string) => name.replace(/^_+/, '').toLowerCase();

const named = (record: IDataObject, wanted: string): unknown[] =>
	Object.entries(record)
		.filter(([name]) => bare(name) === wanted)
		.map(([, value]) => value);

/** Ids whose names carry the service's brand: any that do not say what else they are of. */
const branded = (record: IDataObject): unknown[] =>
	Object.entries(record)
		.filter(([name]) => {
			const words = bare(name).split('_');
			const isId = words.length > 1 && words.pop() === 'id';
			return isId && words.join('_') !== 'user' && !words.some((word) => OTHERS.has(word));
		})
		.map(([, value]) => value);

/** The user's id, wherever the service put it: its name carries the service's brand. */
export function userId(body: unknown): string | number | undefined {
	const answer = asObject(body);
	const user = asObject(answer.user ?? answer._user);
	const app = asObject(answer.app ?? answer._app);
	const candidates = [
		...named(user, 'twofactor_id'),
		user.id,
		...named(answer, 'twofactor_id'),
		...branded(user),
		...branded(answer),
		// Some services keep an id of their own for the user besides the one that they want to hear.
		...[user, answer].flatMap((record) => named(record, 'user_id')),
		...['twofactor_id', 'user_id'].flatMap((name) => named(app, name)),
		answer.id,
	];
	const found = candidates.find(
		(value): value is string | number =>
			typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''),
	);
	return found === undefined ? undefined : asId(found);
}

/** What an answer is about: the object by that name, or all of the answer where there is none. */
export function unwrapped(body: unknown, name: string): IDataObject {
	const inner = asObject(asObject(body)[name]);
	return Object.keys(inner).length > 0 ? inner : rest(body);
}

/** An answer without what only says that it succeeded, and without what else is named. */
export function rest(body: unknown, ...known: string[]): IDataObject {
	const left = Object.entries(asObject(body)).filter(
		([name]) => name !== 'success' && !known.includes(name),
	);
	return Object.fromEntries(left);
}
