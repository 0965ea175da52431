import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import type { FormField } from './form';

/** So many fields are shown at first; the rest of a long form is one click away, and the panel stays quick. */
const MAX_SHOWN_FIELDS = 50;

/** What a panel wants of a form. */
export interface ColumnOptions {
	/** Whether required fields must be filled in, as for something new. */
	enforcesRequired: boolean;
	/** Fields that are required where the form does not say whether they are. */
	requiredByDefault?: readonly string[];
	/** Fields that the panel asks for elsewhere. */
	excluded?: readonly string[];
}

/**
 * Makes the inputs that n8n shows for a form. Standard fields that the form does not name can still be added, and are shown
 * at once if the form names nothing at all.
 */
export function toColumns(
	form: readonly FormField[],
	standard: readonly FormField[],
	{ enforcesRequired, requiredByDefault = [], excluded = [] }: ColumnOptions,
): ResourceMapperField[] {
	const named = new Set(form.map(({ name }) => name));
	const extra = standard.filter(({ name }) => !named.has(name));
	const fields = [...form, ...extra].filter(({ name }) => !excluded.includes(name));
	const captions = fields.map(({ caption }) => caption);
	const isDuplicate = (caption: string) =>
		captions.indexOf(caption) !== captions.lastIndexOf(caption);
	return fields.map((field, index) => {
		const { name, caption, options } = field;
		const type = columnType(field);
		const isOffered = form.length === 0 || named.has(name);
		const required =
			enforcesRequired && (field.required ?? (isOffered && requiredByDefault.includes(name)));
		const hidden = !isOffered || (form.length > 0 && index >= MAX_SHOWN_FIELDS);
		return {
			id: toId(name),
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
			// n8n would fill in "false" by itself, and send it.
			...(type === 'boolean' && { defaultValue: null }),
		};
	});
}

/** The fields that stored inputs stand for. */
export const fromColumns = (columns: readonly ResourceMapperField[]): FormField[] =>
	columns.map(({ id, displayName, required, type }) => ({
		name: toName(id),
		caption: displayName || toName(id),
		type,
		required: required === true,
	}));

/** The id of an input: the field's name, except for what n8n's editor cannot handle in one or drops for safety. */
export const toId = (name: string): string =>
	name.replace(/[%"\\[\]]|^(?=(__proto__|prototype|constructor)$)./g, escaped);

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The field's name again. */
export const toName = (id: string): string =>
	id.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Whether a kind of field, in the service's words or in n8n's, is a date with a time. */
export const isDateTime = (type = ''): boolean => /^(date.?time|timestamp)/i.test(type);

function columnType({ type = '', options }: FormField): FieldType {
	if (options && !/multi|checkboxes/i.test(type)) return 'options';
	if (isDateTime(type)) return 'dateTime';
	if (/^(bool|boolean|checkbox|switch|yes.?no)$/i.test(type)) return 'boolean';
	if (/^(number|numeric|int|integer|decimal|float|currency)$/i.test(type)) return 'number';
	return 'string';
}
