import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { fieldKind } from './fieldKind';
import type { FormField } from './readForm';

/**
 * Number of a form's fields that are shown at first. Further fields are hidden unless required, because showing all would
 * slow the panel down. The user can add them.
 */
const MAX_SHOWN_FIELDS = 50;

export interface ColumnOptions {
	/** Whether required fields must be filled in, as for a new record. */
	enforcesRequired: boolean;
	/** Names of fields that count as required if the form does not say whether they are. */
	requiredByDefault?: readonly string[];
	/** Names of fields that get no column: they have a parameter of their own in the panel. */
	excluded?: readonly string[];
}

/**
 * Converts a form into the columns of n8n's resource mapper. The user can add standard fields that the form lacks. If the
 * form has no fields, the standard fields are shown at first.
 */
export function toColumns(
	formFields: readonly FormField[],
	standard: readonly FormField[],
	{ enforcesRequired, requiredByDefault = [], excluded = [] }: ColumnOptions,
): ResourceMapperField[] {
	const formNames = new Set(formFields.map(({ name }) => name));
	const extra = standard.filter(({ name }) => !formNames.has(name));
	const fields = [...formFields, ...extra].filter(({ name }) => !excluded.includes(name));
	const captions = fields.map(({ caption }) => caption);
	const isDuplicate = (caption: string) =>
		captions.indexOf(caption) !== captions.lastIndexOf(caption);
	return fields.map((field, index) => {
		const { name, caption, options } = field;
		const type = columnType(field);
		const isPartOfForm = formFields.length === 0 || formNames.has(name);
		const required =
			enforcesRequired && (field.required ?? (isPartOfForm && requiredByDefault.includes(name)));
		const hidden = !isPartOfForm || (formFields.length > 0 && index >= MAX_SHOWN_FIELDS);
		return {
			id: toColumnId(name),
			displayName: isDuplicate(caption) ? `${caption} (${name})` : caption,
			required,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: hidden && !required,
			type,
			...(type === 'options' && {
				options: options!.map((option) => ({ name: option, value: option })),
			}),
			// Without this default, n8n's editor (2.41.1) sets `false`, which the node would send.
			...(type === 'boolean' && { defaultValue: null }),
		};
	});
}

/** Converts stored columns back into form fields. */
export const fromColumns = (columns: readonly ResourceMapperField[]): FormField[] =>
	columns.map(({ id, displayName, required, type }) => ({
		name: toFieldName(id),
		caption: displayName || toFieldName(id),
		type,
		required: required === true,
	}));

/**
 * Returns the ID of a column: the field's name, with those characters escaped that n8n's editor cannot handle in an ID. The
 * editor drops names such as `__proto__` for safety, so their first character is escaped.
 */
export const toColumnId = (name: string): string =>
	name.replace(/[%"\\[\]]|^(?=(__proto__|prototype|constructor)$)./g, escaped);

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Reverses `toColumnId`. */
export const toFieldName = (id: string): string =>
	id.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

function columnType({ type, options }: FormField): FieldType {
	const kind = fieldKind(type);
	if (options && kind !== 'choices') return 'options';
	return kind === 'dateTime' || kind === 'boolean' || kind === 'number' ? kind : 'string';
}
