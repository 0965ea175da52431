import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../http/types';
import type { Output } from '../operation';
import { isRecord } from '../values/convert';

/** The body of an answer as output: an object is one item, a list as many as it holds. */
export function asOutput({ body, kind }: Answer): Output {
	if (kind === 'empty' || body === null) return { success: true };
	return Array.isArray(body) ? body.map(asItem) : asItem(body);
}

/** The body of an answer that is about one thing, as one item. */
export function asRecord(answer: Answer): IDataObject {
	const output = asOutput(answer);
	return Array.isArray(output) ? (output[0] ?? {}) : output;
}

/** n8n's items are objects. Its type for what is in them knows no unknown, so a text stands for whatever came out of JSON. */
const asItem = (value: unknown): IDataObject =>
	isRecord(value) ? value : { value: value as string };
