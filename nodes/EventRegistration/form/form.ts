import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../../engine/http/json';
import { isRecord } from '../../engine/values/convert';
import { isNonDateObject, text } from '../../engine/values/texts';

/*
 * The forms that people fill in. `form` is what a form is and does, with nothing of n8n in it: reading it, mapping an item
 * onto it, making a body. `forms` are the two that there are. `columns` turns one into n8n's inputs and back, `editor` feeds
 * them to the panel, `inputs` are the fields and options that show them. When the node runs, `body` reads what was mapped
 * for an item, `save` sends it, and `output` puts out a form itself.
 */

/** One field of a registration or contact form, whatever shape the service described it in. */
export interface FormField {
	/** The name that the service knows the field by. */
	name: string;
	/** What people see. */
	caption: string;
	/** The service's word for the kind of field, where it says one. */
	type?: string;
	/** Whether it must be filled in; absent where the service does not say. */
	required?: boolean;
	/** What can be chosen. */
	options?: string[];
}

/** Which side of a form that is a map holds the captions; found out unless the user knows it. */
export type KeysAre = 'detect' | 'captions' | 'names';

/** What the user knows of it; whatever else an expression gives leaves it open. */
export const toKeysAre = (given: unknown): KeysAre =>
	given === 'captions' || given === 'names' ? given : 'detect';

/** The names by which the internal side of a map is recognized. */
const WELL_KNOWN_NAMES = ['FirstName', 'LastName', 'Email'];

/**
 * Reads a form in any of its shapes: a map between captions and names in either direction, or descriptions of fields in
 * an array or in an object. Gives every field once, in the service's order; what is no form gives no fields.
 */
export function readForm(body: unknown, keysAre: KeysAre = 'detect'): FormField[] {
	const content = unwrapList(body);
	if (Array.isArray(content)) return uniqueByName(content.map((entry) => readField(entry)));
	if (!isRecord(content)) return [];
	const entries = Object.entries(content);
	if (entries.some(([, value]) => isRecord(value))) {
		return uniqueByName(entries.map(([key, value]) => readField(value, key)));
	}
	const pairs = entries.map(([key, value]) => [key.trim(), textOf(value).trim()] as const);
	const captionsFirst = keysAre === 'detect' ? keysAreCaptions(pairs) : keysAre === 'captions';
	return uniqueByName(
		pairs.map(([key, value]) => {
			const [caption, name] = captionsFirst ? [key, value] : [value, key];
			// A field with one side only is still a field: its only name serves for both.
			return { name: name || caption, caption: caption || name };
		}),
	);
}

/** A list of descriptions may come wrapped in an object that holds nothing else of interest. */
function unwrapList(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const list = property(body, 'fields') ?? property(body, 'data');
	return Array.isArray(list) ? list : body;
}

/** The side with more of the names that every form has is the internal one; failing that, the side without blanks. */
function keysAreCaptions(pairs: ReadonlyArray<readonly [string, string]>): boolean {
	const count = (side: 0 | 1, test: (text: string) => boolean) =>
		pairs.filter((pair) => test(pair[side])).length;
	const isWellKnown = (text: string) => WELL_KNOWN_NAMES.includes(text);
	const byWellKnown = count(1, isWellKnown) - count(0, isWellKnown);
	if (byWellKnown !== 0) return byWellKnown > 0;
	const isIdentifier = (text: string) => /^[A-Za-z_]\w*$/.test(text);
	return count(1, isIdentifier) >= count(0, isIdentifier);
}

/** A field from its description; the key under which it was found serves where it gives no name itself. */
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

function optionTexts(given: unknown): string[] {
	if (!Array.isArray(given)) return [];
	const texts = given.map((entry) =>
		textOf(isRecord(entry) ? (property(entry, 'value') ?? property(entry, 'name')) : entry),
	);
	return [...new Set(texts.filter((text) => text !== ''))];
}

/** A property by its name in any case, since the service writes its names in capitals elsewhere. */
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

/** What a record can hold under a name. */
type Value = IDataObject[string];

/** Values by the names of form fields. */
export type MappedValues = ReadonlyMap<string, unknown>;

/** The body of a write by the service's names. Unlike an item of n8n it may hold numbers that are too long for a number. */
export type Body = Record<string, unknown>;

/**
 * Takes from an item what the form asks for: a property with the field's name, else with its caption, else one that
 * differs only in case, blanks and punctuation. What the item holds as custom fields counts as properties.
 */
export function autoMap(item: IDataObject, fields: readonly FormField[]): MappedValues {
	const given = new Map([...(customFields(item.CustomFields) ?? []), ...Object.entries(item)]);
	given.delete('CustomFields');
	const byNormalizedName = new Map<string, unknown>();
	for (const [name, value] of given) {
		if (!byNormalizedName.has(normalizeName(name)))
			byNormalizedName.set(normalizeName(name), value);
	}
	const values = new Map<string, unknown>();
	for (const { name, caption } of fields) {
		const exact = [name, caption].find((candidate) => given.has(candidate));
		const close = [name, caption]
			.map(normalizeName)
			.find((key) => key && byNormalizedName.has(key));
		if (exact !== undefined) values.set(name, given.get(exact));
		else if (close !== undefined) values.set(name, byNormalizedName.get(close));
	}
	return values;
}

const normalizeName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Custom fields as names and values, from the service's list or from an object; nothing where it is neither. A name that comes
 * several times, as of a field with several answers, has a list of values.
 */
export function customFields(given: unknown): Map<string, Value> | undefined {
	if (isRecord(given)) return new Map(Object.entries(given));
	if (!Array.isArray(given)) return given === null ? new Map() : undefined;
	const pairs = given.filter(isRecord).filter((entry) => property(entry, 'name') !== undefined);
	if (pairs.length === 0 && given.length > 0) return undefined;
	const values = new Map<string, Value[]>();
	for (const pair of pairs) {
		const name = textOf(property(pair, 'name'));
		const value = property(pair, 'value') ?? null;
		const before = values.get(name);
		if (before) before.push(value);
		else values.set(name, [value]);
	}
	return new Map([...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
}

/** Whether a value was not filled in. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The captions of the fields that must be filled in and are not. */
export const missingCaptions = (values: MappedValues, fields: readonly FormField[]): string[] =>
	fields.filter(({ name, required }) => required && isBlank(values.get(name))).map(captionOf);

const captionOf = ({ caption }: FormField) => caption;

/** A value as a text: lists with commas, objects as JSON, anything else as it reads. */
export function textOf(value: unknown, label = 'A value of the form'): string {
	if (value === undefined || value === null) return '';
	if (Array.isArray(value)) return value.map((entry) => textOf(entry, label)).join(', ');
	return isNonDateObject(value) ? toJson(value) : text(value, label)!;
}

/** The properties of a record itself, and how each is sent; every other field of a form travels as a custom field. */
export type RecordProperties = Record<string, 'text' | 'email' | ((given: unknown) => unknown)>;

/**
 * Makes a body out of the values of a form: known fields where they belong, the rest as custom fields. Blank values are
 * left out, or sent as an empty text where the user wants what the service holds to be emptied.
 */
export function toBody(
	values: MappedValues,
	properties: RecordProperties,
	clearsBlank: boolean,
): Body {
	const body: Body = {};
	const custom: IDataObject[] = [];
	for (const [name, value] of values) {
		const convert = Object.hasOwn(properties, name) ? properties[name]! : undefined;
		const isText = typeof convert !== 'function';
		if (isBlank(value) && !(clearsBlank && isText && typeof value === 'string')) continue;
		const isTrimmed = isBlank(value) || convert === 'email';
		const sentText = isTrimmed ? textOf(value, name).trim() : textOf(value, name);
		if (!convert) custom.push({ Name: name, Value: sentText });
		else body[name] = isText ? sentText : convert(value);
	}
	return custom.length > 0 ? { ...body, CustomFields: custom } : body;
}
