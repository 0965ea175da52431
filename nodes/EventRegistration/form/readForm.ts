import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../../engine/http/json';
import { addToGroup } from '../../engine/values/groupBy';
import { isRecord } from '../../engine/values/isRecord';
import { isNonDateObject, readText } from '../../engine/values/texts';

/*
 * The forms of registrations and contacts, file by file:
 * - `readForm`: reads a form and custom fields. Independent of n8n's editor and execution, as is `mappedValues`.
 * - `mappedValues`: maps an item onto a form, and serializes the values of a form.
 * - `formDefinitions`: the two forms.
 * - `fieldKind`: what a field holds, by its type.
 * - `columns`: converts a form into columns of n8n's resource mapper and back. `../formMappings` loads them for the panel.
 * - `inputs`: the parameters and options that show a form.
 * - `body`: builds the body for an item from the mapped values. `../write/saveForm` and `../write/upsert` send it.
 * - `output`: the output of Get Form.
 */

/** One field of a registration or contact form. */
export interface FormField {
	/** The service's internal name of the field. */
	name: string;
	/** The label that people see. */
	caption: string;
	/** The service's type of the field, if it specifies one. */
	type?: string;
	/** Whether it must be filled in; missing if the service does not specify it. */
	required?: boolean;
	options?: string[];
}

/** The meaning of the keys if a form is a map between captions and names. Detected unless the user sets it. */
export type FormKeyOrder = 'detect' | 'captions' | 'names';

/** Reads the option. Any other value, as from an expression, means `detect`. */
export const readFormKeyOrder = (raw: unknown): FormKeyOrder =>
	raw === 'captions' || raw === 'names' ? raw : 'detect';

/** Names by which the side of a map with the internal names is recognized. */
const WELL_KNOWN_NAMES = ['FirstName', 'LastName', 'Email'];

/**
 * Reads a form in any of its shapes: a map between captions and names in either direction, or descriptions of fields in an
 * array or in an object. Returns every field once, in the service's order, and no fields if the body is not a form.
 */
export function readForm(body: unknown, keyOrder: FormKeyOrder = 'detect'): FormField[] {
	const content = unwrapList(body);
	if (Array.isArray(content)) return uniqueByName(content.map((entry) => readField(entry)));
	if (!isRecord(content)) return [];
	const entries = Object.entries(content);
	if (entries.some(([, value]) => isRecord(value))) {
		return uniqueByName(entries.map(([key, value]) => readField(value, key)));
	}
	const pairs = entries.map(([key, value]) => [key.trim(), textOf(value).trim()] as const);
	const hasCaptionKeys = keyOrder === 'detect' ? keysAreCaptions(pairs) : keyOrder === 'captions';
	return uniqueByName(
		pairs.map(([key, value]) => {
			const [caption, name] = hasCaptionKeys ? [key, value] : [value, key];
			// A field with a blank side is still a field: the other side is both its name and its caption.
			return { name: name || caption, caption: caption || name };
		}),
	);
}

/**
 * Returns a name by which a body is recognized as a form; undefined if it has none. Unlike an error, a form has a field for a
 * name or an address.
 */
export const identifyForm = (body: unknown): string | undefined =>
	readForm(body)
		.flatMap(({ name, caption }) => [name, caption])
		.find((text) => WELL_KNOWN_NAMES.includes(text));

/** Returns the list inside a wrapper object (`fields` or `data`); any other body as it is. */
function unwrapList(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const list = property(body, 'fields') ?? property(body, 'data');
	return Array.isArray(list) ? list : body;
}

/**
 * Whether the keys are captions and the values internal names: the values include more of the well-known names or, in a tie,
 * at least as many identifiers as the keys.
 */
function keysAreCaptions(pairs: ReadonlyArray<readonly [string, string]>): boolean {
	const count = (side: 0 | 1, test: (text: string) => boolean) =>
		pairs.filter((pair) => test(pair[side])).length;
	const isWellKnown = (text: string) => WELL_KNOWN_NAMES.includes(text);
	const byWellKnown = count(1, isWellKnown) - count(0, isWellKnown);
	if (byWellKnown !== 0) return byWellKnown > 0;
	const isIdentifier = (text: string) => /^[A-Za-z_]\w*$/.test(text);
	return count(1, isIdentifier) >= count(0, isIdentifier);
}

/** Reads the description of a field. The key is its name if the description has none. */
function readField(entry: unknown, key = ''): FormField {
	if (!isRecord(entry)) {
		const text = textOf(entry).trim();
		return { name: key || text, caption: text || key };
	}
	const name = textOf(property(entry, 'name')).trim() || key.trim();
	const type = textOf(property(entry, 'type')).trim();
	const required = textOf(property(entry, 'required')).trim();
	const options = optionTexts(property(entry, 'options'));
	return {
		name,
		caption: textOf(property(entry, 'caption')).trim() || name,
		...(type && { type }),
		...(required && { required: /^(true|1|yes)$/i.test(required) }),
		...(options.length > 0 && { options }),
	};
}

function optionTexts(options: unknown): string[] {
	if (!Array.isArray(options)) return [];
	const texts = options.map((entry) =>
		textOf(isRecord(entry) ? (property(entry, 'value') ?? property(entry, 'name')) : entry),
	);
	return [...new Set(texts.filter((text) => text !== ''))];
}

/** Returns a property by its name, ignoring case, because elsewhere the service capitalizes its names. */
function property(record: IDataObject, name: string): Value {
	const key = Object.keys(record).find((candidate) => candidate.toLowerCase() === name);
	return key === undefined ? undefined : record[key];
}

function uniqueByName(fields: FormField[]): FormField[] {
	const byName = new Map<string, FormField>();
	for (const field of fields) {
		if (field.name !== '' && !byName.has(field.name)) byName.set(field.name, field);
	}
	return [...byName.values()];
}

type Value = IDataObject[string];

/**
 * Reads custom fields from the service's list or from an object; returns undefined for anything else. A name that occurs
 * several times, as for a field with several answers, gets an array of values.
 */
export function customFields(fields: unknown): Map<string, Value> | undefined {
	if (isRecord(fields)) return new Map(Object.entries(fields));
	if (!Array.isArray(fields)) return fields === null ? new Map() : undefined;
	const pairs = fields.filter(isRecord).filter((entry) => property(entry, 'name') !== undefined);
	if (pairs.length === 0 && fields.length > 0) return undefined;
	const values = new Map<string, Value[]>();
	for (const pair of pairs) {
		const name = textOf(property(pair, 'name'));
		const value = property(pair, 'value') ?? null;
		addToGroup(values, name, value);
	}
	return new Map([...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
}

/** Converts a value to text: arrays separated by commas, objects as JSON. */
export function textOf(value: unknown, label = 'A value of the form'): string {
	if (value === undefined || value === null) return '';
	if (Array.isArray(value)) return value.map((entry) => textOf(entry, label)).join(', ');
	return isNonDateObject(value) ? toJson(value) : readText(value, label)!;
}
