import type { FormField } from '../demoData';
import type { CustomField } from './records';
import { invalid } from './responses';

/** Body of a search: field names and the required values. */
export type Criteria = Record<string, string | number | boolean>;

interface Searchable {
	LastUpdated: string;
	CustomFields?: CustomField[];
}

const normalizeText = (value: unknown) =>
	String(value ?? '')
		.trim()
		.toLowerCase();

/**
 * Returns the records that match all criteria. Texts are compared as a whole and without case. A name that is neither a
 * property of the record nor a field of the form is rejected.
 */
export function searchRecords<T extends Searchable>(
	list: readonly T[],
	form: readonly FormField[],
	properties: readonly string[],
	criteria: Criteria,
): readonly T[] {
	const conditions: Array<(record: T) => boolean> = [];
	for (const [name, value] of Object.entries(criteria)) {
		if (name === 'UpdatedAfter') {
			const bound = new Date(String(value)).toISOString();
			conditions.push((record) => record.LastUpdated > bound);
		} else if (name === 'UpdatedBefore') {
			const bound = new Date(String(value)).toISOString();
			conditions.push((record) => record.LastUpdated < bound);
		} else if (properties.includes(name)) {
			const expected = normalizeText(value);
			conditions.push((record) => normalizeText(record[name as keyof T]) === expected);
		} else if (form.some((field) => field.custom && field.name === name)) {
			const expected = normalizeText(value);
			conditions.push((record) =>
				(record.CustomFields ?? []).some(
					(field) => field.Name === name && normalizeText(field.Value) === expected,
				),
			);
		} else {
			throw invalid({ [name]: [`There is no field ${name} on the form.`] });
		}
	}
	return list.filter((record) => conditions.every((test) => test(record)));
}
