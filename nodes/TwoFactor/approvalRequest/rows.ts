import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import type { Field } from '../../engine/field';
import { jsonObjectReader } from '../../engine/values/convert';
import { isRecord } from '../../engine/values/isRecord';
import { readText } from '../../engine/values/texts';

export const nameAndValueRows = <Name extends string>(
	own: Pick<Field<Name>, 'displayName' | 'name' | 'description' | 'target' | 'displayOptions'> & {
		placeholder?: string;
	},
) =>
	field({
		placeholder: 'Add detail',
		...own,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
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
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. Lisbon',
					},
				],
			},
		],
		read: (raw, _, label) => readDetailRows(label, raw),
	});

/** Reads rows as an object of texts; undefined without rows. Throws BadInput for a missing or repeated name. */
export function readDetailRows(label: string, raw: unknown): IDataObject | undefined {
	const rows = [(isRecord(raw) ? raw.rows : undefined) ?? []].flat();
	const entries = rows
		.map((row): [string, unknown] => {
			const { name, value } = isRecord(row) ? row : {};
			return [(readText(name, `${label}: Name`) ?? '').trim(), value ?? ''];
		})
		.filter(([name, value]) => name !== '' || value !== '');
	const names = entries.map(([name]) => name);
	if (names.includes('')) {
		throw new BadInput(`'${label}' has a value without a name`, `Name every row of '${label}'.`);
	}
	rejectRepeated(label, names);
	return toTexts(label, entries);
}

/** Throws BadInput if a name occurs twice. */
export function rejectRepeated(label: string, names: string[]): void {
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated === undefined) return;
	throw new BadInput(
		`'${label}' has "${repeated.slice(0, 40)}" twice`,
		`Give every row of '${label}' its own name.`,
	);
}

/** Reads JSON as an object of texts; undefined if it is empty. */
export function readDetailJson(label: string, raw: unknown): IDataObject | undefined {
	if (typeof raw === 'string' && raw.trim() === '') return undefined;
	return toTexts(label, Object.entries(jsonObjectReader(label)(raw)));
}

/** Converts all values to texts: the service accepts nothing else as details. */
function toTexts(label: string, entries: Array<[string, unknown]>): IDataObject | undefined {
	if (entries.length === 0) return undefined;
	return Object.fromEntries(
		entries.map(([name, value]) => [name, readText(value, `${label}: ${name.slice(0, 40)}`) ?? '']),
	);
}
