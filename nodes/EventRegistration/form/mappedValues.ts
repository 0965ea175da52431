import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../../engine/values/texts';
import { customFields, textOf } from './readForm';
import type { FormField } from './readForm';

/** Values by the names of form fields. */
export type MappedValues = ReadonlyMap<string, unknown>;

/** The body of a write, by the service's names. Unlike an n8n item, it may have bigints: integers beyond the safe range. */
export type Body = Record<string, unknown>;

/**
 * Maps the properties of an item to the fields of a form: by the field's name, else by its caption, else by a name that
 * differs only in case, blanks and punctuation. The item's custom fields count as properties.
 */
export function autoMap(item: IDataObject, fields: readonly FormField[]): MappedValues {
	const itemValues = new Map([...(customFields(item.CustomFields) ?? []), ...Object.entries(item)]);
	itemValues.delete('CustomFields');
	const byNormalizedName = new Map<string, unknown>();
	for (const [name, value] of itemValues) {
		if (!byNormalizedName.has(normalizeFieldName(name)))
			byNormalizedName.set(normalizeFieldName(name), value);
	}
	const values = new Map<string, unknown>();
	for (const { name, caption } of fields) {
		const exact = [name, caption].find((candidate) => itemValues.has(candidate));
		const close = [name, caption]
			.map(normalizeFieldName)
			.find((key) => key && byNormalizedName.has(key));
		if (exact !== undefined) values.set(name, itemValues.get(exact));
		else if (close !== undefined) values.set(name, byNormalizedName.get(close));
	}
	return values;
}

const normalizeFieldName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the captions of the required fields that are blank. */
export const missingCaptions = (values: MappedValues, fields: readonly FormField[]): string[] =>
	fields.filter(({ name, required }) => required && isBlank(values.get(name))).map(captionOf);

const captionOf = ({ caption }: FormField) => caption;

/** The properties of the record itself, and how each is sent. All other fields of a form are sent as custom fields. */
export type RecordProperties = Record<string, 'text' | 'email' | ((value: unknown) => unknown)>;

/**
 * Builds a body from the values of a form: properties of the record at the top level, the rest as custom fields. Blank
 * values are omitted. With `clearsBlank`, a blank text is sent as an empty string, which clears the field at the service.
 */
export function serializeFormValues(
	values: MappedValues,
	properties: RecordProperties,
	clearsBlank: boolean,
): Body {
	const body: Body = {};
	const custom: IDataObject[] = [];
	for (const [name, value] of values) {
		const conversion = Object.hasOwn(properties, name) ? properties[name]! : undefined;
		const isText = typeof conversion !== 'function';
		if (isBlank(value) && !(clearsBlank && isText && typeof value === 'string')) continue;
		const isTrimmed = isBlank(value) || conversion === 'email';
		const sentText = isTrimmed ? textOf(value, name).trim() : textOf(value, name);
		if (!conversion) custom.push({ Name: name, Value: sentText });
		else body[name] = isText ? sentText : conversion(value);
	}
	return custom.length > 0 ? { ...body, CustomFields: custom } : body;
}
