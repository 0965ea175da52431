import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../errors';
import type { Field, FieldValue, ReadContext, Target } from '../field';
import { missingValueError, blankValueError, toIdText, toPathSegment } from '../http/path';
import type { Request } from '../http/types';
import type { Operation, Values } from '../operation';
import { membersOf } from '../values/convert';
import { isRecord } from '../values/isRecord';
import { readIdText, readText } from '../values/texts';
import { HIDDEN } from './parameters';

/** The parts of a request that fields fill. */
type RequestParts = Required<Pick<Request, 'params' | 'query'>> & {
	body?: Record<string, unknown>;
	wholeBody?: unknown;
	claims: Record<string, unknown>;
};

/** The evaluated fields and options of one item: by name, and by their place in the request. */
export interface EvaluatedFields {
	values: Values;
	parts: RequestParts;
}

/**
 * Reads all fields and options of an operation and adds each value to the part of the request that its target names.
 * `rawOrHidden` returns HIDDEN for a field that n8n hides; such a field gets no value. By default no field is hidden. With
 * `ignoresInvalidOptions`, an option whose value is invalid counts as not set.
 */
export function readFields(
	{ fields, options = [] }: Pick<Operation, 'fields' | 'options'>,
	context: ReadContext & { rawOrHidden?(field: Field): unknown; ignoresInvalidOptions?: boolean },
): EvaluatedFields {
	const values: Values = {};
	const parts: RequestParts = { params: {}, query: {}, claims: {} };
	for (const field of fields.filter(isReadHere)) {
		const raw = (context.rawOrHidden ?? context.rawValue)(field);
		if (raw !== HIDDEN) values[field.name] = readAndPlace(field, raw, parts, context);
	}
	for (const option of options) {
		try {
			values[option.name] = readAndPlace(option, context.rawValue(option), parts, context);
		} catch (error) {
			throwUnlessIgnored(error, context.ignoresInvalidOptions);
		}
	}
	return { values, parts };
}

function throwUnlessIgnored(error: unknown, ignoresInvalid = false): void {
	if (!ignoresInvalid || !(error instanceof BadInput)) throw error;
}

/** Reads options that belong to no operation, such as those of a trigger. */
export function readOptions<O extends Record<string, Field>>(
	options: O,
	raw: IDataObject,
): { [K in keyof O]?: FieldValue<O[K]> } {
	const context: ReadContext = {
		timezone: 'UTC',
		rawValue: ({ name }) => raw[name],
		isSet: ({ name }) => Object.hasOwn(raw, name),
		addSecret: () => undefined,
	};
	const { values } = readFields({ fields: [], options: Object.values(options) }, context);
	// `readFields` returns the values by the names of these options, with the types that their readers return.
	return values as { [K in keyof O]?: FieldValue<O[K]> };
}

/**
 * False for a resource mapper without a reader. The operation reads this field itself, and evaluating it here for every item
 * would cost time.
 */
const isReadHere = ({ type, read }: Field) => type !== 'resourceMapper' || read !== undefined;

/**
 * Returns the value to send and, if the field has a target, adds it to the request; undefined means that nothing is sent.
 * Throws for a required field without a value, and for a field with `rejectBlank` that is set but blank. `isAdded` means
 * that the field is inside a collection and that the user added it there.
 */
function readAndPlace(
	field: Field,
	value: unknown,
	parts: RequestParts,
	context: ReadContext,
	isAdded = false,
): unknown {
	const raw = locatorValue(value);
	if (field.secret) context.addSecret(raw);
	if (field.type === 'collection' && !field.read) {
		const chosen = isRecord(raw) ? raw : {};
		const memberValues: Values = {};
		for (const option of field.options ?? []) {
			if ('type' in option && option.name in chosen) {
				memberValues[option.name] = readAndPlace(option, chosen[option.name], parts, context, true);
			}
		}
		return memberValues;
	}
	const trimmed = typeof raw === 'string' ? raw.trim() : raw;
	const isBlank = trimmed === undefined || trimmed === null || trimmed === '';
	if (isBlank && field.required) throw missingValueError(field.displayName);
	const rejectsBlank = field.rejectBlank && (isAdded || context.isSet(field));
	if (isBlank && rejectsBlank) throw blankValueError(field.displayName);
	const isPath = field.target?.in === 'path';
	// A blank field is omitted. Inside a collection field, an added text that is left empty is sent, because it clears the
	// value at the service.
	const isOmitted = raw === undefined || raw === null || (raw === '' && !isAdded);
	if (isOmitted && !isPath && !field.readWhenBlank) return undefined;
	const sentValue = field.read
		? field.read(raw, context, field.displayName)
		: convertByType(field, raw);
	// The reader found no value in a field that is not blank. A required field must not be omitted without an error.
	if (sentValue === undefined && field.required) throw missingValueError(field.displayName);
	if (sentValue === undefined && rejectsBlank) throw blankValueError(field.displayName);
	if (sentValue !== undefined && field.target) addToRequest(sentValue, field, field.target, parts);
	return sentValue;
}

function addToRequest(sentValue: unknown, field: Field, target: Target, parts: RequestParts): void {
	const name = target.as ?? field.name;
	if (target.in === 'path') parts.params[name] = toPathSegment(field.displayName, sentValue);
	else if (target.spread) defineMembers((parts.body ??= {}), membersOf(sentValue));
	else if (target.in === 'wholeBody') parts.wholeBody = sentValue;
	else if (target.in === 'query') parts.query[name] = sentValue;
	else if (target.in === 'claim') setDeep(parts.claims, name, sentValue);
	else setDeep((parts.body ??= {}), name, sentValue);
}

/**
 * Converts the value of a field without a reader: expressions return any type, but services expect strings in text fields.
 */
function convertByType({ type, displayName, target }: Field, raw: unknown): unknown {
	if (target?.in === 'path') return toIdText(displayName, raw);
	if (type === 'resourceLocator') return readIdText(raw, displayName);
	return type === 'string' || type === 'options' ? readText(raw, displayName) : raw;
}

/** Returns the ID in a resource locator. Inside a collection, n8n 2.41.1 returns the locator object and not the ID. */
const locatorValue = (value: unknown): unknown =>
	isRecord(value) && '__rl' in value && 'value' in value ? value.value : value;

const OWN_PROPERTY = { enumerable: true, configurable: true, writable: true };

/** Defines members whose names the user chose: a dot in a name is not a path, and `__proto__` must not set the prototype. */
function defineMembers(into: Record<string, unknown>, values: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(values)) {
		Object.defineProperty(into, name, { ...OWN_PROPERTY, value });
	}
}

function setDeep(into: Record<string, unknown>, name: string, value: unknown): void {
	const steps = name.split('.');
	const last = steps.pop()!;
	let target = into;
	for (const step of steps) {
		const nested = isRecord(target[step]) ? target[step] : {};
		target[step] = nested;
		target = nested;
	}
	target[last] = value;
}
