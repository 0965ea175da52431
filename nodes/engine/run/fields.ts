import type { IDataObject } from 'n8n-workflow';

import type { Field, FieldValue, ReadContext, Target } from '../field';
import { missing, pathText, setButBlank } from '../http/path';
import type { Request } from '../http/types';
import type { Operation, Values } from '../operation';
import { isRecord, membersOf } from '../values/convert';
import { idText, text } from '../values/texts';
import { HIDDEN } from './parameters';

/** The parts of a request that fields fill. */
export type RequestParts = Required<Pick<Request, 'params' | 'labels' | 'query'>> & {
	body?: Record<string, unknown>;
	wholeBody?: unknown;
	claims: Record<string, unknown>;
};

/** What the fields and options of one item came to: by their names, and by where each goes. */
export interface ItemReading {
	values: Values;
	parts: RequestParts;
}

/** Reads every field and option of an operation, and puts each value where the field's target says. */
export function readFields(
	{ fields, options = [] }: Pick<Operation, 'fields' | 'options'>,
	reading: ReadContext & { raw?(field: Field): unknown },
): ItemReading {
	const values: Values = {};
	const parts: RequestParts = { params: {}, labels: {}, query: {}, claims: {} };
	for (const field of fields.filter(isReadHere)) {
		const given = (reading.raw ?? reading.given)(field);
		if (given !== HIDDEN) values[field.name] = readAndPlace(field, given, parts, reading);
	}
	for (const option of options) {
		values[option.name] = readAndPlace(option, reading.given(option), parts, reading);
	}
	return { values, parts };
}

/** Reads options that were set outside an operation, as those of a trigger are. */
export function readOptions<O extends Record<string, Field>>(
	options: O,
	given: IDataObject,
): { [K in keyof O]?: FieldValue<O[K]> } {
	const reading: ReadContext = {
		timezone: 'UTC',
		given: ({ name }) => given[name],
		isSet: ({ name }) => Object.hasOwn(given, name),
		keepSecret: () => undefined,
	};
	const { values } = readFields({ fields: [], options: Object.values(options) }, reading);
	// Values come by the names of the very options that were read.
	return values as { [K in keyof O]?: FieldValue<O[K]> };
}

/** A mapping onto a form is read by whoever knows the form; evaluating it for every item would cost time for nothing. */
const isReadHere = ({ type, read }: Field) => type !== 'resourceMapper' || read !== undefined;

/** Gives what is sent, and puts it where it belongs. */
function readAndPlace(
	field: Field,
	value: unknown,
	parts: RequestParts,
	reading: ReadContext,
	isAdded = false,
): unknown {
	const given = locatorValue(value);
	if (field.secret) reading.keepSecret(given);
	if (field.type === 'collection' && !field.read) {
		const chosen = isRecord(given) ? given : {};
		const inside: Values = {};
		for (const option of field.options ?? []) {
			if ('type' in option && option.name in chosen) {
				inside[option.name] = readAndPlace(option, chosen[option.name], parts, reading, true);
			}
		}
		return inside;
	}
	const trimmed = typeof given === 'string' ? given.trim() : given;
	const isBlank = trimmed === undefined || trimmed === null || trimmed === '';
	if (isBlank && field.required) throw missing(field.displayName);
	const rejectsBlank = field.rejectBlank && (isAdded || reading.isSet(field));
	if (isBlank && rejectsBlank) throw setButBlank(field.displayName);
	const isPath = field.target?.in === 'path';
	// A field left blank is left out; one that was added on purpose and left blank empties what the service holds.
	const isOmitted = given === undefined || given === null || (given === '' && !isAdded);
	if (isOmitted && !isPath && !field.readWhenBlank) return undefined;
	const sent = field.read
		? field.read(given, reading, field.displayName)
		: convertByType(field, given);
	// What only looked filled in must not be left out in silence.
	if (sent === undefined && field.required) throw missing(field.displayName);
	if (sent === undefined && rejectsBlank) throw setButBlank(field.displayName);
	if (sent !== undefined && field.target) addToRequest(sent, field, field.target, parts);
	return sent;
}

function addToRequest(sent: unknown, field: Field, target: Target, parts: RequestParts): void {
	const name = target.as ?? field.name;
	if (target.in === 'path') {
		parts.params[name] = sent;
		parts.labels[name] = field.displayName;
	} else if (target.spread) defineMembers((parts.body ??= {}), membersOf(sent));
	else if (target.in === 'wholeBody') parts.wholeBody = sent;
	else if (target.in === 'query') parts.query[name] = sent;
	else if (target.in === 'claim') setDeep(parts.claims, name, sent);
	else setDeep((parts.body ??= {}), name, sent);
}

/** What a field without a reader gives. An expression gives anything, and services want texts for texts. */
function convertByType({ type, displayName, target }: Field, given: unknown): unknown {
	if (target?.in === 'path') return pathText(displayName, given);
	if (type === 'resourceLocator') return idText(given, displayName);
	return type === 'string' || type === 'options' ? text(given, displayName) : given;
}

/** The id in a resource locator: inside a collection n8n hands out the locator itself. */
const locatorValue = (value: unknown): unknown =>
	isRecord(value) && '__rl' in value && 'value' in value ? value.value : value;

/** The names are the user's own: a dot in one means nothing, and none may reach an object's prototype. */
function defineMembers(into: Record<string, unknown>, values: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(values)) {
		const own = { enumerable: true, configurable: true, writable: true };
		Object.defineProperty(into, name, { ...own, value });
	}
}

function setDeep(into: Record<string, unknown>, name: string, value: unknown): void {
	const steps = name.split('.');
	const last = steps.pop()!;
	let at = into;
	for (const step of steps) {
		const inside = isRecord(at[step]) ? at[step] : {};
		at[step] = inside;
		at = inside;
	}
	at[last] = value;
}
