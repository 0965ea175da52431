import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { idOf, oneRecord } from '../http/records';
import { isRead } from '../http/requestTraits';
import type { ServiceResponse, Request } from '../http/types';
import { hasTwoOutputs, outputOnTwo } from '../n8n/nodeOutputs';
import type { ItemCall, Operation, Output } from '../operation';
import { isRecord } from '../values/isRecord';
import { memberRenamer } from './memberNames';

/** Returns the body of a response as output: one item for an object, one per entry for a list. */
export function toOutput({ body }: ServiceResponse): Output {
	return Array.isArray(body) ? body.map(toItem) : toItem(body);
}

/** Returns the single record in a response; an empty record if there is none. */
export const toRecord = ({ body }: ServiceResponse, path?: string): IDataObject =>
	oneRecord(body, path).record ?? {};

/**
 * Returns the record in a response. If a write that promises none was answered with something else, returns the values that
 * were sent, or `success: true` if there were none.
 */
export const recordOrSent = (
	{ body }: ServiceResponse,
	sentBody: unknown,
	path?: string,
): IDataObject =>
	oneRecord(body, path).record ?? (isRecord(sentBody) ? sentBody : { success: true });

/**
 * Returns a hint if the response to a write holds something other than a record, or a record without its ID. This is not an
 * error if the service's contract promises no record: users and agents would repeat a failed write.
 */
export function missingRecordHint(
	{ body, kind, status }: ServiceResponse,
	request: Request,
): string | undefined {
	const expectsRecord = !['GET', 'DELETE'].includes(request.method) && !isRead(request);
	if (!expectsRecord || kind === 'text' || status >= 300) return undefined;
	const { identify, json, path } = request;
	const { record, actual: content } = oneRecord(body, path);
	const lacksId =
		record && identify && json !== undefined && idOf(record, { identify }) === undefined;
	const actual = content ?? (lacksId ? 'a record without an ID' : undefined);
	return (
		actual &&
		`The service answered with ${actual} instead of the record (status ${status}). The output shows what was sent. Read the record before you repeat this step.`
	);
}

/** Wraps a value that is not an object: n8n's items are objects. The cast covers any JSON value, as IDataObject has no `unknown`. */
const toItem = (value: unknown): IDataObject =>
	isRecord(value) ? value : { value: value as string };

/** How the records of an operation become output: the fields that Simplify keeps, and a transformation of every record. */
export type OutputShape = Pick<Operation, 'simplify' | 'transformRecord'>;

type RecordShaper = (record: IDataObject) => IDataObject;

/** Whether the records of an operation differ from its output for at least some items. */
export const shapesOutput = ({ simplify, transformRecord }: OutputShape): boolean =>
	simplify !== undefined || transformRecord !== undefined;

/**
 * Returns a function that applies `transformRecord` and, if `simplifies`, keeps only the fields of Simplify. `hint` is given if
 * the records are a service's own: it may write their names in another way, or use names of its own. A record of which no
 * more than one field is known is then output as a whole, with a hint.
 */
export function recordShaperOf(
	{ simplify: keep, transformRecord = (record) => record }: OutputShape,
	simplifies: boolean,
	hint?: (message: string) => void,
): RecordShaper {
	if (!keep || !simplifies) return transformRecord;
	if (!hint) return (record) => pickFields(keep, transformRecord(record));
	const withKnownNames = memberRenamer(keep);
	return (record) => {
		const shaped = transformRecord(withKnownNames(record));
		const fields = pickFields(keep, shaped);
		const knownCount = Object.keys(fields).length;
		const isUnknown = knownCount < Math.min(keep.length, MIN_KNOWN_FIELDS);
		if (!isUnknown || Object.keys(shaped).length <= knownCount) return fields;
		hint(UNKNOWN_FIELDS);
		return shaped;
	};
}

/** Returns the function that shapes the records of a call. */
export const shaperOf = (call: ItemCall): RecordShaper =>
	recordShaperOf(
		call.operation,
		call.simplifies,
		call.service.keepsRecords && ((message) => call.hint(message)),
	);

/** A record with fewer fields of Simplify has other names for them: an ID alone is no record. */
const MIN_KNOWN_FIELDS = 2;

const UNKNOWN_FIELDS =
	'The service returned records without the fields that Simplify keeps, so the output is the whole record. Check its names before you use them in other nodes.';

/** Returns the fields with these names, in this order. Missing fields are omitted. */
export function pickFields(names: readonly string[], record: IDataObject): IDataObject {
	const fields: IDataObject = {};
	for (const name of names) if (record[name] !== undefined) fields[name] = record[name];
	return fields;
}

/** Returns a `transformRecord` function that moves these fields to the front, in this order. */
export const fieldsFirst =
	(...names: string[]) =>
	(record: IDataObject): IDataObject => {
		const first: IDataObject = {};
		for (const name of names) if (name in record) first[name] = record[name];
		// Assigning an existing member keeps its position.
		return Object.assign(first, record);
	};

/** Distributes the output items to the outputs of the node. */
export function toBranches(
	context: IExecuteFunctions,
	{ branches }: Operation,
	items: INodeExecutionData[],
): INodeExecutionData[][] {
	if (!branches || !hasTwoOutputs(context)) return [items];
	return outputOnTwo(context, items, ({ json }) => branches.isPositive(json));
}
