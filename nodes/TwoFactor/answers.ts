import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../engine/request';
import { firstText } from '../engine/values';

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as an object: of a list its first entry, of anything else nothing. */
export function asObject(value: unknown): IDataObject {
	const one = Array.isArray(value) ? value[0] : value;
	return isObject(one) ? one : {};
}

/** Whether a value means yes: the service writes true or "true". */
export const isTrue = (value: unknown): boolean =>
	`${value as string}`.trim().toLowerCase() === 'true';

/** Whether a value means no, as opposed to nothing. */
export const isFalse = (value: unknown): boolean =>
	`${value as string}`.trim().toLowerCase() === 'false';

/** Whether the service says that it did what it was asked. Only that is success, whatever the status. */
export const succeeded = ({ status, body }: Answer): boolean =>
	status >= 200 && status < 300 && isTrue(asObject(body).success);

/** The service's own code for what is wrong. */
export const errorCode = ({ body }: Answer): string | undefined =>
	firstText(asObject(body), ['error_code', 'code']);

/** Ids in an answer that are not the user's. */
const OTHER_IDS = /^(app|application|device|request|message)_id$/;

/** The user's id, wherever the service put it: its name carries the service's brand. */
export function userId(body: unknown): string | number | undefined {
	const answer = asObject(body);
	const user = asObject(answer.user);
	const branded = (record: IDataObject) =>
		Object.entries(record)
			.filter(([name]) => /^[^_].*_id$/.test(name) && !OTHER_IDS.test(name))
			.map(([, value]) => value);
	const candidates = [
		user.twofactor_id,
		user.id,
		answer.twofactor_id,
		...branded(user),
		...branded(answer),
		answer.id,
	];
	return candidates.find(
		(value): value is string | number =>
			typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''),
	);
}

/** An answer without what only says that it succeeded, and without what else is named. */
export function rest(body: unknown, ...known: string[]): IDataObject {
	const left = Object.entries(asObject(body)).filter(
		([name]) => name !== 'success' && !known.includes(name),
	);
	return Object.fromEntries(left);
}
