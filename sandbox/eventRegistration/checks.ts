import type { FieldProblems } from '../controlError';
import type { FormField } from '../demoData';
import type { CustomField } from './records';

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** Input of a write: properties of the record and custom fields. */
export interface FormInput {
	CustomFields?: CustomField[];
	[property: string]: unknown;
}

/**
 * Returns everything in a write that the form does not allow. With `partial` (an update) a missing field keeps its value and
 * is no problem; given values must still be valid.
 */
export function checkForm(
	form: readonly FormField[],
	input: FormInput,
	{ partial, prefix = '' }: { partial: boolean; prefix?: string },
): FieldProblems {
	const state: FieldProblems = {};
	const complain = (key: string, text: string) => (state[prefix + key] ??= []).push(text);
	const custom = new Map((input.CustomFields ?? []).map(({ Name, Value }) => [Name, Value ?? '']));

	for (const field of form) {
		const key = field.custom ? `CustomFields.${field.name}` : field.name;
		const value = field.custom ? custom.get(field.name) : input[field.name];
		const text = value === undefined ? undefined : String(value).trim();
		if (field.required && (text === undefined ? !partial : text === '')) {
			complain(key, `The ${field.caption} field is required.`);
		} else if (text && field.type === 'email' && !EMAIL.test(text)) {
			complain(key, `The ${field.caption} field is not a valid email address.`);
		} else if (text && field.options && !field.options.includes(text)) {
			complain(key, `The ${field.caption} field must be one of ${field.options.join(', ')}.`);
		}
	}
	for (const name of custom.keys()) {
		if (!form.some((field) => field.custom && field.name === name)) {
			complain(`CustomFields.${name}`, `There is no field ${name} on the form.`);
		}
	}
	return state;
}

export const isEmail = (text: string): boolean => EMAIL.test(text);

/** Returns the custom fields after a write: given ones replace those with the same name, the others stay. */
export function mergeCustom(before: CustomField[] = [], given: CustomField[] = []): CustomField[] {
	const merged = new Map(before.map((field) => [field.Name, field]));
	for (const { Name, Value = '' } of given) merged.set(Name, { Name, Value });
	return [...merged.values()];
}
