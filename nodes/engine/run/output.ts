import type { IDataObject } from 'n8n-workflow';

import { oneRecord, writtenRecord } from '../http/records';
import type { Answer, Request } from '../http/types';
import type { Operation, Output } from '../operation';
import { isRecord } from '../values/convert';

/** The body of an answer as output: an object is one item, a list as many as it holds. */
export function asOutput({ body }: Answer): Output {
	return Array.isArray(body) ? body.map(asItem) : asItem(body);
}

/** The one record in an answer; an empty one where there is none. */
export const asRecord = ({ body }: Answer): IDataObject => oneRecord(body).record ?? {};

/**
 * Returns the record in the answer. If a write was answered with something else: what was sent, or just the success if nothing
 * was.
 */
export const recordOrSent = ({ body }: Answer, sent: unknown, path?: string): IDataObject =>
	writtenRecord(body, path).record ?? (isRecord(sent) ? sent : { success: true });

/**
 * What to tell about a write that was carried out and answered with something other than the record. It is no error: that
 * would invite repetition.
 */
export function missingRecordHint(
	answer: Answer,
	{ method, path, repeatable }: Request,
): string | undefined {
	const isWrite = method === 'PUT' || method === 'PATCH' || (method === 'POST' && !repeatable);
	if (!isWrite || answer.kind === 'text' || answer.status >= 300) return undefined;
	const { instead } = writtenRecord(answer.body, path);
	return (
		instead &&
		`The service carried it out, but answered with ${instead} instead of the record. The output shows what is known without it. Don't repeat this step: read the record if you need more of it.`
	);
}

/** n8n's items are objects. Its type for what is in them knows no unknown, so a text stands for whatever came out of JSON. */
const asItem = (value: unknown): IDataObject =>
	isRecord(value) ? value : { value: value as string };

/** What Simplify leaves of a kind of record, and what is done to it in any case. */
export type Shape = Pick<Operation, 'simplify' | 'tidy'>;

/** What comes out of one record: tidied, and of its fields those that Simplify keeps, if that is wanted. */
export function simplifierOf(
	{ simplify: keep, tidy = (record) => record }: Shape,
	isWanted: boolean,
): (record: IDataObject) => IDataObject {
	if (!keep || !isWanted) return tidy;
	return (record) => pickFields(keep, tidy(record));
}

/** Of a record the fields with these names, in this order. */
export function pickFields(names: readonly string[], record: IDataObject): IDataObject {
	const fields: IDataObject = {};
	for (const name of names) if (record[name] !== undefined) fields[name] = record[name];
	return fields;
}

/** A tidying that puts these fields first, in this order; what else a record has follows. */
export const inOrder =
	(...names: string[]) =>
	(record: IDataObject): IDataObject => {
		const first = names.filter((name) => name in record).map((name) => [name, record[name]]);
		// What was put first stays there: a name that comes again only takes the same value again.
		return Object.assign(Object.fromEntries(first), record) as IDataObject;
	};
