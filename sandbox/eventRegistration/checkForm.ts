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
 * Returns everything in a write that the form does not allow. With `isPartial` (an update), a missing field keeps its value
 * and is not a problem; given values must still be valid.
 */
export function checkForm(
	form: readonly FormField[],
	input: FormInput,
	{ isPartial, prefix = '' }: { isPartial: boolean; prefix?: string },
): FieldProblems {
	const problems: FieldProblems = {};
	const addProblem = (key: string, text: string) => (problems[prefix + key] ??= []).push(text);
	const customValues = new Map(
		(input.CustomFields ?? []).map(({ Name, Value }) => [Name, Value ?? '']),
	);

	for (const field of form) {
		const key = field.custom ? `CustomFields.${field.name}` : field.name;
		const value = field.custom ? customValues.get(field.name) : input[field.name];
		const text = value === undefined ? undefined : String(value).trim();
		if (field.required && (text === undefined ? !isPartial : text === '')) {
			addProblem(key, `The ${field.caption} field is required.`);
		} else if (text && field.type === 'email' && !EMAIL.test(text)) {
			addProblem(key, `The ${field.caption} field is not a valid email address.`);
		} else if (
			text &&
			field.options &&
			!splitChoices(field, text).every(createOptionCheck(field))
		) {
			addProblem(key, `The ${field.caption} field must be one of ${field.options.join(', ')}.`);
		} else if (text && !matchesType(field, text)) {
			addProblem(key, `The ${field.caption} field must be a ${field.type} value.`);
		}
	}
	for (const name of customValues.keys()) {
		if (!form.some((field) => field.custom && field.name === name)) {
			addProblem(`CustomFields.${name}`, `There is no field ${name} on the form.`);
		}
	}
	return problems;
}

const createOptionCheck =
	({ options = [] }: FormField) =>
	(choice: string) =>
		options.includes(choice);

/** Returns the choices in a text: several with separators if the field allows them. An option may contain a separator. */
function splitChoices({ type, options = [] }: FormField, text: string): string[] {
	if (type !== 'multiselect') return [text];
	const choices: string[] = [];
	let remainingText = text;
	while ((remainingText = remainingText.replace(/^[\s,;]+/, '')) !== '') {
		const isDelimited = (choice: string) => /^\s*([,;]|$)/.test(remainingText.slice(choice.length));
		const matchingOptions = options.filter(
			(option) => remainingText.startsWith(option) && isDelimited(option),
		);
		const longestOption = matchingOptions.sort((a, b) => b.length - a.length)[0];
		const choice = longestOption ?? remainingText.split(/[,;]/)[0]!;
		choices.push(choice.trim());
		remainingText = remainingText.slice(choice.length);
	}
	return choices;
}

const YES = /^(yes|true|1)$/i;
const NO = /^(no|false|0)$/i;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function matchesType({ type }: FormField, text: string): boolean {
	if (type === 'number') return NUMBER.test(text);
	if (type === 'yes/no') return YES.test(text) || NO.test(text);
	return (type !== 'date' && type !== 'datetime') || !Number.isNaN(Date.parse(text));
}

/** Returns a valid value as it is stored by a service that has one spelling for each type. */
export function normalizeValue(field: FormField, value: string): string {
	const text = value.trim();
	if (text === '') return text;
	switch (field.type) {
		case 'email':
			return text.toLowerCase();
		case 'phone':
			return text.replace(/[^\d+]/g, '');
		case 'number':
			return `${Number(text)}`;
		case 'yes/no':
			return YES.test(text) ? 'Yes' : 'No';
		case 'date':
			return new Date(text).toISOString().slice(0, 10);
		case 'datetime':
			return new Date(text).toISOString().replace(/\.\d+/, '');
		case 'multiselect':
			return field
				.options!.filter((option) => splitChoices(field, text).includes(option))
				.join(';');
		default:
			return text.replace(/\s+/g, ' ');
	}
}

export const isEmail = (text: string): boolean => EMAIL.test(text);

/** Returns the custom fields after a write: given fields replace those with the same name, and the others stay. */
export function mergeCustomFields(
	current: CustomField[] = [],
	changes: CustomField[] = [],
): CustomField[] {
	const merged = new Map(current.map((field) => [field.Name, field]));
	for (const { Name, Value = '' } of changes) merged.set(Name, { Name, Value });
	return [...merged.values()];
}
