import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import type { Call, Field } from '../../engine/operation';
import { text } from '../../engine/values/texts';
import { jsonObject } from '../../engine/values/convert';

interface Row {
	name?: unknown;
	value?: unknown;
}

/** Rows of a name and a value. */
export const nameAndValueRows = (
	field: Pick<Field, 'displayName' | 'name' | 'description' | 'target' | 'displayOptions'>,
): Field => ({
	...field,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add detail',
	default: {},
	options: [
		{
			displayName: 'Detail',
			name: 'rows',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Location',
					description: 'What the detail is called',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. Lisbon',
					description: 'The detail itself',
				},
			],
		},
	],
});

/** Turns rows into an object of texts. A name must be there, and be there once; with no rows there is nothing to send. */
export function fromRows(label: string, given: unknown): IDataObject | undefined {
	const rows = [((given ?? {}) as { rows?: Row | Row[] }).rows ?? []].flat();
	const entries = rows
		.map(
			({ name, value }) => [(text(name, `A name in ${label}`) ?? '').trim(), value ?? ''] as const,
		)
		.filter(([name, value]) => name !== '' || value !== '');
	const names = entries.map(([name]) => name);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (names.includes('')) {
		throw new BadInput(`${label} has a value without a name`, `Name every row of ${label}.`);
	}
	if (twice !== undefined) {
		throw new BadInput(
			`${label} has "${twice.slice(0, 40)}" twice`,
			`Give every row of ${label} a name of its own.`,
		);
	}
	return allTexts(label, entries);
}

/** Reads an object of texts from JSON; with nothing in it there is nothing to send. */
export function fromJson(label: string, given: unknown, call: Call): IDataObject | undefined {
	if (typeof given === 'string' && given.trim() === '') return undefined;
	const object = jsonObject(label)(given, call) as IDataObject;
	return allTexts(label, Object.entries(object));
}

/** Details are texts for the service, whatever they were for whoever gave them. */
function allTexts(
	label: string,
	entries: ReadonlyArray<readonly [string, unknown]>,
): IDataObject | undefined {
	if (entries.length === 0) return undefined;
	const texts = entries.map(([name, value]) => [
		name,
		text(value, `"${name.slice(0, 40)}" in ${label}`) ?? '',
	]);
	return Object.fromEntries(texts) as IDataObject;
}
